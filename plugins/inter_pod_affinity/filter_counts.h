// The number of pods in each topology domain that forbid or attract the cycle's pod, and the verdicts that follow.
// PreFilter fills it, and Filter then reads it on many threads. Trials store their Changes separately. Source:
// pkg/scheduler/framework/plugins/interpodaffinity/filtering.go. Pure logic.
#pragma once

#include <berth/views.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "../common/row_chunks.h"
#include "loops.h"
#include "topology.h"

namespace plugins::inter_pod {

// Why a node is rejected. Of several reasons, the greatest is used: the one that upstream checks first.
enum Code : uint8_t { kFits, kExistingAntiAffinity, kAntiAffinity, kAffinity, kCodes };

// Which pods a count is of.
enum Group : uint32_t {
  kExisting,  // existing pods' required anti-affinity terms that match the pod
  kAnti,      // existing pods that match a required anti-affinity term of the pod, counted per term
  kMatching,  // existing pods that match all required affinity terms of the pod
  kGroups
};

// The differences that a trial makes to the counts.
class Changes {
 public:
  void Add(Group group, Id key, Id value, int64_t by) {
    total_[group] += by;
    for (One& one : list_) {
      if (one.group == group && one.key == key && one.value == value) return void(one.by += by);
    }
    list_.push_back({group, key, value, by});
  }
  bool empty() const { return list_.empty(); }
  int64_t Total(Group group) const { return total_[group]; }
  int64_t Of(Group group, Id key, Id value) const {
    for (const One& one : list_) {
      if (one.group == group && one.key == key && one.value == value) return one.by;
    }
    return 0;
  }
  template <class Fn>
  void Each(Group group, Fn&& fn) const {
    for (const One& one : list_) {
      if (one.group == group) fn(one.key, one.value, one.by);
    }
  }

 private:
  struct One {
    Group group;
    Id key, value;
    int64_t by;
  };
  std::vector<One> list_;  // few: one node's domains
  std::array<int64_t, kGroups> total_{};
};

class FilterCounts {
 public:
  // The counts of one topology key. Cell 0 is for rows without the key, cell d + 1 for domain d.
  struct Key {
    Id key = berth::sdk::kNoId;
    Topology topology;
    std::array<std::vector<int32_t>, kGroups> cells;  // empty: the group does not use this key
    std::vector<uint8_t> codes;
    int64_t At(Group group, uint32_t row) const { return cells[group].empty() ? 0 : cells[group][topology.Cell(row)]; }
  };

  // Clears the counts and keeps the memory.
  void Clear() {
    used_ = 0;
    matching_ = 0;
    any_existing_ = matches_itself_ = false;
    plain_.clear();
    floor_ = kFits;
    seen_ = 0;
  }

  // The counts of a key, zero if it is new. Calls topology() once per key.
  template <class Fn>
  Key& At(Id key, Group group, Fn&& topology) {
    Key* found = Find(key);
    if (found == nullptr) {
      if (used_ == keys_.size()) keys_.emplace_back();
      found = &keys_[used_++];
      found->key = key;
      found->topology = topology(key);
      for (auto& cells : found->cells) cells.clear();
    }
    if (found->cells[group].empty()) found->cells[group].assign(size_t{found->topology.n} + 1, 0);
    return *found;
  }

  void set_matches_itself(bool value) { matches_itself_ = value; }
  void FoundExisting() { any_existing_ = true; }
  bool any_existing() const { return any_existing_; }

  // Computes the verdicts from the counts. PreFilter calls it last.
  void Finish() {
    for (size_t k = 0; k < used_; ++k) {
      auto& matching = keys_[k].cells[kMatching];
      for (size_t cell = 1; cell < matching.size(); ++cell) matching_ += matching[cell];
    }
    for (size_t k = 0; k < used_; ++k) Judge(keys_[k]);
  }

  // One bit for each Code that some row may have.
  uint32_t seen() const { return seen_; }

