// The message of a pod that fits on no node: "0/8 nodes are available: 3 Insufficient cpu, 5 node(s) had ...".
// Source: FitError.Error in pkg/scheduler/framework/types.go. Thread: any.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace berth::framework {

struct FitError {
  uint32_t num_all_nodes = 0;
  std::string pre_filter_message;
  std::map<std::string, uint64_t> histogram;  // reason -> nodes
  std::string post_filter_message;

  std::string Text() const;
};

}  // namespace berth::framework
