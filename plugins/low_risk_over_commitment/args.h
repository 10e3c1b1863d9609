// LowRiskOverCommitmentArgs. Source: apis/config/v1/{types,defaults}.go of kubernetes-sigs/scheduler-plugins. A value.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <map>
#include <string>

#include "../trimaran_common/feed_args.h"

namespace plugins::low_risk {

struct LowRiskOverCommitmentArgs {
  trimaran::FeedArgs feed;
  int64_t windows = 5;
  std::map<std::string, double> weights;  // of the limits, by resource; cpu and memory count

  double WeightOf(const char* resource) const {
    const auto at = weights.find(resource);
    return at == weights.end() ? kDefaultWeight : at->second;
  }

  static LowRiskOverCommitmentArgs Read(berth::sdk::ArgsReader& in) {
    in.Name("LowRiskOverCommitmentArgs");
    LowRiskOverCommitmentArgs args;
    args.feed = trimaran::FeedArgs::Read(in);
    in.Get("smoothingWindowSize", args.windows);
    if (args.windows <= 0) args.windows = 5;
    args.ReadWeights(in);
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    feed.Write(out);
    out.Field("smoothingWindowSize", windows);
    out.BeginObject("riskLimitWeights");
    for (const auto& [resource, weight] : weights) out.Field(resource, weight);
    out.EndObject();
  }

 private:
  static constexpr double kDefaultWeight = 0.5;

  void ReadWeights(berth::sdk::ArgsReader& in) {
    const berth::sdk::Value names = in.Raw("riskLimitWeights");
    berth::sdk::ArgsReader given = in.Object("riskLimitWeights");
    for (uint32_t i = 0; names.is_object() && i < names.size(); ++i) {
      double weight = 0;
      given.Get(names.KeyAt(i), weight);
      weights[std::string(names.KeyAt(i))] = weight >= 0 && weight <= 1 ? weight : kDefaultWeight;
    }
    if (weights.empty()) weights = {{"cpu", kDefaultWeight}, {"memory", kDefaultWeight}};
  }
};

}  // namespace plugins::low_risk
