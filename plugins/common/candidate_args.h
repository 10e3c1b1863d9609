// The args of plugins that preempt: how many candidates are enough. Pure; thread: any. Source: k8s.io/kubernetes
// pkg/scheduler/apis/config/types_pluginargs.go (DefaultPreemptionArgs), apis/config/validation.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <string_view>

namespace plugins {

struct CandidateArgs {
  int32_t percentage = 10, absolute = 100;

  // go_struct: the name of the args in error messages.
  static CandidateArgs Read(berth::sdk::ArgsReader& in, std::string_view go_struct) {
    constexpr auto kPercentage = "minCandidateNodesPercentage", kAbsolute = "minCandidateNodesAbsolute";
    in.Name(go_struct);
    CandidateArgs args;
    in.Get(kPercentage, args.percentage);
    in.Get(kAbsolute, args.absolute);
    in.Check(args.percentage >= 0 && args.percentage <= 100, kPercentage, args.percentage,
             "not in valid range [0, 100]");
    in.Check(args.absolute >= 0, kAbsolute, args.absolute, "not in valid range [0, inf)");
    if (args.percentage == 0 && args.absolute == 0) {
      in.Invalid(kPercentage, 0, "cannot be zero at the same time as minCandidateNodesAbsolute");
      in.Invalid(kAbsolute, 0, "cannot be zero at the same time as minCandidateNodesPercentage");
    }
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("minCandidateNodesPercentage", percentage);
    out.Field("minCandidateNodesAbsolute", absolute);
  }
};

}  // namespace plugins
