#include "simulator/manifests/manifest_loader.h"

#include <algorithm>
#include <set>

#include "api/selectors.h"
#include "api/taints_against.h"
#include "base/text.h"
#include "codec/text/rfc3339.h"
#include "simulator/admission/admission.h"
#include "simulator/admission/defaults.h"
#include "simulator/manifests/expansion.h"
#include "simulator/manifests/objects.h"
#include "simulator/manifests/reader.h"
#include "simulator/manifests/schema.h"

namespace berth::manifests {
namespace {

using json::Value;

constexpr int64_t kMillisecond = 1'000'000;
constexpr const char* kClaim = "PersistentVolumeClaim";

std::string NamespaceOf(const Value& object) {
  const std::string ns = json::TextAt(object, "metadata.namespace");
  return ns.empty() ? "default" : ns;
}

bool IsGone(const Value& object) {
  const Value* at = object.FindPath("metadata.deletionTimestamp");
  return at != nullptr && !at->is_null();
}

bool SameTemplate(const Value& a, const Value& b) {
  const Value *before = a.FindPath("spec.template"), *after = b.FindPath("spec.template");
  if (before == nullptr || after == nullptr) return before == after;
  return *before == *after;
}

// Checks new objects as the API server does. Objects from an API server pass.
base::Result<void> CheckNewObject(const Object& object) {
  std::string text;
  const std::string scope =
      object.kind == "Node" || object.kind.ends_with("Class") ? "" : NamespaceOf(object.value) + "/";
  const std::string who =
      base::Lower(object.kind) + " " + base::Quoted(scope + json::TextAt(object.value, "metadata.name"));
  for (const SchemaFault& fault : CheckSchema(object.kind, object.value)) {
    text +=
        (text.empty() ? "" : "\n") + object.PlaceOf(fault.mark) + ": " + who + ": " + fault.path + ": " + fault.reason;
  }
  return text.empty() ? base::Result<void>() : base::Fail(text);
}

// Extenders identify victims by uid, and plugins the objects of pods, so these contain the uid that the decoder would
// set.
void SetUid(Value& pod) {
  pod["metadata"].Set("namespace", NamespaceOf(pod));
  pod["metadata"].Set("uid", NamespaceOf(pod) + "/" + json::TextAt(pod, "metadata.name"));
}

}  // namespace

struct Loader::Impl {
  Impl(api::InternTables& intern_in, Listener& listener_in, int64_t now)
      : intern(intern_in), listener(listener_in), next_created_unix_ns(now), objects(listener_in) {}

  struct Workload {
    std::string kind, place;
    Value object;
    std::vector<std::string> pods;  // keys of those it has now
    Value replica_set;              // of a Deployment
  };

  base::Result<void> Take(Object object, std::vector<Object>& rest);
  base::Result<void> TakeLater(Object& object);
  void TakeObject(Object& object, const std::string& ignored_as);
  base::Result<void> TakeNode(const Object& object);
  void TakeNodeObject(const Object& object);
  base::Result<void> TakePod(Object& object);
  // For what the ABI's pods lack, such as annotations.
  void ShowPod(const Value& pod);
  bool ShowsPods() const { return listener.NeedsObjects("v1", "Pod"); }
  void RemovePod(const std::string& key);
  base::Result<void> TakeWorkload(Object& object);
  // Passes the workload, or the ReplicaSet of a Deployment, to the listener for plugins.
  void ReportWorkload(Workload& workload);
  void RemoveWorkload(Workload& workload);
  void TakeClaims(std::vector<Value> claims);
  base::Result<void> Expand(Workload& workload);
  base::Result<void> ExpandDaemonSet(Workload& workload, const Value& pod, std::vector<std::string>& keys);
  base::Result<void> Announce(Value& pod, const std::string& name, const std::string& place,
                              std::vector<std::string>& keys);
  base::Result<api::PodRef> Decode(Value& pod, const std::string& place);
  std::string TextOf(const Value& pod) const;
  bool IsDeleted(const Object& object) const;
  bool Eligible(const api::Pod& pod, const api::Node& node) const;

