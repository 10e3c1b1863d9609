// Sets of system calls. Names get small numbers, so that a set is a few words. The number of a name that no profile has
// any more is reused. Thread: one at a time; any for the const functions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace plugins::sy_sched {

class SyscallSet {
 public:
  void Add(uint32_t number) {
    if (number / 64 >= words_.size()) words_.resize(number / 64 + 1);
    words_[number / 64] |= uint64_t{1} << number % 64;
  }
  void Add(const SyscallSet& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    for (size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }

  int64_t Count() const {
    int64_t count = 0;
    for (const uint64_t word : words_) count += std::popcount(word);
    return count;
  }
  // Of the union with another set.
  int64_t CountWith(const SyscallSet& other) const {
    int64_t count = 0;
    for (size_t i = 0; i < std::max(words_.size(), other.words_.size()); ++i) {
      count += std::popcount(Word(i) | other.Word(i));
    }
    return count;
  }
  bool empty() const { return Count() == 0; }
  bool operator==(const SyscallSet& other) const { return Count() == other.Count() && CountWith(other) == Count(); }

 private:
  uint64_t Word(size_t i) const { return i < words_.size() ? words_[i] : 0; }

  std::vector<uint64_t> words_;
};

class SyscallNumbers {
 public:
  // The number of the name, until the same number of calls of Drop.
  uint32_t Take(std::string_view name) {
    const auto at = numbers_.try_emplace(std::string(name)).first;
    if (at->second.uses++ == 0) at->second.number = Free();
    return at->second.number;
  }
  void Drop(std::string_view name) {
    const auto at = numbers_.find(std::string(name));
    if (--at->second.uses > 0) return;
    free_.push_back(at->second.number);
    numbers_.erase(at);
  }
  size_t size() const { return numbers_.size(); }

 private:
  struct Entry {
    uint32_t number = 0, uses = 0;
  };
  uint32_t Free() {
    if (free_.empty()) return next_++;
    const uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }

  std::unordered_map<std::string, Entry> numbers_;
  std::vector<uint32_t> free_;
  uint32_t next_ = 0;
};

}  // namespace plugins::sy_sched
