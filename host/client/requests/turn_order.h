// Decides which line sends the next request. Bindings are preferred and no line starves: while all three lines have
// requests, two of every four requests are bindings, one is an eviction and one is another request. A line without
// requests gives its turns to bindings first, then to evictions. So the n-th request of a line is sent within 4n
// requests, independent of the other lines. An eighth of the parallel requests is reserved for each line, so that slow
// answers to one line do not block the others. Thread: one at a time; the request queue holds its lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace berth::requests {

enum class Turn : uint8_t {
  kRest,
  kEviction,  // a victim's condition and its deletion: a pod waits for the resources
  kBinding,
};
inline constexpr size_t kTurns = 3;

template <class T>
class PerTurn {
 public:
  T& operator[](Turn turn) { return values_[static_cast<size_t>(turn)]; }
  const T& operator[](Turn turn) const { return values_[static_cast<size_t>(turn)]; }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }

 private:
  std::array<T, kTurns> values_{};
};

class TurnOrder {
 public:
  using Waiting = PerTurn<bool>;

  explicit TurnOrder(size_t max_in_flight) : max_in_flight_(max_in_flight), kept_(max_in_flight / 8) {}

  // The line that may send now; nullopt: none of the waiting lines.
  std::optional<Turn> Next(const Waiting& waiting) const;
  // Records that a request of this line is sent while the lines in waiting, including this one, have requests.
  void Sent(Turn turn, const Waiting& waiting);
  void Answered(Turn turn);
  size_t in_flight() const { return in_flight_; }

 private:
  bool MaySend(Turn turn) const;

  const size_t max_in_flight_;
  const size_t kept_;  // for each line
  size_t in_flight_ = 0;
  PerTurn<size_t> in_flight_of_;
  size_t place_ = 0;  // in the cycle of turns
};

}  // namespace berth::requests
