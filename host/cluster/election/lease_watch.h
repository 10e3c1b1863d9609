// Watches a Lease and reports its changes, so that a follower does not wait for its next try: it acquires a released
// Lease at once, and knows the time of each renewal. The election does not depend on it: it only makes the try
// earlier.
//
// Thread: its own, on which it calls on_change; the other functions any. Ownership: transport must outlive it. Errors:
// the first failure is logged once; the watch starts again, after a minute if the server refuses it, else sooner.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "client/http/transport.h"
#include "cluster/election/election_options.h"

namespace berth::election {

// Whether a line of the watch shows a change of the Lease. false for bookmarks, errors, and any other text.
bool ShowsChange(std::string_view line);

class LeaseWatch {
 public:
  LeaseWatch(http::Transport& transport, const ElectionOptions& options, std::function<void()> on_change,
             uint64_t seed);

  // The watch ends soon; the destructor waits for it.
  void RequestStop() { thread_.request_stop(); }
  bool stopping() const { return thread_.get_stop_token().stop_requested(); }

 private:
  void Loop(const std::stop_token& stop);
  http::Reply WatchOnce(const std::stop_token& stop, int64_t timeout_seconds);
  void ReportFailure(const std::string& why);

  http::Transport& transport_;
  const ElectionOptions options_;
  const std::function<void()> on_change_;
  const uint64_t seed_;
  bool failing_ = false;  // for the thread only
  std::jthread thread_;
};

}  // namespace berth::election
