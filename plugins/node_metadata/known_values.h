// The plugin's data about each node: the value of the label or annotation as a raw score. Written between cycles only,
// so that Score reads it without a lock. Labels are stored by row, because the host's feed of changed rows reports
// them; annotations are stored by name, because objects contain them.
#pragma once

#include <berth/plugin.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metadata_scores.h"

namespace plugins::node_metadata {

class ValuesByRow {
 public:
  void Set(uint32_t row, std::optional<int64_t> value) {
    if (row >= values_.size()) values_.resize(size_t{row} + 1, kInvalid);
    values_[row] = value.value_or(kInvalid);
  }
  int64_t Of(uint32_t row) const { return row < values_.size() ? values_[row] : kInvalid; }
  // "row value" of each row with a value.
  std::string Dump() const {
    std::string text;
    for (size_t row = 0; row < values_.size(); ++row) {
      if (values_[row] != kInvalid) text += std::to_string(row) + " " + std::to_string(values_[row]) + "\n";
    }
    return text;
  }

 private:
  std::vector<int64_t> values_;
};

class ValuesByName {
 public:
  explicit ValuesByName(berth::sdk::Host& host) : host_(host) {}

  void Set(std::string_view node, std::optional<int64_t> value) {
    const berth::sdk::Id id = host_.Intern(node);
    if (values_.erase(id) > 0) host_.Drop(id);
    if (value) {
      values_.emplace(id, *value);  // owns the id
    } else {
      host_.Drop(id);
    }
  }
  int64_t Of(berth::sdk::Id node) const {
    const auto at = values_.find(node);
    return at == values_.end() ? kInvalid : at->second;
  }

 private:
  berth::sdk::Host& host_;
  std::unordered_map<berth::sdk::Id, int64_t> values_;
};

}  // namespace plugins::node_metadata
