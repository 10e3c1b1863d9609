#include "cluster/access/cluster_settings.h"

#include <random>
#include <utility>
#include <vector>

#include "client/requests/api_status.h"
#include "telemetry/log/log.h"

namespace berth::access {
namespace {

constexpr const char* kConfigMaps = "/api/v1/namespaces/kube-system/configmaps";
constexpr const char* kName = "extension-apiserver-authentication";
constexpr const char* kBundleOf = "client-ca::kube-system::extension-apiserver-authentication::";
constexpr const char* kClientCa = "client-ca-file";
constexpr const char* kRequestHeaderCa = "requestheader-client-ca-file";

reflector::ResourceKind SettingsKind() {
  return {kConfigMaps, "", "configmaps", std::string("metadata.name=") + kName, true, "authentication"};
}

// A value of the ConfigMap that is a JSON array of strings; "" is an empty one.
base::Result<std::vector<std::string>> ListAt(const json::Value& config_map, const std::string& key) {
  std::vector<std::string> texts;
  const std::string value = json::TextAt(config_map, "data." + key);
  if (value.empty()) return texts;
  const base::Result<json::Value> list = json::Parse(value);
  if (!list) return base::Fail("configmap/" + std::string(kName) + ": data." + key + ": " + list.error().message);
  if (!list->is_array() && !list->is_null()) {
    return base::Fail("configmap/" + std::string(kName) + ": data." + key + ": it is no list of strings");
  }
  for (const json::Value& one : list->array()) {
    if (!one.is_string()) {
      return base::Fail("configmap/" + std::string(kName) + ": data." + key + ": it is no list of strings");
    }
    texts.push_back(one.string());
  }
  return texts;
}

base::Result<RequestHeaderNames> HeaderNamesOf(const json::Value& config_map) {
  RequestHeaderNames names;
  for (const auto& [key, into] : {std::pair{"requestheader-username-headers", &names.usernames},
                                  {"requestheader-uid-headers", &names.uids},
                                  {"requestheader-group-headers", &names.groups},
                                  {"requestheader-extra-headers-prefix", &names.extra_prefixes},
                                  {"requestheader-allowed-names", &names.allowed_names}}) {
    base::Result<std::vector<std::string>> list = ListAt(config_map, key);
    if (!list) return tl::unexpected(list.error());
    *into = std::move(*list);
  }
  return names;
}

void AdviseAboutRights() {
  log::Warning(
      "Unable to get configmap/extension-apiserver-authentication in kube-system.  Usually fixed by 'kubectl create "
      "rolebinding -n kube-system ROLEBINDING_NAME --role=extension-apiserver-authentication-reader "
      "--serviceaccount=YOUR_NS:YOUR_SA'");
}

}  // namespace

ClusterSettings::ClusterSettings(http::Transport& transport, Parts parts, const MakeVerifier& make)
    : transport_(transport),
      parts_(parts),
      client_ca_(std::string(kBundleOf) + kClientCa, make),
      request_header_ca_(std::string(kBundleOf) + kRequestHeaderCa, make),
      names_(std::make_shared<const RequestHeaderNames>()) {}

base::Result<void> ClusterSettings::ReadOnce() {
  const http::Reply reply = transport_.SendAndWait({.path = std::string(kConfigMaps) + "/" + kName});
  if (reply.ok()) {
    const base::Result<Seen> seen = Set(reply.body);
    return seen ? base::Result<void>() : tl::unexpected(seen.error());
  }
  const requests::ApiStatus status = requests::StatusOf(reply, std::string("get configmap/") + kName);
  if (status.NotFound()) return {};
  if (status.Forbidden()) AdviseAboutRights();
  return base::Fail(status.message);
}

void ClusterSettings::Start() {
  reflector_.emplace(SettingsKind(), transport_, *this, std::random_device()());
  running_.emplace(*reflector_);
}

std::shared_ptr<const RequestHeaderNames> ClusterSettings::header_names() const {
  base::MutexLock lock(mutex_);
  return names_;
}

// The parts are independent: an unusable CA does not prevent the use of the other one.
base::Result<ClusterSettings::Seen> ClusterSettings::Set(std::string_view json) {
  const base::Result<json::Value> config_map = json::Parse(json);
  if (!config_map) return base::Fail("configmap/" + std::string(kName) + ": " + config_map.error().message);
  if (parts_.client_ca) UseCa(client_ca_, *config_map, kClientCa);
  if (parts_.request_header) {
    UseCa(request_header_ca_, *config_map, kRequestHeaderCa);
    if (auto used = UseHeaderNames(*config_map); !used) return tl::unexpected(used.error());
  }
  return Seen{"kube-system/" + json::TextAt(*config_map, "metadata.name"),
              json::TextAt(*config_map, "metadata.resourceVersion")};
}

void ClusterSettings::UseCa(CaBundle& bundle, const json::Value& config_map, const char* key) {
  const base::Result<bool> changed = bundle.Set(json::TextAt(config_map, std::string("data.") + key));
  if (!changed) {
    log::Error("Unable to load a CA bundle of the cluster",
               {{"configMap", std::string("kube-system/") + kName}, {"key", key}, {"err", changed.error().message}});
  } else if (*changed) {
    log::V(2, "Loaded a new CA Bundle and Verifier", {{"name", bundle.name()}});
  }
}

base::Result<void> ClusterSettings::UseHeaderNames(const json::Value& config_map) {
  base::Result<RequestHeaderNames> names = HeaderNamesOf(config_map);
  if (!names) return tl::unexpected(names.error());
  auto made = std::make_shared<const RequestHeaderNames>(std::move(*names));
  base::MutexLock lock(mutex_);
  if (*made == *names_) return {};
  names_.swap(made);
  log::V(2, "Loaded a new request header values for RequestHeaderAuthRequestController");
  return {};
}

}  // namespace berth::access
