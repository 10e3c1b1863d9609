#include "client/requests/turn_order.h"

#include <algorithm>

namespace berth::requests {
namespace {

constexpr std::array kCycle{Turn::kBinding, Turn::kEviction, Turn::kBinding, Turn::kRest};
constexpr std::array kPreference{Turn::kBinding, Turn::kEviction, Turn::kRest};

}  // namespace

std::optional<Turn> TurnOrder::Next(const Waiting& waiting) const {
  const auto can_go = [&](Turn turn) { return waiting[turn] && MaySend(turn); };
  if (can_go(kCycle[place_])) return kCycle[place_];
  const auto found = std::find_if(kPreference.begin(), kPreference.end(), can_go);
  return found == kPreference.end() ? std::nullopt : std::optional(*found);
}

void TurnOrder::Sent(Turn turn, const Waiting& waiting) {
  ++in_flight_;
  ++in_flight_of_[turn];
  const bool others_wait =
      std::any_of(kPreference.begin(), kPreference.end(), [&](Turn other) { return other != turn && waiting[other]; });
  if (others_wait) place_ = (place_ + 1) % kCycle.size();
}

void TurnOrder::Answered(Turn turn) {
  --in_flight_;
  --in_flight_of_[turn];
}

bool TurnOrder::MaySend(Turn turn) const {
  size_t taken = in_flight_;
  for (const Turn other : kPreference) {
    if (other != turn) taken += kept_ - std::min(kept_, in_flight_of_[other]);
  }
  return taken < max_in_flight_;
}

}  // namespace berth::requests
