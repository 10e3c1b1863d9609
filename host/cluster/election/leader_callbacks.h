// What an election reports. Source: k8s.io/client-go/tools/leaderelection LeaderCallbacks. Thread: the I/O
// thread, which sends no renewal during a call, so that a call must not block; AwaitAnswers another one.
#pragma once

#include <string>

namespace berth::election {

enum class EndReason : unsigned char {
  kStopped,  // the stop token ended the election; a Lease that was held is released
  kLost,     // the Lease was not renewed within renewDeadline; Run can be called again
};

// A core/v1 Event on the Lease: type Normal, reason LeaderElection, source.component = the first profile's name.
struct LeaderEvent {
  std::string ns, name, uid, resource_version;  // of the Lease
  std::string message;                          // "IDENTITY became leader"
};

class LeaderCallbacks {
 public:
  virtual ~LeaderCallbacks() = default;
  // The fence holds already. Returns soon.
  virtual void OnStartedLeading() = 0;
  // Called once for each OnStartedLeading. The fence no longer holds.
  virtual void OnStoppedLeading(EndReason reason) = 0;
  // Called after that, on a thread that may block. Returns whether the Lease may be released: no request of this
  // process can still change an object. May wait for that; followers wait for the end of the Lease.
  virtual bool AwaitAnswers() = 0;
  // Another identity holds the Lease, or none: "".
  virtual void OnNewLeader(const std::string& identity) { static_cast<void>(identity); }
  virtual void OnEvent(LeaderEvent event) { static_cast<void>(event); }
};

}  // namespace berth::election
