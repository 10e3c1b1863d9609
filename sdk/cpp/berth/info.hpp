// The declarations of a plugin class, as static constexpr members:
//   static constexpr berth::sdk::Info kInfo{.name = "randScore", .vendor = "example.org"};            required
//   static constexpr berth::sdk::Reuse kFilterReuse{.pod = BERTH_POD_NODE_NAME, .row = 0, .total = true};   optional
//   static constexpr berth::sdk::Reuse kScoreReuse{...};                                                     optional
//   static constexpr auto kNormalization = berth::sdk::Normalization::kDefault;                        optional
//   static constexpr berth::sdk::Interest kInterests[] = {{"Node", BERTH_ACTION_ADD}};                 optional
//   static constexpr uint32_t kDeltas = BERTH_DELTA_PODS;        optional: what Deltas() gets; absent: everything
//   static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_BINDER};   optional: init fails without these services
//   static constexpr std::string_view kUses[] = {BERTH_SERVICE_PODS};      optional: draft services used where offered
//   static constexpr std::string_view kSampleArgs = R"({"seed": 7})";   optional: a JSON object, args to try the plugin
//   with if none are configured: berthctl plugin validate, the canary, error messages
#pragma once

#include <cstdint>
#include <string_view>

#include "berth/plugin.h"

// The library's version, free text; berth_add_plugin(... VERSION x) sets it.
#ifndef BERTH_PLUGIN_VERSION
#define BERTH_PLUGIN_VERSION "0.0.0"
#endif
// The smallest host minor the library can work with; define it before the include, in every file alike.
#ifndef BERTH_PLUGIN_MIN_HOST
#define BERTH_PLUGIN_MIN_HOST 0
#endif

namespace berth::sdk {

inline constexpr std::string_view kSdkVersion = "cpp/1.2";

struct Info {
  const char* name;  // the plugin's name in profiles
  const char* vendor = "";
  const char* args_schema = nullptr;  // JSON Schema of the args
  uint32_t flags = 0;                 // BERTH_F_*
};

// The inputs of a result; the host reuses results while they are equal. Declare too much rather than too little.
struct Reuse {
  uint64_t pod = 0;      // BERTH_POD_*
  uint64_t row = 0;      // BERTH_ROW_*
  uint64_t cluster = 0;  // BERTH_CLUSTER_*
  bool reuse = true;     // false: the host never keeps results
  bool total = false;    // also defined for rows that an earlier plugin rejected; a call may contain a dense range

  constexpr berth_reuse raw() const {
    return {(reuse ? BERTH_REUSE : 0u) | (total ? BERTH_TOTAL : 0u), 0, pod, row, cluster};
  }
};

// How raw scores become 0..100. A Normalize() member replaces this; these are the kinds that the host supports.
enum class Normalization : uint32_t {
  kNone = BERTH_NORMALIZE_NONE,        // they are already in 0..100
  kDefault = BERTH_NORMALIZE_DEFAULT,  // 100 * s / max; all zero stays zero
  kReverse = BERTH_NORMALIZE_REVERSE,  // as kDefault, then 100 - s; all zero becomes 100
};

// A kind of event that may help a pod that this plugin rejected.
struct Interest {
  std::string_view resource;  // "Pod", "Node", "storage.k8s.io/CSINode", "*"
  uint32_t actions = BERTH_ACTION_ALL;
  bool ask = true;  // false: every such event retries the pod, although the plugin has Hint() or Hints()
};

}  // namespace berth::sdk
