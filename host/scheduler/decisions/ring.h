// The last decisions. Adding one copies numbers and a few short texts into memory that is used again and again. The
// oldest lose their tables of nodes when everything recorded exceeds the limit of memory, and disappear, some at a
// time, when the ring is full.
// Thread: the scheduling thread. Decisions that Find and ForEachOf return are copies for any thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/decisions/decision.h"
#include "scheduler/decisions/memory_meter.h"

namespace berth::decisions {

struct Limits {
  size_t decisions = 10'000;
  size_t bytes = 64u << 20;
};

// The texts of a Decision while it is added. rejected_by: joined with "\n". victims: VictimLines.
struct DecisionTexts {
  std::string_view pod, uid, profile, node, message, nominated_node, rejected_by, woken_by, woken_for, gate, victims;
};

// What a Decision shares with others; each may be null.
struct DecisionParts {
  std::shared_ptr<const NodeTable> nodes;
  std::shared_ptr<const PluginVersions> plugins;
};

// The IDs between two, without these.
struct IdRange {
  uint64_t after = 0, before = UINT64_MAX;
};

class Ring {
 public:
  // A longer message is cut and ends in " ...".
  static constexpr size_t kMaxMessage = 2048;

  // At most limits.decisions are kept, and at least 15/16 of them.
  Ring(Limits limits, std::shared_ptr<MemoryMeter> meter);

  // Returns the ID of the decision, one more than that of the last one.
  uint64_t Add(const DecisionNumbers& numbers, const DecisionTexts& texts, DecisionParts parts);
  std::shared_ptr<const Decision> Find(uint64_t id) const;  // null: not recorded, or not any more
  std::shared_ptr<const Decision> Newest() const { return Find(last_id_); }
  // Calls fn(shared_ptr<const Decision>) from the newest to the oldest while it returns true, and examines at most
  // `most` decisions, selected or not. Returns IdRange::before for the rest of the walk; 0: nothing is left.
  template <class Fn>
  uint64_t ForEachOf(const IdRange& ids, const Filter& filter, Fn&& fn, size_t most = SIZE_MAX) const {
    const uint64_t least = ids.after < last_id_ ? std::max(first_id_, ids.after + 1) : last_id_ + 1;
    uint64_t id = std::min(ids.before, last_id_ + 1);
    for (bool more = true; more && most > 0 && id > least; --most) {
      --id;
      more = !Selects(filter, id) || fn(Find(id));
    }
    return id > least ? id : 0;
  }
  // The newest decision about the pod with this UID; null: none is recorded.
  std::shared_ptr<const Decision> LastOf(std::string_view uid) const;

  // Whether tables may be added: false while others hold more than the limit of memory.
  bool fits() const { return fits_; }
  uint64_t last_id() const { return last_id_; }  // 0: none
  size_t size() const { return static_cast<size_t>(last_id_ + 1 - first_id_); }
  size_t n_tables() const { return n_tables_; }
  size_t bytes() const { return meter_->bytes(); }
  const Limits& limits() const { return limits_; }

 private:
  static constexpr size_t kTexts = 11, kPod = 0, kUid = 1, kProfile = 2;  // in the order of DecisionTexts
  struct Entry {
    DecisionNumbers numbers;
    std::array<uint32_t, kTexts> ends;  // of the texts in Block::text
    DecisionParts parts;
  };
  struct Block {
    std::vector<Entry> entries;
    std::string text;
    size_t metered = 0;  // bytes
  };

  Block& BlockForNext();
  void DropOldestBlock();
  void Measure(Block& block);
  void Shrink();
  const Block& BlockOf(uint64_t id) const { return *blocks_[(id - first_id_) / block_size_]; }
  bool Selects(const Filter& filter, uint64_t id) const;  // without a copy
  const Entry& At(uint64_t id) const { return BlockOf(id).entries[(id - first_id_) % block_size_]; }
  std::string_view TextOf(uint64_t id, size_t text) const;

  const Limits limits_;
  const size_t block_size_;
  const std::shared_ptr<MemoryMeter> meter_;
  std::deque<std::unique_ptr<Block>> blocks_;  // all full except for the last
  std::unique_ptr<Block> spare_;
  uint64_t first_id_ = 1, last_id_ = 0;
  uint64_t first_table_ = 1;  // no smaller ID has a table
  size_t n_tables_ = 0;
  size_t block_bytes_ = 0;
  bool fits_ = true;
};

}  // namespace berth::decisions
