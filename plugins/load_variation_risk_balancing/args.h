// LoadVariationRiskBalancingArgs. Source: apis/config/v1/{types,defaults}.go of kubernetes-sigs/scheduler-plugins. A
// value.
#pragma once

#include <berth/plugin.hpp>

#include "../trimaran_common/feed_args.h"

namespace plugins::load_variation {

struct LoadVariationRiskBalancingArgs {
  trimaran::FeedArgs feed;
  double margin = 1, sensitivity = 1;

  static LoadVariationRiskBalancingArgs Read(berth::sdk::ArgsReader& in) {
    in.Name("LoadVariationRiskBalancingArgs");
    LoadVariationRiskBalancingArgs args;
    args.feed = trimaran::FeedArgs::Read(in);
    in.Get("safeVarianceMargin", args.margin);
    in.Get("safeVarianceSensitivity", args.sensitivity);
    if (args.margin < 0) args.margin = 1;
    if (args.sensitivity < 0) args.sensitivity = 1;
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    feed.Write(out);
    out.Field("safeVarianceMargin", margin);
    out.Field("safeVarianceSensitivity", sensitivity);
  }
};

}  // namespace plugins::load_variation