  // If one key with few domains decides alone, and all nodes that it rejects get the same code: the domains that it
  // closes.
  struct Closed {
    const uint32_t* of_row;
    uint32_t cells;  // bit c: cell c
    Code code;
  };
  std::optional<Closed> OnlyClosed() const {
    const uint32_t refusals = seen_ & ~(1u << kFits);
    if (plain_.size() != 1 || floor_ != kFits || std::popcount(refusals) != 1 || plain_[0].cells > 32) return {};
    uint32_t cells = 0;
    for (uint32_t cell = 0; cell < plain_[0].cells; ++cell) {
      cells |= uint32_t{plain_[0].codes[cell] != kFits} << cell;
    }
    return Closed{plain_[0].of_row, cells, static_cast<Code>(std::countr_zero(refusals))};
  }

  // Sets the codes of the rows. `out` has rows.size() cells.
  void Codes(const RowChunk& rows, uint8_t* out) const {
    std::fill_n(out, rows.size(), floor_);
    std::array<uint32_t, kChunk> room;
    for (const Plain& plain : plain_) {
      RaiseRows(rows.Cells(plain.of_row, room.data()), rows.size(), plain.codes, out);
    }
  }

  // The code of one row with a trial's changes.
  Code WithChanges(const Changes& changes, uint32_t row, const berth::sdk::Labels& labels) const {
    const bool first = matches_itself_ && matching_ + changes.Total(kMatching) == 0;
    Code worst = kFits;
    for (size_t k = 0; k < used_; ++k) {
      const Key& key = keys_[k];
      const Id value = labels.Get(key.key);
      const bool has = value != berth::sdk::kNoId;
      const auto now = [&](Group group) { return has ? key.At(group, row) + changes.Of(group, key.key, value) : 0; };
      if (!key.cells[kMatching].empty() && (!has || (now(kMatching) <= 0 && !first))) return kAffinity;
      if (now(kAnti) > 0) worst = kAntiAffinity;
      if (now(kExisting) > 0) worst = std::max(worst, kExistingAntiAffinity);
    }
    changes.Each(kExisting, [&](Id key, Id value, int64_t by) {
      if (by > 0 && Find(key) == nullptr && labels.Get(key) == value) worst = std::max(worst, kExistingAntiAffinity);
    });
    return worst;
  }

 private:
  // The input of Codes(): the keys under which some domain rejects the pod.
  struct Plain {
    const uint32_t* of_row;
    const uint8_t* codes;
    size_t cells;  // how many codes
  };

  Key* Find(Id key) { return const_cast<Key*>(std::as_const(*this).Find(key)); }
  const Key* Find(Id key) const {
    for (size_t k = 0; k < used_; ++k) {
      if (keys_[k].key == key) return &keys_[k];
    }
    return nullptr;
  }

  void Judge(Key& key) {
    const size_t n = size_t{key.topology.n} + 1;
    key.codes.assign(n, kFits);
    for (auto& cells : key.cells) {
      if (!cells.empty()) cells[0] = 0;  // rows without the key do not count
    }
    if (!key.cells[kExisting].empty())
      RaiseWhereAny(key.cells[kExisting].data(), n, kExistingAntiAffinity, key.codes.data());
    if (!key.cells[kAnti].empty()) RaiseWhereAny(key.cells[kAnti].data(), n, kAntiAffinity, key.codes.data());
    if (!key.cells[kMatching].empty()) {
      // The first pod of a group with affinity to itself may run on any node that has the keys.
      if (matches_itself_ && matching_ == 0) {
        key.codes[0] = kAffinity;
      } else {
        RaiseWhereNone(key.cells[kMatching].data(), n, kAffinity, key.codes.data());
      }
    }
    const uint32_t seen = CodesIn(key.codes.data(), n);
    seen_ |= seen;
    if (key.topology.of_row == nullptr) {
      floor_ = std::max(floor_, key.codes[0]);
    } else if ((seen & ~(1u << kFits)) != 0) {
      plain_.push_back({key.topology.of_row, key.codes.data(), n});
    }
  }

  std::deque<Key> keys_;  // the first used_ belong to this cycle
  size_t used_ = 0;
  int64_t matching_ = 0;  // pods that match all affinity terms of the pod, once per key of their nodes
  bool any_existing_ = false, matches_itself_ = false;
  std::vector<Plain> plain_;
  uint8_t floor_ = kFits;
  uint32_t seen_ = 0;
};

}  // namespace plugins::inter_pod
