// Interned strings: one small number per distinct text. The table counts references, so that it can remove texts,
// because a cluster creates new strings all the time. Id 0 is "absent", id 1 is "". Equal ids <=> equal texts while the
// id has an owner.
//
// Threads: Text is wait-free from any thread; the rest takes a lock. An id whose count fell to zero keeps its text
// until the scheduling thread has called EndEpoch() twice, so a call that borrowed it may still read it. Ownership:
// Intern and Keep own one reference, Drop gives one back.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash_index.h"
#include "base/thread_annotations.h"

namespace berth::base {

using Id = uint32_t;
inline constexpr Id kNoId = 0;
inline constexpr Id kEmptyId = 1;

class InternTable {
 public:
  InternTable();
  ~InternTable();
  InternTable(const InternTable&) = delete;
  InternTable& operator=(const InternTable&) = delete;

  Id Intern(std::string_view text);
  // The id of a text that has an owner, without a new reference; kNoId when it has no owner.
  Id Find(std::string_view text) const;
  void Keep(Id id);
  void Drop(Id id);
  // "" for 0 and for unknown ids.
  std::string_view Text(Id id) const;

  // Scheduling thread, between cycles: frees the texts whose last reference was dropped at least one full epoch ago.
  void EndEpoch();
  size_t size() const;  // number of texts, including the two fixed ones

 private:
  struct Entry {
    std::string text;
    uint32_t refs = 0;
    bool dying = false;   // in dying_ or expired_: refs reached zero
    uint8_t dropped = 0;  // the epoch in which refs reached zero last, modulo 256
  };
  static constexpr uint32_t kChunkBits = 12;
  static constexpr uint32_t kChunkSize = 1u << kChunkBits;
  static constexpr uint32_t kMaxChunks = 1u << 14;  // 67 million live strings
  static_assert(uint64_t{kMaxChunks} * kChunkSize <= HashIndex::kNone);
  using Chunk = std::array<Entry, kChunkSize>;

  Entry& At(Id id) const { return (*chunks_[id >> kChunkBits].load(std::memory_order_acquire))[id & (kChunkSize - 1)]; }
  // HashIndex::kNone: none has this text.
  uint32_t Search(uint32_t hash, std::string_view text) const REQUIRES(mutex_) {
    return index_.Find(hash, [&](Id id) { return At(id).text == text; });
  }
  Id TakeId() REQUIRES(mutex_);

  mutable Mutex mutex_;                 // guards entries, too, but not the texts of owned ones
  HashIndex index_ GUARDED_BY(mutex_);  // ids by the hash of their text
  std::unique_ptr<std::atomic<Chunk*>[]> chunks_;
  std::atomic<uint32_t> next_{0};
  std::vector<Id> free_ GUARDED_BY(mutex_), dying_ GUARDED_BY(mutex_), expired_ GUARDED_BY(mutex_);
  uint8_t epoch_ GUARDED_BY(mutex_) = 0;  // modulo 256
};

// One owned reference to an id.
class OwnedId {
 public:
  OwnedId() = default;
  OwnedId(InternTable& table, std::string_view text) : table_(&table), id_(table.Intern(text)) {}
  // id: one that has an owner.
  OwnedId(InternTable& table, Id id) : table_(&table), id_(id) { table.Keep(id); }
  OwnedId(OwnedId&& other) noexcept : table_(other.table_), id_(std::exchange(other.id_, kNoId)) {}
  OwnedId& operator=(OwnedId&& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~OwnedId() {
    if (id_ != kNoId) table_->Drop(id_);
  }
  Id get() const { return id_; }

 private:
  InternTable* table_ = nullptr;
  Id id_ = kNoId;
};

}  // namespace berth::base
