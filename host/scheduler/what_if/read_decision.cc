#include "scheduler/what_if/read_decision.h"

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/row_log.h"
#include "scheduler/decisions/node_table_writer.h"

namespace berth::what_if {
namespace {

using decisions::NodeTable;
using json::Value;

const json::Array& List(const Value& object, std::string_view key) {
  static const json::Array kNone;
  const Value* value = object.Find(key);
  return value == nullptr ? kNone : value->array();
}

std::vector<std::string> Texts(const json::Array& values) {
  std::vector<std::string> out;
  for (const Value& one : values) out.push_back(one.string());
  return out;
}

class Reader {
 public:
  explicit Reader(const Value& nodes) : nodes_(nodes), names_(List(nodes, "names")) {}

  base::Result<std::shared_ptr<const NodeTable>> Run() {
    const auto n = static_cast<uint32_t>(names_.size());
    writer_.Begin(n);
    base::RowLog arrivals;
    writer_.UpdateNames(arrivals, n, [&](uint32_t row) -> std::string_view { return names_[row].string(); });
    if (auto done = ReadVerdicts(); !done) return tl::unexpected(done.error());
    for (const Value& one : List(nodes_, "scores")) {
      if (auto done = ReadScores(one); !done) return tl::unexpected(done.error());
    }
    const json::Array& totals = List(nodes_, "totals");
    for (const Value& one : totals) {
      if (one.is_null()) continue;
      writer_.SetScored(0);
      break;
    }
    return writer_.Finish();
  }

 private:
  base::Result<void> ReadVerdicts() {
    const json::Array& verdicts = List(nodes_, "verdicts");
    const json::Array& rejections = List(nodes_, "rejections");
    if (verdicts.size() != names_.size()) return base::Fail("nodes.verdicts has not one value for each node");
    std::vector<int16_t> numbers;
    for (const Value& one : rejections) {
      numbers.push_back(
          writer_.NumberOf(json::TextAt(one, "plugin"), plugin::Code::kUnschedulable, Texts(List(one, "reasons"))));
    }
    for (size_t i = 0; i < verdicts.size(); ++i) {
      const int64_t verdict = verdicts[i].integer();
      if (verdict < NodeTable::kNotExamined || verdict > static_cast<int64_t>(numbers.size())) {
        return base::Fail("nodes.verdicts[" + std::to_string(i) + "]: there is no such rejection");
      }
      writer_.verdicts()[i] = verdict <= 0 ? static_cast<int16_t>(verdict) : numbers[static_cast<size_t>(verdict - 1)];
    }
    return {};
  }

  base::Result<void> ReadScores(const Value& one) {
    const std::string plugin = json::TextAt(one, "plugin");
    const Value* weight = one.Find("weight");
    // The name of an extender is a URL.
    if (weight == nullptr && plugin.find("://") == std::string::npos) {
      return base::Fail("the scores of " + plugin + " have no weight: an older version of Berth has recorded them");
    }
    const json::Array& values = List(one, "values");
    if (values.size() != names_.size()) return base::Fail("the scores of " + plugin + " are not one for each node");
    std::vector<int64_t> weighted;
    for (const Value& value : values) weighted.push_back(value.integer());
    writer_.AddScores(plugin, weighted, weight == nullptr ? 0 : weight->integer());
    return {};
  }

  const Value& nodes_;
  const json::Array& names_;
  base::VirtualClock clock_{0};
  decisions::NodeTableWriter writer_{clock_, std::make_shared<decisions::MemoryMeter>()};
};

}  // namespace

base::Result<std::shared_ptr<const decisions::Decision>> ReadDecision(const json::Value& value) {
  const auto number = [&](const char* key) {
    const Value* found = value.Find(key);
    return found == nullptr ? uint64_t{0} : static_cast<uint64_t>(found->integer());
  };
  auto out = std::make_shared<decisions::Decision>();
  out->id = number("id");
  out->generation = number("generation");
  out->pod = json::TextAt(value, "pod");
  out->uid = json::TextAt(value, "uid");
  out->profile = json::TextAt(value, "profile");
  out->node = json::TextAt(value, "node");
  if (!out->node.empty()) out->result = decisions::Result::kScheduled;
  if (const Value* nodes = value.Find("nodes")) {
    auto table = Reader(*nodes).Run();
    if (!table) return base::Fail("decision " + std::to_string(out->id) + ": " + table.error().message);
    out->nodes = *std::move(table);
  }
  return out;
}

}  // namespace berth::what_if