  api::InternTables& intern;
  Listener& listener;
  int64_t next_created_unix_ns;
  Applying what = Applying::kStart;
  api::KeepManifest keep_pods = api::KeepManifest::kNo, keep_nodes = api::KeepManifest::kNo;
  admission::Admission admission;
  Objects objects;
  std::map<std::string, api::NodeRef> nodes;
  std::map<std::string, Workload> workloads;  // "Kind/namespace/name"
  std::vector<std::string> workload_order;
  std::map<std::string, size_t> ignored;
};

Loader::Loader(api::InternTables& intern, Listener& listener, int64_t now_unix_ns)
    : impl_(std::make_unique<Impl>(intern, listener, now_unix_ns)) {}
Loader::~Loader() = default;
void Loader::set_keep(api::KeepManifest pods, api::KeepManifest nodes) {
  impl_->keep_pods = pods;
  impl_->keep_nodes = nodes;
}
const std::map<std::string, size_t>& Loader::ignored() const { return impl_->ignored; }

base::Result<void> Loader::Apply(const std::vector<std::string>& paths, Applying what) {
  impl_->what = what;
  std::vector<Object> rest;  // claims, pods, and workloads: they need the nodes and classes of all files
  for (const std::string& path : paths) {
    auto done = ReadManifests(path, [&](Object object) { return impl_->Take(std::move(object), rest); });
    if (!done) return done;
  }
  const auto pods = std::stable_partition(rest.begin(), rest.end(), [](const Object& o) { return o.kind == kClaim; });
  for (auto claim = rest.begin(); claim != pods; ++claim) impl_->TakeObject(*claim, claim->kind);
  for (auto object = pods; object != rest.end(); ++object) {
    if (auto done = impl_->TakeLater(*object); !done) return done;
  }
  // New or changed nodes may be eligible for a DaemonSet of an earlier call.
  for (const std::string& key : impl_->workload_order) {
    auto it = impl_->workloads.find(key);
    if (it == impl_->workloads.end() || it->second.kind != "DaemonSet") continue;
    if (auto done = impl_->Expand(it->second); !done) return done;
  }
  return {};
}

base::Result<void> Loader::Impl::Take(Object object, std::vector<Object>& rest) {
  if (object.raw.empty()) {
    const std::string version = json::TextAt(object.value, "apiVersion");
    if (version.empty()) return base::Fail(object.Place() + ": apiVersion: Required value");
    if (version == "v1" && object.kind == kClaim) {
      rest.push_back(std::move(object));
      return {};
    }
    if (!IsKnownKind(version, object.kind)) {
      const bool other_version = IsKnownKind("v1", object.kind) || IsWorkload(object.kind);
      TakeObject(object, other_version ? object.kind + " of " + version : object.kind);
      return {};
    }
    const bool live = !json::TextAt(object.value, "metadata.uid").empty();
    if (live && IsWorkload(object.kind)) {  // its pods are separate objects
      TakeObject(object, "live " + object.kind);
      return {};
    }
    if (!live) {
      if (auto sound = CheckNewObject(object); !sound) return sound;
      if (object.kind == "Node") admission::SetNodeDefaults(object.value);
    }
  }
  if (object.kind == "Node") return TakeNode(object);
  if (object.kind == "Pod" || IsWorkload(object.kind)) {
    rest.push_back(std::move(object));
    return {};
  }
  const bool remembered = admission.Remember(object.kind, object.value);
  if (listener.NeedsObjects(json::TextAt(object.value, "apiVersion"), object.kind)) {
    TakeObject(object, object.kind);
  } else if (!remembered) {
    ++ignored[object.kind];
  }
  return {};
}

base::Result<void> Loader::Impl::TakeLater(Object& object) {
  return object.kind == "Pod" ? TakePod(object) : TakeWorkload(object);
}

void Loader::Impl::TakeObject(Object& object, const std::string& ignored_as) {
  const bool gone = IsDeleted(object);
  if (!objects.Take(std::move(object.value), gone)) ++ignored[ignored_as];
}

bool Loader::Impl::IsDeleted(const Object& object) const {
  if (object.raw.empty()) {
    return IsGone(object.value) && (what == Applying::kStep || json::TextAt(object.value, "metadata.uid").empty());
  }
  if (what == Applying::kStart || object.raw.find("\"deletionTimestamp\"") == std::string::npos) return false;
  const auto value = json::Parse(object.raw);
  return value && IsGone(*value);
}

base::Result<void> Loader::Impl::TakeNode(const Object& object) {
  auto node = api::DecodeNode(intern, object.raw.empty() ? json::Dump(object.value) : object.raw, keep_nodes);
  if (!node) return base::Fail(object.Place() + ": " + node.error().message);
  const std::string name = (*node)->name;
  if (name.empty()) return base::Fail(object.Place() + ": metadata.name: Required value");
  if (listener.NeedsObjects("v1", "Node")) TakeNodeObject(object);
  if (IsDeleted(object)) {
    nodes.erase(name);
    listener.RemoveNode(name);
    return {};
  }
  nodes.insert_or_assign(name, *node);
  listener.SetNode(std::move(*node));
  return {};
}

// For what the ABI's nodes lack, such as annotations.
void Loader::Impl::TakeNodeObject(const Object& object) {
  auto value = object.raw.empty() ? base::Result<Value>(object.value) : json::Parse(object.raw);
  if (!value) return;
  value->Set("apiVersion", "v1");  // items of a list may lack both
  value->Set("kind", "Node");
  objects.Take(std::move(*value), IsDeleted(object));
}

base::Result<void> Loader::Impl::TakePod(Object& object) {
  if (!object.raw.empty()) {
    auto pod = api::DecodePod(intern, object.raw, keep_pods);
    if (!pod) return base::Fail(object.Place() + ": " + pod.error().message);
    if (IsDeleted(object)) {
      RemovePod(std::string((*pod)->key()));
    } else {
      objects.UseNamespace(std::string(intern.ids.Text((*pod)->abi.ns)));
      if (ShowsPods()) {
        if (const auto value = json::Parse(object.raw)) ShowPod(*value);
      }
      listener.SetPod(std::move(*pod));
    }
    return {};
  }
  Value& value = object.value;
  const std::string name = json::TextAt(value, "metadata.name");
  if (name.empty()) return base::Fail(object.Place() + ": metadata.name: Required value");
  const bool made = !json::TextAt(value, "metadata.uid").empty();
  if (IsDeleted(object)) {
    RemovePod(NamespaceOf(value) + "/" + name);
    return {};
  }
  if (!made) {
    admission::SetPodDefaults(value);
    if (auto done = admission.Admit(value); !done) return base::Fail(object.Place() + ": " + done.error().message);
  } else {
    value["metadata"].Set("namespace", NamespaceOf(value));
  }
  auto pod = Decode(value, object.Place());
  if (!pod) return tl::unexpected(pod.error());
  objects.UseNamespace(NamespaceOf(value));
  TakeClaims(EphemeralClaimsOf(value));
  ShowPod(value);
  listener.SetPod(std::move(*pod));
  return {};
}

void Loader::Impl::ShowPod(const Value& pod) {
  if (!ShowsPods()) return;
  Value shown = pod;
  shown.Set("apiVersion", "v1");  // items of a list may lack both
  shown.Set("kind", "Pod");
  if (json::TextAt(shown, "metadata.uid").empty()) SetUid(shown);
  objects.Take(std::move(shown), false);
}

void Loader::Impl::RemovePod(const std::string& key) {
  listener.RemovePod(key);
  if (ShowsPods()) listener.RemoveObject("v1", "Pod", key);
}

// Sets the creation time of pods without one, so the queue has the order of the documents.
base::Result<api::PodRef> Loader::Impl::Decode(Value& pod, const std::string& place) {
  if (pod.FindPath("metadata.creationTimestamp") == nullptr) {
    pod["metadata"].Set("creationTimestamp", text::MicroTimeText(next_created_unix_ns));
    next_created_unix_ns += kMillisecond;
  }
  auto decoded = api::DecodePod(intern, TextOf(pod), keep_pods);
  if (!decoded) return base::Fail(place + ": " + decoded.error().message);
  return decoded;
}

std::string Loader::Impl::TextOf(const Value& pod) const {
  if (keep_pods == api::KeepManifest::kNo || !json::TextAt(pod, "metadata.uid").empty()) return json::Dump(pod);
  Value with_uid = pod;
  SetUid(with_uid);
  return json::Dump(with_uid);
}

base::Result<void> Loader::Impl::TakeWorkload(Object& object) {
  const std::string name = json::TextAt(object.value, "metadata.name");
  if (name.empty()) return base::Fail(object.Place() + ": metadata.name: Required value");
  const std::string key = object.kind + "/" + NamespaceOf(object.value) + "/" + name;
  auto it = workloads.find(key);
  if (IsGone(object.value)) {
    if (it == workloads.end()) return {};
    for (const std::string& pod : it->second.pods) RemovePod(pod);
    RemoveWorkload(it->second);
    workloads.erase(it);
    std::erase(workload_order, key);
    return {};
  }
  if (it == workloads.end()) {
    it = workloads.emplace(key, Workload{}).first;
    workload_order.push_back(key);
  }
  // If the controller rolls out changes, a new template replaces the pods.
  if (RollsOut(object.kind) && !SameTemplate(it->second.object, object.value)) {
    for (const std::string& pod : it->second.pods) RemovePod(pod);
    it->second.pods.clear();
  }
  it->second.kind = object.kind;
  it->second.place = object.Place();
  it->second.object = std::move(object.value);
  ReportWorkload(it->second);
  return it->second.kind == "DaemonSet" ? base::Result<void>() : Expand(it->second);
}

void Loader::Impl::ReportWorkload(Workload& workload) {
  if (workload.kind == "Deployment") {
    Value made = ReplicaSetOf(workload.object);
    if (json::TextAt(made, "metadata.name") != json::TextAt(workload.replica_set, "metadata.name"))
      RemoveWorkload(workload);
    workload.replica_set = std::move(made);
  }
  objects.Take(workload.kind == "Deployment" ? workload.replica_set : workload.object, false);
}

void Loader::Impl::RemoveWorkload(Workload& workload) {
  const Value& shown = workload.kind == "Deployment" ? workload.replica_set : workload.object;
  if (shown.is_object()) objects.Take(shown, true);
}

void Loader::Impl::TakeClaims(std::vector<Value> claims) {
  for (Value& claim : claims) objects.Take(std::move(claim), false);
}

base::Result<void> Loader::Impl::Expand(Workload& workload) {
  Value pod = workload.kind == "Deployment" ? PodOfTemplate("ReplicaSet", workload.replica_set)
                                            : PodOfTemplate(workload.kind, workload.object);
  const std::string name = json::TextAt(workload.object, "metadata.name");
  pod["metadata"].Set("name", name);
  if (workload.kind == "DaemonSet") AddDaemonTolerations(pod);
  admission::SetPodDefaults(pod);
  if (auto done = admission.Admit(pod); !done) return base::Fail(workload.place + ": " + done.error().message);
  std::vector<std::string> keys;
  if (workload.kind == "DaemonSet") {
    if (auto done = ExpandDaemonSet(workload, pod, keys); !done) return done;
  } else {
    const int64_t n = ReplicasOf(workload.kind, workload.object);
    const std::set<std::string> had(workload.pods.begin(), workload.pods.end());
    for (int64_t i = 0; i < n; ++i) {
      const std::string key = NamespaceOf(pod) + "/" + name + "-" + std::to_string(i);
      if (had.contains(key)) {
        keys.push_back(key);  // the pod exists already, and may be bound
        continue;
      }
      const std::string pod_name = name + "-" + std::to_string(i);
      Value own;  // with the pod's own claims
      if (workload.kind == "StatefulSet") TakeClaims(AddClaims(workload.object, pod_name, own = pod));
      Value& made = own.is_null() ? pod : own;
      if (auto done = Announce(made, pod_name, workload.place, keys); !done) return done;
    }
  }
  const std::set<std::string> now(keys.begin(), keys.end());
  for (const std::string& key : workload.pods) {
    if (!now.contains(key)) RemovePod(key);
  }
  workload.pods = std::move(keys);
  return {};
}

base::Result<void> Loader::Impl::ExpandDaemonSet(Workload& workload, const Value& pod, std::vector<std::string>& keys) {
  const std::string name = json::TextAt(workload.object, "metadata.name");
  const std::set<std::string> had(workload.pods.begin(), workload.pods.end());
  Value probe_text = pod;
  probe_text["metadata"].Set("creationTimestamp", text::MicroTimeText(next_created_unix_ns));
  auto probe = Decode(probe_text, workload.place);
  if (!probe) return tl::unexpected(probe.error());
  for (const auto& [node_name, node] : nodes) {
    const std::string key = NamespaceOf(pod) + "/" + name + "-" + node_name;
    if (!Eligible(**probe, *node)) continue;
    if (had.contains(key)) {
      keys.push_back(key);  // the pod exists already, and may be bound
      continue;
    }
    Value pinned = pod;
    PinToNode(pinned, node_name);
    if (auto done = Announce(pinned, name + "-" + node_name, workload.place, keys); !done) return done;
  }
  return {};
}

bool Loader::Impl::Eligible(const api::Pod& pod, const api::Node& node) const {
  const api::NodeFacts facts{node.abi.labels, node.abi.name};
  return api::RequiredMatches(intern, *pod.abi.node_affinity, facts) &&
         api::FindTaintsAgainst(intern, pod, node).refusing.empty();
}

base::Result<void> Loader::Impl::Announce(Value& pod, const std::string& name, const std::string& place,
                                          std::vector<std::string>& keys) {
  pod["metadata"].Set("name", name);
  pod["metadata"].Erase("creationTimestamp");
  auto decoded = Decode(pod, place);
  if (!decoded) return tl::unexpected(decoded.error());
  keys.emplace_back((*decoded)->key());
  objects.UseNamespace(NamespaceOf(pod));
  TakeClaims(EphemeralClaimsOf(pod));
  ShowPod(pod);
  listener.SetPod(std::move(*decoded));
  return {};
}

}  // namespace berth::manifests
