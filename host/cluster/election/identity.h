// The identity of a replica: HOSTNAME_UUID. A program that executes itself again after a crash of a plugin passes its
// identity on, so that the next program continues to hold the Lease. Source: cmd/kube-scheduler/app/options/options.go
// makeLeaderElectionConfig. Thread: TakeIdentity at the start of main, before other threads exist; the rest any.
#pragma once

#include <string>
#include <string_view>

namespace berth::election {

// What crash/reexec passes to the next program while the Lease is held.
inline constexpr const char* kIdentityVariable = "BERTH_LEADER_IDENTITY";

// A random UUID (version 4).
std::string NewUuid();
// HOSTNAME_UUID with a new UUID.
std::string NewIdentity(std::string_view hostname);
// Whether text is an identity of that host.
bool IsIdentity(std::string_view text, std::string_view hostname);
// The identity of the previous program, or else a new one. Removes the variable from the environment, so child
// processes do not inherit it.
std::string TakeIdentity(std::string_view hostname);

}  // namespace berth::election
