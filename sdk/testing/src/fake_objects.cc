#include "berth/testing/fake_objects.hpp"

#include <stdexcept>

namespace berth::sdk::testing {

FakeObject::FakeObject(std::string name, std::string ns) : document_(FakeValue::Object()) {
  FakeValue& metadata = document_.Child("metadata");
  metadata.Set("name", name);
  if (!ns.empty()) metadata.Set("namespace", ns);
  metadata.Set("uid", (ns.empty() ? "" : ns + "/") + name + "-uid");
}

FakeObject::FakeObject(const FakeObject&) = default;

FakeObject::FakeObject(FakeObject&&) noexcept = default;

FakeObject& FakeObject::operator=(const FakeObject&) = default;

FakeObject& FakeObject::operator=(FakeObject&&) noexcept = default;

FakeObject::~FakeObject() = default;

FakeObject FakeObject::Of(FakeValue document) {
  FakeObject object("");
  object.document_ = std::move(document);
  return object;
}

FakeObject FakeObject::Json(std::string_view text) {
  FakeValue document = ParseJson(text);
  const Value metadata = document.view().Get("metadata");
  const std::string ns(metadata.Get("namespace").AsString());
  FakeObject object(std::string(metadata.Get("name").AsString()), ns);
  return object.document_.MergePatch(document), object;
}

FakeObject& FakeObject::Uid(std::string uid) { return document_.Child("metadata").Set("uid", std::move(uid)), *this; }

FakeObject& FakeObject::Version(std::string version) {
  return document_.Child("metadata").Set("resourceVersion", std::move(version)), *this;
}

FakeObject& FakeObject::Label(std::string_view key, std::string value) {
  return document_.Child("metadata").Child("labels").Set(key, std::move(value)), *this;
}

FakeObject& FakeObject::Annotation(std::string_view key, std::string value) {
  return document_.Child("metadata").Child("annotations").Set(key, std::move(value)), *this;
}

FakeObject& FakeObject::Set(std::string_view key, FakeValue value) {
  return document_.Set(key, std::move(value)), *this;
}

FakeObject& FakeObject::Spec(std::string_view json) { return Set("spec", ParseJson(json)); }

FakeObject& FakeObject::Status(std::string_view json) { return Set("status", ParseJson(json)); }

FakeObject& FakeObject::Merge(std::string_view json) { return document_.MergePatch(ParseJson(json)), *this; }

std::shared_ptr<const ObjectData> FakeObject::Build() const {
  auto data = std::make_shared<ObjectData>();
  data->document = document_;
  const Value metadata = data->document.view().Get("metadata");
  const auto text = [&](const char* key) { return data->arena.Text(metadata.Get(key).AsString()); };
  data->object = {sizeof(berth_object),
                  0,
                  text("namespace"),
                  text("name"),
                  text("uid"),
                  text("resourceVersion"),
                  BuildLabels(*data, metadata.Get("labels")),
                  data->document.Show(data->arena)};
  data->shown = data->arena.Make(data->object);
  return data;
}

const berth_labels* FakeObject::BuildLabels(ObjectData& data, const Value& labels) {
  std::map<std::string, std::string> sorted;
  for (uint32_t i = 0; i < labels.size(); ++i) sorted.emplace(labels.KeyAt(i), labels[i].AsString());
  std::vector<berth_kv> items;
  std::string content;
  for (const auto& [key, value] : sorted) {
    items.push_back({IdOf(key), IdOf(value)});
    content += key + "=" + value + "\n";
  }
  return data.arena.Make(berth_labels{sizeof(berth_labels), ContentOf("labels", content), data.arena.Exact(items)});
}

FakeObjects::FakeObjects() = default;

FakeObjects::~FakeObjects() = default;

uint32_t FakeObjects::KindOf(const std::string& kind) {
  for (uint32_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].name == kind) return i + 1;
  }
  kinds_.push_back({kind, {}, 1, false});
  return static_cast<uint32_t>(kinds_.size());
}

uint32_t FakeObjects::Need(const std::string& kind) {
  const uint32_t number = KindOf(kind);
  kinds_[number - 1].needed = true;
  return number;
}

