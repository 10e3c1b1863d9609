// NetworkOverheadArgs. Source: apis/config/v1/{types,defaults}.go of kubernetes-sigs/scheduler-plugins. A value.
#pragma once

#include <berth/plugin.hpp>

#include <string>
#include <vector>

#include "../common/known_kind.h"

namespace plugins::network_overhead {

struct NetworkOverheadArgs {
  std::vector<std::string> namespaces;  // where AppGroups and the NetworkTopology are looked up, in this order
  std::string weights_name = "UserDefined";
  std::string topology_name = "nt-default";

  static NetworkOverheadArgs Read(berth::sdk::ArgsReader& in) {
    NetworkOverheadArgs args;
    ExpectKind(in, "NetworkOverhead");
    in.Get("namespaces", args.namespaces);
    in.Get("weightsName", args.weights_name);
    in.Get("networkTopologyName", args.topology_name);
    if (args.namespaces.empty()) args.namespaces = {"default"};
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("namespaces", namespaces);
    out.Field("weightsName", weights_name);
    out.Field("networkTopologyName", topology_name);
  }
};

}  // namespace plugins::network_overhead
