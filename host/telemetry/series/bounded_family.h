// A family with a bounded number of series. Counters and histograms have one cell for each series; gauges have one for
// each series and user, and are the sum of them. A user is an instance of a plugin, by its address.
// Thread: one at a time; the cells on any. Ownership: owns the cells, which live as long as the family, and those of
// gauges as long as their user uses it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "telemetry/series/cell.h"
#include "telemetry/series/definition.h"

namespace berth::series {

using User = const void*;

// Why a lookup found no separate cell.
enum class Lack : uint8_t {
  kNone,
  kDisabled,  // the family is not served
  kLabels,    // another number of values than labels
  kOverflow,  // the cell is that of all further series
  kDropped,   // a gauge has no such cell
};

struct Found {
  Cell* cell = nullptr;
  Lack lack = Lack::kNone;
  bool first = false;  // the family lacks this for the first time
};

// A series at one moment. values: of the labels, in their order.
struct Sample {
  std::vector<std::string> values;
  double value = 0;           // of a counter or gauge
  Distribution distribution;  // of a histogram
};

class BoundedFamily {
 public:
  // name: the one on the page; that of the definition is the plugin's.
  BoundedFamily(std::string name, Definition definition, const Limits& limits)
      : name_(std::move(name)),
        definition_(std::move(definition)),
        limits_(limits),
        beyond_(definition_.labels.size(), std::string(kOverflowValue)) {}
  BoundedFamily(const BoundedFamily&) = delete;

  const std::string& name() const { return name_; }
  const Definition& definition() const { return definition_; }

  void AddUser(User user) { users_.insert(user); }
  // Frees the cells that only this user has.
  void Release(User user);
  bool UsedBy(User user) const { return users_.contains(user); }
  bool used() const { return !users_.empty(); }

  // The cell of this series, created with the value 0 if there is none. user: one that uses the family.
  Found At(std::vector<std::string> values, User user);
  std::vector<Sample> Samples() const;

 private:
  using Cells = std::map<User, std::unique_ptr<Cell>>;  // of counters and histograms only that of nullptr

  Found Lacks(Lack lack, Cell* cell);
  Cell* CellOf(Cells& cells, User user);
  bool HasRoomFor(const std::vector<std::string>& values) const;

  const std::string name_;
  const Definition definition_;
  const Limits limits_;
  const std::vector<std::string> beyond_;  // the values of the series for overflow
  std::map<std::vector<std::string>, Cells> series_;
  std::set<User> users_;
  std::set<Lack> told_;
};

}  // namespace berth::series
