// The credentials of a command, kept until they expire. The command runs on a thread of the source: before the expiry,
// while the old credentials are still valid, or when there are no valid credentials; then requests wait for it without
// a thread. Source: client-go's plugin/pkg/client/auth/exec, which refreshes the credentials after they have expired.
// Thread: any; only the destructor blocks, which kills a running command.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "client/credentials/exec_answer.h"
#include "client/credentials/exec_command.h"

namespace berth::credentials {

class ExecSource {
 public:
  // The clock outlives this.
  ExecSource(ExecCommand command, const base::Clock& clock);
  ~ExecSource();
  ExecSource(const ExecSource&) = delete;

  const ExecCommand& command() const;

  // See http::ClientOptions::ready. Starts a run when one is needed. The result of a run, also an error, is valid for a
  // second, so that the requests that waited for it do not wait for another run.
  bool Ready(std::function<void()> later);
  // The kept credentials, else the error of the last run.
  base::Result<ExecCredentials> Get() const;
  // The server rejected the credentials: requests wait for new ones. Credentials that are at most ten seconds old stay,
  // because the rejected request may have used older ones.
  void Forget();
  // Counts the changes of the client certificate.
  uint64_t certificate_version() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;  // shared with the thread, which may be the last owner of the source
  std::jthread thread_;
};

}  // namespace berth::credentials
