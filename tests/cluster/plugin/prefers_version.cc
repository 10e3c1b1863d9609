// PrefersVersion: prefers nodes whose label `prefers` is this library's own version, so that where a pod goes tells
// which build decided. For tests of hot swap, which build it several times; no policy for anybody.
//   FILTER_THROWS   a build that looks sound and fails at each filter call
//   CREATE_CRASHES  a build that takes the process along when an instance is made
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
  // Scores are kept by the host: those of one build must not serve the next.
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
    if (!preferred) {  // no node prefers anything: all are alike
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
