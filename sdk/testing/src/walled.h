// Memory that a plugin reads and writes during a call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "berth/plugin.h"
#include "berth/testing/arena.hpp"

namespace berth::sdk::testing {

// Cells between two walls; the plugin must not change the walls.
template <class T>
class Walled {
 public:
  explicit Walled(size_t n) : cells_(n + 2 * kWall) {
    std::memset(static_cast<void*>(cells_.data()), 0x5a, kWall * sizeof(T));
    std::memset(static_cast<void*>(cells_.data() + kWall + n), 0x5a, kWall * sizeof(T));
  }
  T* data() { return cells_.data() + kWall; }
  T& operator[](size_t i) { return cells_[kWall + i]; }
  size_t size() const { return cells_.size() - 2 * kWall; }
  bool Stand() const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(cells_.data());
    const size_t wall = kWall * sizeof(T), all = cells_.size() * sizeof(T);
    const auto whole = [bytes](size_t from, size_t to) {
      return std::all_of(bytes + from, bytes + to, [](unsigned char b) { return b == 0x5a; });
    };
    return whole(0, wall) && whole(all - wall, all);
  }

 private:
  static constexpr size_t kWall = 8;
  std::vector<T> cells_;
};

// The rows of a call in the form that the plugin gets.
class ShownRows {
 public:
  ShownRows(const std::vector<uint32_t>& picked, const uint64_t* live)
      : raw_(arena_.Make(berth_rows{sizeof(berth_rows), static_cast<uint32_t>(picked.size()), 0, 0,
                                    static_cast<const uint32_t*>(arena_.Exact(picked).ptr), live})) {}
  // Makes dense rows.
  ShownRows(uint32_t first, uint32_t n, const uint64_t* live)
      : raw_(arena_.Make(berth_rows{sizeof(berth_rows), n, first, 0, nullptr, live})) {}
  const berth_rows* raw() const { return raw_; }

 private:
  Arena arena_;
  const berth_rows* raw_;
};

}  // namespace berth::sdk::testing
