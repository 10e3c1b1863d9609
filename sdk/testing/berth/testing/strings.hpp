// The intern table of the fakes: one per process, so that builders and hosts agree on ids. Thread-safe.
#pragma once

#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "berth/testing/shown_memory.hpp"
#include "berth/text.hpp"

namespace berth::sdk::testing {

class Strings {
 public:
  static Strings& Global() {
    static Strings* const strings = new Strings;  // never freed: plugins may outlive main's statics
    return *strings;
  }

  Id Intern(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
    return Add(text);
  }
  // "" for ids that were never given out.
  std::string_view Text(Id id) const {
    const std::lock_guard lock(mutex_);
    return id < texts_.size() ? texts_[id] : std::string_view();
  }

 private:
  Strings() {
    texts_.emplace_back();  // BERTH_ID_ABSENT
    Add("");                // kEmptyId
  }
  Id Add(std::string_view text) {
    const ShownBytes& bytes = memory_.emplace_back(text.size() + 1);
    std::memset(bytes.write(), 0, text.size() + 1);
    if (!text.empty()) std::memcpy(bytes.write(), text.data(), text.size());
    const Id id = static_cast<Id>(texts_.size());
    ids_.emplace(texts_.emplace_back(bytes.show(), text.size()), id);
    return id;
  }

  mutable std::mutex mutex_;
  std::deque<ShownBytes> memory_;
  std::deque<std::string_view> texts_;
  std::unordered_map<std::string_view, Id> ids_;
};

inline Id IdOf(std::string_view text) { return Strings::Global().Intern(text); }
inline std::string TextOf(Id id) { return std::string(Strings::Global().Text(id)); }

}  // namespace berth::sdk::testing
