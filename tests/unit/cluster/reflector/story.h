// A feed that records the calls of a reflector, and the lines of a watch.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "cluster/reflector/object_feed.h"
#include "codec/json/value.h"

namespace berth::reflector {

// Records the calls. Reads {"metadata":{"name":..,"resourceVersion":..}}, and fails on objects with "bad".
class Story final : public ObjectFeed {
 public:
  base::Result<Seen> Set(std::string_view json) override { return Tell("set ", json); }
  void Gone(const std::string& key) override { Add("gone " + key); }
  void Listed(std::shared_ptr<const base::TextSet> present) override {
    std::string line = "listed";
    if (present) {
      std::vector<std::string> keys(present->begin(), present->end());
      std::sort(keys.begin(), keys.end());
      for (const std::string& key : keys) line += " " + key;
    } else {
      line += " first";
    }
    Add(line);
  }
  std::vector<std::string> lines() const {
    std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  base::Result<Seen> Tell(const char* what, std::string_view json) {
    const auto object = json::Parse(json);
    if (!object || object->Find("bad") != nullptr) return base::Fail("cannot be read");
    const std::string name = object->FindPath("metadata.name")->string();
    Add(what + name);
    return Seen{name, object->FindPath("metadata.resourceVersion")->string()};
  }
  void Add(std::string line) {
    std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
  }
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

inline std::string Line(const char* type, const std::string& name, const std::string& version) {
  return std::string(R"({"type":")") + type + R"(","object":{"metadata":{"name":")" + name +
         R"(","resourceVersion":")" + version + "\"}}}\n";
}
inline std::string Line(const char* type, const std::string& name, int version) {
  return Line(type, name, std::to_string(version));
}
inline std::string Bookmark(const std::string& version, bool initial_end) {
  return R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":")" + version + "\"" +
         (initial_end ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "") + "}}}\n";
}
inline std::string Bookmark(int version, bool initial_end) { return Bookmark(std::to_string(version), initial_end); }

}  // namespace berth::reflector
