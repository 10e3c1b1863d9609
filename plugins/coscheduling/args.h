// CoschedulingArgs. Source: apis/config/v1/{types,defaults}.go and apis/config/validation of
// kubernetes-sigs/scheduler-plugins. A value.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>

#include "../common/known_kind.h"

namespace plugins::coscheduling {

struct CoschedulingArgs {
  int64_t permit_waiting_seconds = 60;
  int64_t backoff_seconds = 0;  // 0: groups do not back off
  int32_t reject_percentage = 10;

  static CoschedulingArgs Read(berth::sdk::ArgsReader& in) {
    CoschedulingArgs args;
    ExpectKind(in, "Coscheduling");
    in.Get("permitWaitingTimeSeconds", args.permit_waiting_seconds);
    in.Get("podGroupBackoffSeconds", args.backoff_seconds);
    in.Get("podGroupRejectPercentage", args.reject_percentage);
    in.Check(args.permit_waiting_seconds >= 0, "permitWaitingTimeSeconds", args.permit_waiting_seconds,
             "must be greater than 0");
    in.Check(args.backoff_seconds >= 0, "podGroupBackoffSeconds", args.backoff_seconds, "must be greater than 0");
    in.Check(args.reject_percentage >= 0 && args.reject_percentage <= 100, "podGroupRejectPercentage",
             args.reject_percentage, "must be between 0 and 100");
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("permitWaitingTimeSeconds", permit_waiting_seconds);
    out.Field("podGroupBackoffSeconds", backoff_seconds);
    out.Field("podGroupRejectPercentage", reject_percentage);
  }
};

}  // namespace plugins::coscheduling
