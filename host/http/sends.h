// The Sends of one transport: those on their way and those that wait for their turn. Sees to it that each is answered
// once, whatever comes first: the reply or the end of the transport. Few connections serve short bursts; see
// ClientOptions::eager_parallel_sends.
// Thread: any. Ownership: held by the transport and by every send on its way, so it outlives the transport if need be.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "http/connections.h"
#include "http/transport.h"

namespace berth::http {

class Sends : public std::enable_shared_from_this<Sends> {
 public:
  using Done = std::function<void(Reply)>;

  // peer: the first one, whose limits count.
  Sends(std::shared_ptr<Peer> peer, std::shared_ptr<CurrentConnections> connections);
  // After Close, done is called at once.
  void Send(Request request, Done done);
  // Asks again for credentials on behalf of those who wait for some.
  void AskAgain();
  // The server answered 401 over these.
  void Refused(const Connections& connections);
  // No done runs after the return; those still owed are called by this, with an error. Not to be called by a done.
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
    Pipe::Cancel cancel;
  };

  // Starts those whose turn has come, and sees to it that the next is thought of when it comes.
  void Admit();
  void AdmitAt(Clock::time_point when);  // under the lock
  // Under the lock. false: a later Admit is seen to.
  bool HasCredentials(const Connections& connections);
  void Start(Request request, Done done, const std::shared_ptr<Connections>& connections);  // under the lock
  void Finish(Call& call, Reply reply);
  Reply Abandoned(const std::string& method, const std::string& path, bool maybe_delivered) const;

  const std::shared_ptr<Peer> peer_;
  const std::shared_ptr<CurrentConnections> connections_;
  std::mutex mutex_;  // guards what follows
  bool closed_ = false;
  bool timed_ = false;         // an Admit is on its way
  bool asked_ = false;         // for credentials, and AskAgain is to follow
  Clock::time_point widened_;  // when a send beyond the eager ones was started last
  std::deque<Waiting> waiting_;
  std::unordered_map<Call*, Running> running_;
};

}  // namespace berth::http
