// TopologicalSortArgs. Source: apis/config/v1/{types,defaults}.go of kubernetes-sigs/scheduler-plugins. A value.
#pragma once

#include <berth/plugin.hpp>

#include <string>
#include <vector>

#include "../common/known_kind.h"

namespace plugins {

struct TopologicalSortArgs {
  std::vector<std::string> namespaces;  // where AppGroups are looked up, in this order

  static TopologicalSortArgs Read(berth::sdk::ArgsReader& in) {
    TopologicalSortArgs args;
    ExpectKind(in, "TopologicalSort");
    in.Get("namespaces", args.namespaces);
    if (args.namespaces.empty()) args.namespaces = {"default"};
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const { out.Field("namespaces", namespaces); }
};

}  // namespace plugins
