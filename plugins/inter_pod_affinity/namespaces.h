// Namespaces, their labels, and the namespaces that a selector selects. [serial] unless stated otherwise.
#pragma once

#include <berth/host.hpp>
#include <berth/objects.hpp>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "terms.h"

namespace plugins::inter_pod {

using berth::sdk::Host;

class Namespaces {
 public:
  explicit Namespaces(Host& host) : host_(host), objects_(host) {}
  Namespaces(const Namespaces&) = delete;

  void Activate() { kind_ = objects_.Need("", "v1", "namespaces"); }  // [background]

  // [parallel] Null: there is no such namespace. Valid during the current call.
  const berth_labels* LabelsOf(Id ns) const {
    const berth::sdk::Object found = objects_.Get(kind_, "", host_.Text(ns));
    return found ? found.raw()->labels : nullptr;
  }

  // The namespaces that the selector selects. Cached until a namespace changes. Valid until the next call.
  template <class Match>
  std::span<const Id> Selected(const berth_selector& selector, Match&& match) {
    if (const uint64_t now = objects_.Version(kind_); now != version_) {
      Forget();
      version_ = now;
    }
    if (selected_.size() == kMaxSelectors) Forget();
    const auto [found, is_new] = selected_.try_emplace(selector.content);
    if (is_new) {
      for (const berth::sdk::Object& one : objects_.All(kind_)) {
        if (match(selector, *one.raw()->labels)) found->second.push_back(host_.Intern(one.name()));
      }
    }
    return found->second;
  }

 private:
  static constexpr size_t kMaxSelectors = 1024;
  void Forget() {
    for (const auto& [content, ids] : selected_) {
      for (const Id id : ids) host_.Drop(id);
    }
    selected_.clear();
  }

  Host& host_;
  const berth::sdk::Objects objects_;
  berth::sdk::ObjectKind kind_ = 0;
  uint64_t version_ = 0;
  std::unordered_map<uint32_t, std::vector<Id>> selected_;  // by the selector's content; owns the ids
};

}  // namespace plugins::inter_pod
