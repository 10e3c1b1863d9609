// DynamicResourcesArgs: two timeouts, reserved for allocation. Source: pkg/scheduler/apis/config.
#pragma once

#include <berth/args.hpp>

#include <cstdint>
#include <string>

#include "../common/go_duration.h"

namespace plugins {

struct DynamicResourcesArgs {
  std::string filter_timeout = "10s", binding_timeout = "10m0s";

  static DynamicResourcesArgs Read(berth::sdk::ArgsReader& in) {
    constexpr int64_t kSecond = 1'000'000'000;
    in.Name("DynamicResourcesArgs");
    DynamicResourcesArgs args;
    ReadTimeout(in, "filterTimeout", 0, "must be zero or positive", args.filter_timeout);
    ReadTimeout(in, "bindingTimeout", kSecond, "must be at least 1 second", args.binding_timeout);
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("filterTimeout", filter_timeout);
    out.Field("bindingTimeout", binding_timeout);
  }

 private:
  // least: nanoseconds.
  static void ReadTimeout(berth::sdk::ArgsReader& in, std::string_view key, int64_t least, std::string_view too_small,
                          std::string& out) {
    if (!in.Get(key, out)) return;
    const GoDuration duration(out);
    if (!duration.ok()) return in.Invalid(key, out, duration.error());
    out = GoDuration::Text(duration.nanoseconds());
    in.Check(duration.nanoseconds() >= least, key, out, too_small);
  }
};

}  // namespace plugins
