// The default selector of a pod: the combined selectors of its Services and of its ReplicationController, ReplicaSet,
// or StatefulSet. Used by PodTopologySpread's default constraints and by SelectorSpread. Source:
// pkg/scheduler/framework/plugins/helper/spread.go DefaultSelector.
#pragma once

#include <berth/matching.hpp>
#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kept_selector.h"

namespace plugins {

struct DefaultSelector {
  std::vector<berth_kv> pairs;               // of Services and a ReplicationController; a pod must have all of them
  const berth_selector* selector = nullptr;  // of a ReplicaSet or StatefulSet, and not empty; null: any labels

  bool empty() const { return pairs.empty() && selector == nullptr; }
};

// Computes a default selector once per pod template, and again after a change of the objects that it depends on. The
// cache is cleared with the instance or when it is too large. Thread: Activate in Activate, Of in [serial] calls.
class DefaultSelectors {
 public:
  explicit DefaultSelectors(berth::sdk::Host& host)
      : host_(host),
        objects_(host),
        matching_(host),
        core_(host.Intern("v1")),
        core_with_slash_(host.Intern("/v1")),
        apps_(host.Intern("apps/v1")),
        replication_controller_(host.Intern("ReplicationController")),
        replica_set_(host.Intern("ReplicaSet")),
        stateful_set_(host.Intern("StatefulSet")) {}

  void Activate() {
    services_ = objects_.Need("", "v1", "services");
    replication_controllers_ = objects_.Need("", "v1", "replicationcontrollers");
    replica_sets_ = objects_.Need("apps", "v1", "replicasets");
    stateful_sets_ = objects_.Need("apps", "v1", "statefulsets");
  }

  // Valid until the next call for another pod.
  const DefaultSelector& Of(const berth_pod& pod) {
    const Key key{pod.ns, pod.labels->content, pod.controller->content};
    auto known = selectors_.find(key);
    if (known == selectors_.end()) {
      if (selectors_.size() >= kMostKept) Forget();
      known = selectors_.try_emplace(key).first;
      host_.Keep(pod.ns);  // keeps the namespace's id in the key valid
    }
    Entry& entry = known->second;
    const berth::sdk::ObjectKind owner = OwnerKind(*pod.controller);
    const uint64_t services = objects_.Version(services_), owners = owner == 0 ? 0 : objects_.Version(owner);
    if (entry.services != services || entry.owners != owners) {
      Make(entry, pod, owner);
      entry.services = services, entry.owners = owners;
    }
    return entry.made;
  }

 private:
  static constexpr size_t kMostKept = 4096;

  struct Key {
    berth::sdk::Id ns;
    uint32_t labels, controller;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    size_t operator()(const Key& key) const {
      const uint64_t mixed = (uint64_t{key.labels} << 32 | key.controller) * 0x9E3779B97F4A7C15u + key.ns;
      return static_cast<size_t>(mixed ^ mixed >> 29);
    }
  };
  struct Entry {
    DefaultSelector made;
    KeptSelector kept;                  // of the owner
    uint64_t services = 0, owners = 0;  // the versions of the store that it was computed from; 0: not computed
  };
  struct Namespace {
    uint64_t version = 0;
    std::vector<KeptSelector> services;  // what they select
  };

  berth::sdk::ObjectKind OwnerKind(const berth_controller& owner) const {
    if (owner.api_version == apps_) {
      if (owner.kind == replica_set_) return replica_sets_;
      return owner.kind == stateful_set_ ? stateful_sets_ : 0;
    }
    const bool core = owner.api_version == core_ || owner.api_version == core_with_slash_;
    return core && owner.kind == replication_controller_ ? replication_controllers_ : 0;
  }

  void Make(Entry& entry, const berth_pod& pod, berth::sdk::ObjectKind owner) {
    entry.made.pairs.clear();
    for (const KeptSelector& service : ServicesOf(pod.ns)) {
      if (service.Matches(pod.labels)) Merge(service.get()->labels, entry.made.pairs);
    }
    entry.made.selector = nullptr;
    if (owner == 0) return;
    const auto object = objects_.Get(owner, host_.Text(pod.ns), host_.Text(pod.controller->name));
    const berth::sdk::Value selector = object.At("spec", "selector");
    if (!selector.is_null()) ReadOwner(entry, selector, owner == replication_controllers_);
  }

  void ReadOwner(Entry& entry, const berth::sdk::Value& selector, bool is_map) {
    entry.kept = {matching_, is_map ? matching_.KeepMap(selector) : matching_.Keep(selector)};
    const berth_selector* kept = entry.kept.get();
    if (kept == nullptr) return;
    if (is_map) return Merge(kept->labels, entry.made.pairs);
    if (kept->labels.n + kept->expressions.n != 0 && matching_.Error(kept).empty()) entry.made.selector = kept;
  }

  // The last value of a key is used.
  static void Merge(berth::sdk::List<berth_kv> from, std::vector<berth_kv>& into) {
    for (const berth_kv& pair : from) {
      const auto same =
          std::find_if(into.begin(), into.end(), [&](const berth_kv& one) { return one.key == pair.key; });
      if (same != into.end()) {
        same->value = pair.value;
      } else {
        into.push_back(pair);
      }
    }
  }

  // The selectors of a namespace's Services. A Service without a selector selects nothing.
  const std::vector<KeptSelector>& ServicesOf(berth::sdk::Id ns) {
    const auto [at, is_new] = namespaces_.try_emplace(ns);
    if (is_new) host_.Keep(ns);
    Namespace& known = at->second;
    const uint64_t version = objects_.Version(services_);
    if (known.version == version) return known.services;
    known.services.clear();
    for (const berth::sdk::Object service : objects_.All(services_, host_.Text(ns))) {
      const berth::sdk::Value selector = service.At("spec", "selector");
      if (!selector.is_null()) known.services.emplace_back(matching_, matching_.KeepMap(selector));
    }
    known.version = version;
    return known.services;
  }

  void Forget() {
    for (const auto& [key, entry] : selectors_) host_.Drop(key.ns);
    for (const auto& [ns, known] : namespaces_) host_.Drop(ns);
    selectors_.clear();
    namespaces_.clear();
  }

  berth::sdk::Host& host_;
  berth::sdk::Objects objects_;
  berth::sdk::Matching matching_;
  const berth::sdk::Id core_, core_with_slash_, apps_, replication_controller_, replica_set_, stateful_set_;
  berth::sdk::ObjectKind services_ = 0, replication_controllers_ = 0, replica_sets_ = 0, stateful_sets_ = 0;
  std::unordered_map<Key, Entry, HashOfKey> selectors_;
  std::unordered_map<berth::sdk::Id, Namespace> namespaces_;
};

}  // namespace plugins
