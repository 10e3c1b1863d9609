// Two plugins in one library, with code that often leaks symbols: function statics, inline variables, thread locals,
// several compiled versions of one function, and exceptions of a separate type.
#include <berth/metrics.hpp>
#include <berth/plugin.hpp>

#include <map>
#include <span>
#include <string>

namespace {

using namespace berth::sdk;  // NOLINT

// Doubles the cells; compiled for several processors.
BERTH_HOT void Double(std::span<const int64_t> cells, std::span<int64_t> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = cells[i] * 2;
}

class PodDoubler {
 public:
  static constexpr Info kInfo{.name = "podDoubler", .vendor = "stranger"};
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_REQUESTED, .total = true};
  static constexpr std::string_view kUses[] = {BERTH_SERVICE_METRICS};

  explicit PodDoubler(Host& host)
      : scored_(
            Metrics(host).CountersBy("scored_nodes_total", "Nodes with a score, by how their rows lie.", {"rows"})) {}

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto counts = cycle.snap().Int64(BERTH_NODE_POD_COUNT);
    (rows.dense() ? dense_ : sparse_).Add(rows.size());
    if (rows.dense()) {
      Double(counts->subspan(rows.first(), rows.size()), out);
    } else {
      rows.ForEach([&](uint32_t i, uint32_t row) { Double(counts->subspan(row, 1), out.subspan(i, 1)); });
    }
    return Status::Ok();
  }

 private:
  const MetricFamily<Counter> scored_;
  const Counter dense_ = scored_.At({"dense"}), sparse_ = scored_.At({"sparse"});
};

}  // namespace

namespace stranger {

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
T& Shared() {
  static T shared;  // GNU_UNIQUE, unless a compiler option prevents it
  return shared;
}
inline std::map<std::string, int> refusals;
inline thread_local int depth = 0;

class Refuser {
 public:
  static constexpr Info kInfo{.name = "refuser", .vendor = "stranger"};
  Status PreFilter(Cycle&, const Pod& pod) {
    ++depth;
    ++refusals[std::string(pod.name())];
    throw Refusal("refused " + std::to_string(++Shared<int>()) + " times");
  }
  Status Reserve(Cycle&, const Pod&, Id) { return Status::Ok(); }
};

}  // namespace stranger

BERTH_PLUGIN(PodDoubler, stranger::Refuser);
