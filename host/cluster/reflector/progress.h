// How far a reflector has followed the API server, for threads that wait until it has come far enough. Resource
// versions are compared as numbers, which Kubernetes 1.35 and later promise; other texts are never far enough, so that
// only a list counts. Source: KEP-5504 (comparable resource version).
//
// Thread: the reflector's for Reached and Listed; any for the rest. No lock is taken while nothing waits.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>

#include "base/thread_annotations.h"

namespace berth::reflector {

// The number of a resourceVersion; nullopt: it is none.
std::optional<uint64_t> VersionNumber(std::string_view version);

class Progress {
 public:
  // The feed has everything up to this resourceVersion.
  void Reached(std::string_view version);
  // A list is complete that began after the request with this number.
  void Listed(uint64_t request);

  // These wait until the state is reached, and return false if stop is requested or the time has passed before.
  bool WaitForVersion(uint64_t version, std::chrono::nanoseconds time, const std::stop_token& stop);
  // time: nullopt: without a limit.
  bool WaitForList(uint64_t request, std::optional<std::chrono::nanoseconds> time, const std::stop_token& stop);

 private:
  // Waits with wait(lock); the result is its own.
  template <class Fn>
  bool Waiting(Fn wait);
  void Notify();

  std::atomic<uint64_t> reached_{0}, listed_{0};
  std::atomic<int> waiting_{0};
  base::Mutex mutex_;
  std::condition_variable_any changed_;
};

}  // namespace berth::reflector