bool FakeObjects::Needed(const std::string& kind) { return kinds_[KindOf(kind) - 1].needed; }

FakeObjects::Change FakeObjects::Put(const std::string& kind, FakeObject object) {
  if (object.document().view().Get("metadata").Get("resourceVersion").is_null()) {
    object.Version(std::to_string(++version_));
  }
  Kind& in = kinds_[KindOf(kind) - 1];
  const Data now = object.Build();
  Entry& entry = in.objects[KeyOf(*now)];
  const Change change{entry.shown, now};
  entry = {now, now};
  return Changed(in, change);
}

FakeObjects::Change FakeObjects::Delete(const std::string& kind, const std::string& name, const std::string& ns) {
  Kind& in = kinds_[KindOf(kind) - 1];
  const auto at = in.objects.find({ns, name});
  if (at == in.objects.end()) throw std::invalid_argument("the fake host has no " + kind + " " + ns + "/" + name);
  const Change change{at->second.shown, nullptr};
  in.objects.erase(at);
  return Changed(in, change);
}

FakeObjects::Data FakeObjects::Find(uint32_t kind, const std::string& ns, const std::string& name) const {
  if (kind == 0 || kind > kinds_.size()) return nullptr;
  const auto at = kinds_[kind - 1].objects.find({ns, name});
  return at == kinds_[kind - 1].objects.end() ? nullptr : at->second.shown;
}

FakeObjects::Data FakeObjects::Find(const std::string& kind, const std::string& name, const std::string& ns) {
  return Find(KindOf(kind), ns, name);
}

std::vector<FakeObjects::Data> FakeObjects::All(uint32_t kind, const std::string& ns) const {
  std::vector<Data> all;
  if (kind == 0 || kind > kinds_.size()) return all;
  for (const auto& [key, entry] : kinds_[kind - 1].objects) {
    if (ns.empty() || key.first == ns) all.push_back(entry.shown);
  }
  return all;
}

std::vector<uint32_t> FakeObjects::NeededKinds() const {
  std::vector<uint32_t> needed;
  for (uint32_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].needed) needed.push_back(i + 1);
  }
  return needed;
}

uint64_t FakeObjects::Version(uint32_t kind) const {
  return kind == 0 || kind > kinds_.size() ? 1 : kinds_[kind - 1].version;
}

bool FakeObjects::Assume(uint32_t kind, const std::string& ns, const std::string& name, std::string_view patch) {
  const Data had = Find(kind, ns, name);
  if (had == nullptr) return false;
  FakeObject object = FakeObject::Of(had->document);
  try {
    const FakeValue document = ParseJson(patch);
    if (!document.view().is_object()) return false;
    object.Merge(patch);
  } catch (const std::invalid_argument&) {
    return false;
  }
  const Data now = object.Build();
  if (KeyOf(*now) != std::pair(ns, name)) return false;
  kinds_[kind - 1].objects[{ns, name}].shown = now;
  Changed(kinds_[kind - 1], {had, now});
  return true;
}

void FakeObjects::Revert(uint32_t kind, const std::string& ns, const std::string& name) {
  const Data had = Find(kind, ns, name);
  if (had == nullptr) return;
  Entry& entry = kinds_[kind - 1].objects[{ns, name}];
  if (entry.shown == entry.server) return;
  entry.shown = entry.server;
  Changed(kinds_[kind - 1], {had, entry.server});
}

bool FakeObjects::Assumed(const std::string& kind, const std::string& name, const std::string& ns) {
  const auto& objects = kinds_[KindOf(kind) - 1].objects;
  const auto at = objects.find({ns, name});
  return at != objects.end() && at->second.shown != at->second.server;
}

FakeObjects::Key FakeObjects::KeyOf(const ObjectData& data) {
  return {std::string(View(data.object.ns)), std::string(View(data.object.name))};
}

FakeObjects::Change FakeObjects::Changed(Kind& kind, Change change) {
  ++kind.version;
  kept_.push_back(change);
  return change;
}

}  // namespace berth::sdk::testing
