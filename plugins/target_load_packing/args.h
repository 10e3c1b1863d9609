// TargetLoadPackingArgs. Source: apis/config/v1/{types,defaults}.go and pkg/trimaran/targetloadpacking of
// kubernetes-sigs/scheduler-plugins. A value.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "../common/go_amount.h"
#include "../common/go_float.h"
#include "../common/known_kind.h"
#include "../common/quantity_text.h"
#include "../trimaran_common/feed_args.h"

namespace plugins::target_load_packing {

struct TargetLoadPackingArgs {
  trimaran::FeedArgs feed;
  int64_t target = 40;             // percent
  std::string multiplier = "1.5";  // of the requests of containers without limits
  // Of a container without requests and limits. Other resources than CPU are of no effect.
  std::string default_cpu = "1";

  double multiplier_value() const { return GoFloat::Finite(multiplier).value_or(0); }
  int64_t default_cpu_milli() const {
    const auto amount = ParseGoAmount(default_cpu);
    return amount ? amount->CountOf(-3) : 0;
  }

  static TargetLoadPackingArgs Read(berth::sdk::ArgsReader& in) {
    ExpectKind(in, "TargetLoadPacking");
    TargetLoadPackingArgs args;
    args.feed = trimaran::FeedArgs::Read(in);
    args.ReadRequests(in);
    in.Get("defaultRequestsMultiplier", args.multiplier);
    in.Get("targetUtilization", args.target);
    if (args.target <= 0) args.target = 40;
    in.Check(GoFloat::Finite(args.multiplier).has_value(), "defaultRequestsMultiplier", args.multiplier,
             "unable to parse DefaultRequestsMultiplier: strconv.ParseFloat: parsing " +
                 berth::sdk::Quoted(args.multiplier) + ": invalid syntax");
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    feed.Write(out);
    out.BeginObject("defaultRequests");
    out.Field("cpu", default_cpu);
    out.EndObject();
    out.Field("defaultRequestsMultiplier", multiplier);
    out.Field("targetUtilization", target);
  }

 private:
  void ReadRequests(berth::sdk::ArgsReader& in) {
    const berth::sdk::Value names = in.Raw("defaultRequests");
    berth::sdk::ArgsReader requests = in.Object("defaultRequests");
    if (!requests.exists()) return;
    for (uint32_t i = 0; i < names.size(); ++i) requests.Raw(names.KeyAt(i));
    default_cpu = "0";
    if (const berth::sdk::Value cpu = requests.Raw("cpu"); cpu.is_number()) {
      default_cpu = QuantityText(cpu);
    } else {
      requests.Get("cpu", default_cpu, "resource.Quantity");
    }
    in.Check(ParseGoAmount(default_cpu).has_value(), "defaultRequests[cpu]", default_cpu,
             "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
};

}  // namespace plugins::target_load_packing
