// The intern table of the fakes: one per process, so that builders and hosts use the same ids. Thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "berth/testing/shown_memory.hpp"
#include "berth/text.hpp"

namespace berth::sdk::testing {

class Strings {
 public:
  static Strings& Global();

  Id Intern(std::string_view text);
  // The text of an id; "" for unknown ids.
  std::string_view Text(Id id) const;

 private:
  Strings();
  Id Add(std::string_view text);

  mutable std::mutex mutex_;
  std::deque<ShownBytes> memory_;
  std::deque<std::string_view> texts_;
  std::unordered_map<std::string_view, Id> ids_;
};

Id IdOf(std::string_view text);
std::string TextOf(Id id);
// Copies n texts that a plugin passes.
std::vector<std::string> TextsOf(const berth_str* texts, uint32_t n);

}  // namespace berth::sdk::testing
