// The objects of one kind whose status a controller writes. After a write it holds the server's answer until the
// watch reports that version, so that no decision uses a status that this process has replaced. Thread: one
// owner.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cluster/reflector/object_feed.h"
#include "cluster/reflector/progress.h"

namespace berth::reconcile {

template <class Object>
class ObjectTable {
 public:
  using Map = std::map<std::string, Object>;  // by key

  // What the watch delivers. False: an answer to a write was newer.
  bool Set(Object object) {
    const std::string key = object.meta.key();
    const auto found = objects_.find(key);
    if (found != objects_.end() && ahead_.contains(key) && IsOlder(object, found->second)) return false;
    ahead_.erase(key);
    objects_.insert_or_assign(key, std::move(object));
    return true;
  }
  // The answer to a write. It does not bring back an object that the watch has reported as deleted.
  void SetAnswer(Object object) {
    const std::string key = object.meta.key();
    const auto found = objects_.find(key);
    if (found == objects_.end() || found->second.meta.uid != object.meta.uid || IsOlder(object, found->second)) return;
    found->second = std::move(object);
    ahead_.insert(key);
  }
  void Remove(const std::string& key) {
    objects_.erase(key);
    ahead_.erase(key);
  }
  void Keep(const base::TextSet& present) {
    std::erase_if(objects_, [&](const auto& one) { return !present.contains(one.first); });
    std::erase_if(ahead_, [&](const std::string& key) { return !present.contains(key); });
  }
  const Object* Find(const std::string& key) const {
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : &found->second;
  }
  const Map& all() const { return objects_; }

 private:
  static bool IsOlder(const Object& a, const Object& b) {
    const auto version_a = reflector::VersionNumber(a.meta.resource_version);
    const auto version_b = reflector::VersionNumber(b.meta.resource_version);
    return version_a && version_b && *version_a < *version_b;
  }

  Map objects_;
  base::TextSet ahead_;  // whose object is the answer to a write
};

}  // namespace berth::reconcile
