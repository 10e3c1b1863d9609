// The selectors in objects (a volume's node affinity, a capacity's node topology), compiled once for each version of
// the object. Thread: [serial]; results may be used in [parallel] calls of the same cycle. Ownership: the host owns the
// selectors, which are released when the object changes.
#pragma once

#include <berth/matching.hpp>
#include <berth/objects.hpp>

#include <string>
#include <unordered_map>

namespace plugins::volume_binding {

// The nodes that have access to a volume.
struct Affinity {
  bool everywhere = true;                         // there are no requirements
  const berth_node_affinity* required = nullptr;  // nullptr and not `everywhere`: invalid, matches nothing
};

class SelectorsKept {
 public:
  SelectorsKept(const berth::sdk::Host& host, const berth::sdk::Objects& objects)
      : objects_(objects), matching_(host) {}

  Affinity OfVolume(const berth::sdk::Object& volume) {
    const berth::sdk::Value required = volume.At("spec", "nodeAffinity", "required");
    if (required.is_null()) return {};
    Kept& kept = Of("v/", volume);
    if (kept.affinity == nullptr) kept.affinity = objects_.KeepNodeSelector(required);
    return {false, kept.affinity};
  }
  // nullptr: no node has access.
  const berth_selector* OfCapacity(const berth::sdk::Object& capacity) {
    const berth::sdk::Value topology = capacity.At("nodeTopology");
    if (topology.is_null()) return nullptr;
    Kept& kept = Of("c/" + std::string(capacity.ns()) + "/", capacity);
    if (kept.selector == nullptr) kept.selector = matching_.Keep(topology);
    return kept.selector;
  }
  void ForgetVolume(const berth::sdk::Object& volume) { Forget("v/" + std::string(volume.name())); }
  void ForgetCapacity(const berth::sdk::Object& capacity) {
    Forget("c/" + std::string(capacity.ns()) + "/" + std::string(capacity.name()));
  }
  const berth::sdk::Matching& matching() const { return matching_; }

 private:
  struct Kept {
    std::string version;
    const berth_node_affinity* affinity = nullptr;
    const berth_selector* selector = nullptr;
  };

  Kept& Of(const std::string& prefix, const berth::sdk::Object& object) {
    Kept& kept = kept_[prefix + std::string(object.name())];
    if (kept.version != object.resource_version()) {
      Drop(kept);
      kept.version = object.resource_version();
    }
    return kept;
  }
  void Forget(const std::string& key) {
    const auto found = kept_.find(key);
    if (found == kept_.end()) return;
    Drop(found->second);
    kept_.erase(found);
  }
  void Drop(Kept& kept) const {
    if (kept.affinity != nullptr) objects_.DropNodeSelector(kept.affinity);
    if (kept.selector != nullptr) matching_.Drop(kept.selector);
    kept = {};
  }

  const berth::sdk::Objects& objects_;
  const berth::sdk::Matching matching_;
  std::unordered_map<std::string, Kept> kept_;
};

}  // namespace plugins::volume_binding
