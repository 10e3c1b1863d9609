// SySchedArgs. Source: apis/config/v1/{types,defaults}.go of kubernetes-sigs/scheduler-plugins. A value.
#pragma once

#include <berth/plugin.hpp>

#include <string>

#include "../common/known_kind.h"

namespace plugins::sy_sched {

struct SySchedArgs {
  // The SeccompProfile of pods that have none.
  std::string default_namespace = "default", default_name = "all-syscalls";

  static SySchedArgs Read(berth::sdk::ArgsReader& in) {
    SySchedArgs args;
    ExpectKind(in, "SySched");
    in.Get("defaultProfileNamespace", args.default_namespace);
    in.Get("defaultProfileName", args.default_name);
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("defaultProfileNamespace", default_namespace);
    out.Field("defaultProfileName", default_name);
  }
};

}  // namespace plugins::sy_sched
