// PeaksArgs. Source: apis/config/v1/types.go of kubernetes-sigs/scheduler-plugins, whose tags leave the fields with
// capital initials; both spellings are read. A value.
#pragma once

#include <berth/plugin.hpp>

#include <map>
#include <string>

#include "../common/known_kind.h"
#include "../trimaran_common/server_url.h"

namespace plugins::peaks {

// A node uses k0 + k1 * e^(k2 * x) watts while x percent of its CPU are used.
struct PowerModel {
  double k0 = 0, k1 = 0, k2 = 0;
};
using PowerModels = std::map<std::string, PowerModel, std::less<>>;  // by node

struct PeaksArgs {
  std::string watcher;
  PowerModels models;  // empty: they are in the file that NODE_POWER_MODEL names

  static PeaksArgs Read(berth::sdk::ArgsReader& in) {
    ExpectKind(in, "Peaks");
    PeaksArgs args;
    in.Get("watcherAddress", args.watcher);
    in.Get("WatcherAddress", args.watcher);
    for (const char* field : {"nodePowerModel", "NodePowerModel"}) args.ReadModels(in, field);
    if (args.watcher.empty()) {
      in.Required("WatcherAddress", "the URL of load-watcher");
    } else {
      trimaran::CheckUrl(in, "WatcherAddress", args.watcher);
    }
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("WatcherAddress", watcher);
    out.BeginObject("NodePowerModel");
    for (const auto& [node, model] : models) {
      out.BeginObject(node);
      out.Field("k0", model.k0);
      out.Field("k1", model.k1);
      out.Field("k2", model.k2);
      out.EndObject();
    }
    out.EndObject();
  }

 private:
  void ReadModels(berth::sdk::ArgsReader& in, const char* field) {
    const berth::sdk::Value nodes = in.Raw(field);
    berth::sdk::ArgsReader given = in.Object(field);
    for (uint32_t i = 0; nodes.is_object() && i < nodes.size(); ++i) {
      berth::sdk::ArgsReader model = given.Object(nodes.KeyAt(i), "PowerModel");
      PowerModel& read = models[std::string(nodes.KeyAt(i))];
      model.Get("k0", read.k0);
      model.Get("k1", read.k1);
      model.Get("k2", read.k2);
    }
  }
};

}  // namespace plugins::peaks
