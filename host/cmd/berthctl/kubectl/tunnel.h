// `kubectl port-forward` to a pod. The API server and the kubelet lead its port on this machine to the pod; they check
// that the user may do that, and verify neither what listens there nor who connects here. Thread: main. Ownership: the
// tunnel owns the kubectl, which ends with it and with this process, except after SIGKILL or a crash.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "cmd/berthctl/kubectl/kubectl.h"

namespace berth::ctl {

class Tunnel {
 public:
  // Blocks until kubectl listens, at most two minutes. Error: kubectl has ended, with its reason.
  static base::Result<std::unique_ptr<Tunnel>> Open(const Kubectl& kubectl, const std::string& name_space,
                                                    const std::string& pod, int32_t port);

  // "127.0.0.1:41507"
  const std::string& address() const { return address_; }
  // What kubectl has complained about so far.
  std::string Errors() { return program_->program().Errors(); }

 private:
  Tunnel(std::unique_ptr<os::GuardedProgram> program, std::string address)
      : program_(std::move(program)), address_(std::move(address)) {}

  const std::unique_ptr<os::GuardedProgram> program_;
  const std::string address_;
};

}  // namespace berth::ctl
