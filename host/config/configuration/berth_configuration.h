// BerthConfiguration (apiVersion berth.dev/v1alpha1): the settings that kube-scheduler's configuration does not have.
// It is a separate file or another document of the same file. Thread: a value like any other.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/fields/issue.h"
#include "codec/json/value.h"
#include "os/crypto/signature.h"

namespace berth::config {

inline constexpr const char* kBerthApiVersion = "berth.dev/v1alpha1";
inline constexpr const char* kBerthKind = "BerthConfiguration";

// Binds a plugin name of the profiles to a library.
struct PluginBinding {
  std::string name;       // as profiles name it
  std::string library;    // file name in a plugin directory, or a path
  std::string plugin;     // name inside the library; the same unless given
  std::string sha256;     // 64 lower-case hex digits the file must have; empty = any
  bool optional = false;  // while the library is in quarantine, profiles run without it; otherwise they do not run
  json::Mark mark{};
};

struct SecurityRules {
  bool require_digest = false;                   // only libraries pinned by sha256 are loaded
  std::vector<std::string> allowed_directories;  // empty = the plugin directories
  bool check_owner = true;                       // reject files that users other than root and the own user may change
  std::vector<crypto::Ed25519Key> signature_keys;  // empty = no signature is required
};

struct FaultRules {
  std::chrono::nanoseconds call_deadline = std::chrono::seconds(1);  // of one call into a plugin; > 0
  int32_t quarantine_after = 0;                                      // faults of an instance; 0 = never
  // A call with a deadline that takes longer counts as one that never returns; greater than call_deadline.
  std::chrono::nanoseconds hang_after = std::chrono::seconds(2);
  // Of an operation of PreBind or Bind, from the answer LATER to its end; 0 = none.
  std::chrono::nanoseconds op_deadline{0};
};

// What the scheduler does when it no longer holds the Lease.
enum class OnLoss : uint8_t {
  kExit,     // the process ends with code 1, as kube-scheduler's does
  kStandby,  // it stops scheduling and becomes a candidate again
};

struct LeaderElectionRules {
  OnLoss on_loss = OnLoss::kExit;
};

// OpenTelemetry. Source: TracingConfiguration in k8s.io/component-base/tracing/api/v1.
struct TracingRules {
  std::string endpoint = "http://localhost:4318";  // URL of the collector: http or https, without a query
  int32_t sampling_rate_per_million = 0;           // 0 to 1,000,000
};

// The recorded decisions; see docs/decisions.md.
struct DecisionRules {
  int32_t attempts = 10'000;          // the most that are recorded; 0 = none
  int64_t memory_bytes = 64ll << 20;  // the most that they need; > 0
  bool detailed_events = false;       // the Event FailedScheduling says more than kube-scheduler's
  bool annotations = false;           // pods get kube-scheduler-simulator's annotations
  bool operator==(const DecisionRules&) const = default;
};

struct BerthConfiguration {
  std::vector<PluginBinding> plugins;
  SecurityRules security;
  FaultRules faults;
  LeaderElectionRules leader_election;
  DecisionRules decisions;
  std::optional<TracingRules> tracing;  // unset = nothing is traced
  std::optional<int32_t> verbosity;     // of the log, in place of -v; >= 0
  std::optional<int64_t> seed;          // of the generator that breaks ties; unset = from the system
};

// root is an object; the caller has checked its apiVersion and kind.
BerthConfiguration DecodeBerthConfiguration(const json::Value& root, fields::Issues& issues);

}  // namespace berth::config
