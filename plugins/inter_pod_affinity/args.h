// InterPodAffinityArgs. Source: pkg/scheduler/apis/config/v1/defaults.go, validation/validation_pluginargs.go.
#pragma once

#include <berth/args.hpp>
#include <berth/json_writer.hpp>

#include <cstdint>

namespace plugins {

struct InterPodAffinityArgs {
  int32_t hard_pod_affinity_weight = 1;  // weight of a running pod's required term for the pods that it matches, 0..100
  bool ignore_preferred_terms_of_existing_pods = false;  // applies to pods that have no preferred terms

  static InterPodAffinityArgs Read(berth::sdk::ArgsReader& in) {
    InterPodAffinityArgs args;
    in.Name("InterPodAffinityArgs");
    in.Get("hardPodAffinityWeight", args.hard_pod_affinity_weight);
    in.Get("ignorePreferredTermsOfExistingPods", args.ignore_preferred_terms_of_existing_pods);
    const int32_t weight = args.hard_pod_affinity_weight;
    in.Check(weight >= 0 && weight <= 100, "hardPodAffinityWeight", weight, "not in valid range [0, 100]");
    return args;
  }
  void Write(berth::sdk::JsonWriter& out) const {
    out.Field("hardPodAffinityWeight", hard_pod_affinity_weight);
    out.Field("ignorePreferredTermsOfExistingPods", ignore_preferred_terms_of_existing_pods);
  }
};

}  // namespace plugins
