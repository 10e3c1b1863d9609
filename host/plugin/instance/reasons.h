// Lists of reason texts by number, one number per distinct list of all plugins. A verdict carries four bytes, and the
// host counts "12 Insufficient cpu" without a string. Number 0 is the empty list.
// Thread: Intern on any thread; Texts is wait-free for numbers that Intern returned; Sweep on the scheduling thread
// only, while no plugin runs.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text_hash.h"
#include "base/thread_annotations.h"
#include "berth/abi.h"

namespace berth::plugin {

class ReasonTable {
 public:
  ReasonTable();
  ~ReasonTable();
  ReasonTable(const ReasonTable&) = delete;

  // 0 for an empty list.
  uint32_t Intern(const std::vector<std::string>& texts);
  uint32_t Intern(const berth_str* texts, uint32_t n);  // does not allocate for a known list
  // Empty for 0 and for numbers that Intern never returned.
  const std::vector<std::string>& Texts(uint32_t list) const;
  // Whether Intern returned the number, and Sweep did not remove it.
  bool Valid(uint32_t list) const;
  size_t size() const;

  // Removes every list for which keep[number] is 0; keep has capacity() entries.
  uint32_t capacity() const { return next_.load(std::memory_order_acquire); }
  void Sweep(const std::vector<uint8_t>& keep);

 private:
  struct Entry {
    std::vector<std::string> texts;
    std::string key;  // empty: free
  };
  static constexpr uint32_t kChunk = 1024, kMaxChunks = 1u << 16;
  using Chunk = std::array<Entry, kChunk>;
  template <class Make>
  uint32_t InternKey(const std::string& key, Make&& make_texts);
  const Entry* At(uint32_t list) const;
  Entry& Slot(uint32_t list) { return (*chunks_[list / kChunk].load(std::memory_order_acquire))[list % kChunk]; }

  mutable base::Mutex mutex_;
  std::unordered_map<std::string_view, uint32_t, base::TextHash> lists_ GUARDED_BY(mutex_);
  std::vector<uint32_t> free_ GUARDED_BY(mutex_);
  // Written under mutex_. Readers of a number that Intern returned do not take it.
  std::unique_ptr<std::atomic<Chunk*>[]> chunks_;
  std::atomic<uint32_t> next_{1};
};

}  // namespace berth::plugin
