// Limits the parallel requests of one transport and queues the others. Each request is answered exactly once, by its
// reply or by the end of the transport. Few connections serve short bursts; see ClientOptions::eager_parallel_sends.
// Thread: any. Ownership: shared by the transport and every send in flight; it may outlive the transport.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>

#include "base/thread_annotations.h"
#include "client/http/connections.h"
#include "client/http/transport.h"

namespace berth::http {

class RequestLimiter : public std::enable_shared_from_this<RequestLimiter> {
 public:
  using Done = std::function<void(Reply)>;

  // peer: the first one; its limits apply.
  RequestLimiter(std::shared_ptr<Peer> peer, std::shared_ptr<CurrentConnections> connections);
  // After Close, done is called at once.
  void Send(Request request, Done done);
  // Checks again whether credentials are ready for the waiting requests.
  void AskAgain();
  // The server answered 401 over these.
  void Refused(const Connections& connections);
  // Calls the remaining done functions with an error; none runs after the return. A done must not call it.
  void Close();

 private:
  using Clock = std::chrono::steady_clock;
  class Call;
  struct Waiting {
    Request request;
    Done done;
    Clock::time_point since;
  };
  struct Running {
    std::shared_ptr<Call> call;
    Connection::Cancel cancel;
  };

  // Starts the requests whose turn it is, and schedules the next call.
  void Admit();
  void AdmitAt(Clock::time_point when) REQUIRES(mutex_);
  // false: a later Admit is scheduled.
  bool HasCredentials(const Connections& connections) REQUIRES(mutex_);
  void Start(Request request, Done done, const std::shared_ptr<Connections>& connections) REQUIRES(mutex_);
  void Finish(Call& call, Reply reply);
  Reply Abandoned(const std::string& method, const std::string& path, bool maybe_delivered) const;

  const std::shared_ptr<Peer> peer_;
  const std::shared_ptr<CurrentConnections> connections_;
  base::Mutex mutex_;
  bool closed_ GUARDED_BY(mutex_) = false;
  bool timed_ GUARDED_BY(mutex_) = false;         // an Admit is scheduled
  bool asked_ GUARDED_BY(mutex_) = false;         // for credentials; AskAgain follows
  Clock::time_point widened_ GUARDED_BY(mutex_);  // when the last send beyond the eager ones started
  std::deque<Waiting> waiting_ GUARDED_BY(mutex_);
  std::unordered_map<Call*, Running> running_ GUARDED_BY(mutex_);
};

}  // namespace berth::http
