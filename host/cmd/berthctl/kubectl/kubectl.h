// Runs the user's kubectl, with the kubeconfig and the context that the user chose. Thread: main, before the process
// has other threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/credentials/environment.h"
#include "os/subprocess/guarded_program.h"

namespace berth::ctl {

struct KubectlChoice {
  std::string kubeconfig, context;  // as the flags of kubectl; "" = kubectl's defaults
};

class Kubectl {
 public:
  // Error: no directory of PATH has a kubectl.
  static base::Result<Kubectl> Find(const KubectlChoice& choice, const credentials::Environment& environment);

  // Starts `kubectl ARGUMENTS`, which ends with this process.
  base::Result<std::unique_ptr<os::GuardedProgram>> Start(const std::vector<std::string>& arguments) const;
  // Its standard output, after it has ended. Error: what kubectl has written to standard error. No answer of the API
  // server for 30 seconds, or no end for two minutes, in which the user may log in, is an error as well.
  base::Result<std::string> Run(std::vector<std::string> arguments) const;

 private:
  Kubectl() = default;

  std::string path_;
  std::vector<std::string> environment_, flags_;
};

// "kubectl get lease: TEXT": the error of a kubectl. errors: of its standard error.
std::string KubectlError(const std::vector<std::string>& arguments, const std::string& errors);

}  // namespace berth::ctl
