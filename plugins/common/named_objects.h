// What a plugin knows of objects that others name without a namespace: of equal names, the object in the first of the
// configured namespaces counts. Objects in other namespaces and deleted objects are not kept.
// Thread: one at a time. Ownership: owns the ids of the names; the host outlives it.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "owned_id.h"

namespace plugins {

template <class T>
class NamedObjects {
 public:
  NamedObjects(berth::sdk::Host& host, const std::vector<std::string>& namespaces)
      : host_(host), namespaces_(namespaces) {}

  bool Covers(std::string_view ns) const { return PlaceOf(ns) < namespaces_.size(); }

  void Set(std::string_view ns, std::string_view name, T facts) {
    const size_t place = PlaceOf(ns);
    if (place == namespaces_.size()) return;
    OwnedId id(host_, name);
    Entry& entry = entries_.try_emplace(id.get()).first->second;
    if (entry.by_namespace.empty()) entry = {std::move(id), namespaces_.size()};
    entry.by_namespace[place] = std::move(facts);
  }
  void Forget(std::string_view ns, std::string_view name) {
    const OwnedId id(host_, name);
    const size_t place = PlaceOf(ns);
    const auto at = entries_.find(id.get());
    if (place == namespaces_.size() || at == entries_.end()) return;
    at->second.by_namespace[place].reset();
    if (First(at->second) == nullptr) entries_.erase(at);
  }

  // Null: there is none. Valid until the next Set or Forget.
  const T* Find(berth::sdk::Id name) const {
    const auto at = entries_.find(name);
    return at == entries_.end() ? nullptr : First(at->second);
  }

 private:
  struct Entry {
    Entry() = default;
    Entry(OwnedId id, size_t namespaces) : name(std::move(id)), by_namespace(namespaces) {}
    std::optional<OwnedId> name;  // the key
    std::vector<std::optional<T>> by_namespace;
  };

  size_t PlaceOf(std::string_view ns) const {
    return static_cast<size_t>(std::find(namespaces_.begin(), namespaces_.end(), ns) - namespaces_.begin());
  }
  static const T* First(const Entry& entry) {
    for (const std::optional<T>& facts : entry.by_namespace) {
      if (facts) return &*facts;
    }
    return nullptr;
  }

  berth::sdk::Host& host_;
  const std::vector<std::string> namespaces_;
  std::unordered_map<berth::sdk::Id, Entry> entries_;
};

}  // namespace plugins
