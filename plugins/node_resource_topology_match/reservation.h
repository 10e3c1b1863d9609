// The resources that one pod takes from its node, and the text that hands them over to the next instance: "
// name=amount" for each resource. Thread: [serial]. Ownership: owns the ids of the names; the host outlives it.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/owned_id.h"
#include "demand.h"

namespace plugins::node_topology {

using Reservation = std::vector<std::pair<OwnedId, int64_t>>;

inline Reservation ReservationOf(berth::sdk::Host& host, const berth::sdk::Pod& pod) {
  const Demand demand(host, pod, QosClass::kGuaranteed);
  Reservation reservation;
  for (const Want& want : demand.pod()) {
    reservation.emplace_back(OwnedId(host, demand.resources()[want.resource].name), want.amount);
  }
  return reservation;
}

inline std::string Written(const berth::sdk::Host& host, const Reservation& reservation) {
  std::string text;
  for (const auto& [name, amount] : reservation) {
    text += " " + std::string(host.Text(name.get())) + "=" + std::to_string(amount);
  }
  return text;
}

// Removes the first word from the line.
inline std::string_view TakeWord(std::string_view& line) {
  const size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

inline Reservation Parsed(berth::sdk::Host& host, std::string_view line) {
  Reservation reservation;
  while (!line.empty()) {
    const std::string_view word = TakeWord(line);
    const size_t equals = std::min(word.find('='), word.size());
    int64_t amount = 0;
    const auto [end, error] =
        std::from_chars(word.data() + std::min(equals + 1, word.size()), word.data() + word.size(), amount);
    if (error == std::errc() && end == word.data() + word.size())
      reservation.emplace_back(OwnedId(host, word.substr(0, equals)), amount);
  }
  return reservation;
}

}  // namespace plugins::node_topology
