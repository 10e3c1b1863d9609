// Watches a Lease and reports its changes, so that a follower does not wait for its next try: it acquires a released
// Lease at once, and knows the time of each renewal. The election does not depend on it: it only makes the try
// earlier.
//
// Thread: the I/O thread; on_change is called on threads of the transport. Ownership: transport must outlive it.
// Errors: the first failure is logged once; the watch starts again, after a minute if the server refuses it, else
// sooner.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/async.h"
#include "base/random.h"
#include "client/http/transport.h"
#include "cluster/election/election_options.h"

namespace berth::election {

// Whether a line of the watch shows a change of the Lease. false for bookmarks, errors, and any other text.
bool ShowsChange(std::string_view line);

class LeaseWatch {
 public:
  LeaseWatch(http::Transport& transport, const ElectionOptions& options, std::function<void()> on_change,
             uint64_t seed);

  // The watch ends soon; before the destruction, End must have ended.
  void RequestStop() { stop_.request_stop(); }
  bool stopping() const { return stop_.stop_requested(); }
  // Stops the watch, and ends with it.
  base::Async<void> End();

 private:
  base::Async<void> Loop();
  base::Async<http::Reply> WatchOnce(int64_t timeout_seconds);
  void ReportFailure(const std::string& why);

  http::Transport& transport_;
  const ElectionOptions options_;
  const std::function<void()> on_change_;
  base::Random random_;
  bool failing_ = false;
  std::stop_source stop_;
  const std::shared_ptr<base::Bell> ended_ = std::make_shared<base::Bell>();
};

}  // namespace berth::election
