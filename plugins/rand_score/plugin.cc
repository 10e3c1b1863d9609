// randScore: a random score from 0 to 100 for each node, logged at -v=3. Without args the scores depend on the
// attempt's seed, so a simulation with the same --seed gives the same scores. With a `seed` in its args a pod gets the
// same scores in every attempt and every run. Results are not reused.
#include <berth/plugin.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "draw.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct RandScoreArgs {
  std::optional<int64_t> seed;

  static RandScoreArgs Read(ArgsReader& in) {
    RandScoreArgs args;
    in.Get("seed", args.seed);
    if (args.seed) in.Check(*args.seed >= 0, "seed", *args.seed, "must be greater than or equal to 0");
    return args;
  }
  void Write(JsonWriter& out) const { out.Field("seed", seed); }
};

class RandScore {
 public:
  static constexpr Info kInfo{.name = "randScore", .vendor = "berth.dev"};
  static constexpr std::string_view kUses[] = {BERTH_SERVICE_RANDOM};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { RandScoreArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { RandScoreArgs::Read(in); }

  explicit RandScore(Host& host) : host_(host), seed_(ReadArgs<RandScoreArgs>(host).seed) {
    if (!seed_ && !host.Offers(BERTH_SERVICE_RANDOM)) {
      throw std::runtime_error("this host offers no random numbers (" BERTH_SERVICE_RANDOM "): set args.seed");
    }
  }

  Status Score(Cycle& cycle, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const auto names = cycle.snap().Ids(BERTH_NODE_NAME);
    if (!names) throw std::logic_error("the snapshot has no node names");
    const uint64_t seed = SeedFor(cycle, pod);
    const auto log = host_.V(3);
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const std::string_view node = host_.Text((*names)[row]);
      out[i] = rand_score::Draw(seed, node);
      if (log) log.Info("Score: pod: " + std::string(pod.name()) + ", node: " + std::string(node));
    });
    return Status::Ok();
  }

  // The scores are already in 0..100.
  Status Normalize(Cycle&, const Pod& pod, Rows, std::span<int64_t>) {
    if (const auto log = host_.V(3)) log.Info("NormalizeScore: pod: " + std::string(pod.name()));
    return Status::Ok();
  }

 private:
  uint64_t SeedFor(const Cycle& cycle, const Pod& pod) const {
    if (!seed_) return cycle.Seed();
    return rand_score::Hash(static_cast<uint64_t>(*seed_), {host_.Text(pod.ns()), pod.name()});
  }

  Host& host_;
  const std::optional<int64_t> seed_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::RandScore);
