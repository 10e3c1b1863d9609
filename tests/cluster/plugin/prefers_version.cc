// PrefersVersion: prefers nodes whose label `prefers` is this library's own version, so that the node of a pod shows
// which build scheduled it. The tests of hot swap build it several times. Only for tests.
//   FILTER_THROWS   a build that passes its checks and throws in each Filter call
//   CREATE_CRASHES  a build that crashes the process when an instance is created
#include <berth/plugin.hpp>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>

namespace {

using namespace berth::sdk;  // NOLINT: a plugin speaks the SDK's words

class PrefersVersion {
 public:
  static constexpr Info kInfo{.name = "PrefersVersion", .vendor = "berth.dev"};
  // The host keeps scores: those of one build must not be used for the next.
  static constexpr Reuse kScoreReuse{.row = BERTH_ROW_LABELS, .total = true};

  explicit PrefersVersion(Host& host)
      : host_(host), key_(host.Intern("prefers")), version_(host.Intern(BERTH_PLUGIN_VERSION)) {
#ifdef CREATE_CRASHES
    std::abort();
#endif
  }

  void Activate() { host_.OpenColumn(BERTH_NODE_LABEL, key_); }

#ifdef FILTER_THROWS
  static constexpr Reuse kFilterReuse{.reuse = false};
  Status Filter(Cycle&, const Pod&, Rows, std::span<berth_verdict>) { throw std::runtime_error("lost my way"); }
#endif

  Status Score(Cycle& cycle, const Pod&, Rows rows, std::span<int64_t> out) {
    const auto preferred = cycle.snap().Ids(BERTH_NODE_LABEL, key_);
    if (!preferred) {  // no node has the label: all get the same score
      out[0] = 0;
      return Status::Uniform();
    }
    rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = (*preferred)[row] == version_ ? 100 : 0; });
    return Status::Ok();
  }

 private:
  Host& host_;
  const Id key_, version_;  // [life]
};

}  // namespace

BERTH_PLUGIN(PrefersVersion);
