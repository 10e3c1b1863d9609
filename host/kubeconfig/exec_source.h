// Credentials that a command makes, kept until they expire. The command runs on a thread of the source's own: ahead of
// the expiry, while the old credentials still serve, or when there are none that serve, and then requests wait for it
// without a thread. Source: client-go's plugin/pkg/client/auth/exec, which refreshes when the credentials have expired.
// Thread: any; nothing here blocks but the destructor, which ends a run.
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "kubeconfig/exec_answer.h"
#include "kubeconfig/exec_command.h"

namespace berth::kubeconfig {

class ExecSource {
 public:
  // The clock outlives this.
  ExecSource(ExecCommand command, const base::Clock& clock);
  ~ExecSource();
  ExecSource(const ExecSource&) = delete;

  const ExecCommand& command() const;

  // See http::ClientOptions::ready. Starts a run when one is needed. What the last run said, be it an error, stands for
  // a second, so that those who waited for it do not wait for another one.
  bool Ready(std::function<void()> later);
  // The kept credentials, else what is in their way.
  base::Result<ExecCredentials> Get() const;
  // The server refused the credentials: requests wait for others, unless these were made ten seconds ago or less, since
  // requests that were under way with older ones may have been refused as well.
  void Forget();
  // Counts the changes of the client certificate.
  uint64_t certificate_version() const;

 private:
  struct State;
  const std::shared_ptr<State> state_;  // shared with the thread, which may be the last owner of the source
  std::jthread thread_;
};

}  // namespace berth::kubeconfig
