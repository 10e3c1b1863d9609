// Updates a client when the files of its configuration change: kubeconfig, certificates, keys, CA bundles, also those
// of a service account. The client keeps the old configuration until the new one is complete and the client accepts it.
// Token files and credential commands update themselves (token_file.h, exec_source.h). Thread: Load and Look on one
// thread at a time. After Start the housekeeping thread looks at the files, and a thread for it applies a change.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/chore.h"
#include "base/result.h"
#include "client/credentials/client_config.h"
#include "client/credentials/environment.h"
#include "client/credentials/load_state.h"
#include "client/http/tls_options.h"

namespace berth::credentials {

class Rotation {
 public:
  // Applies a changed configuration, or returns why it cannot be applied.
  using Use = std::function<base::Result<void>(http::ClientOptions)>;

  Rotation(Target target, ProcessEnvironment process);

  // The first configuration; see LoadClientOptions.
  base::Result<http::ClientOptions> Load();
  // Checks once whether files have changed. Tries a configuration that could not be applied again when the files change
  // again, and every ten seconds.
  void Look(const Use& use);
  // Does what Look does once a second, until this object is destroyed.
  void Start(Use use);

 private:
  bool Due();
  void TryToReload(const Use& use);
  base::Result<void> Reload(const Use& use);

  const Target target_;
  const ProcessEnvironment process_;
  LoadState state_;
  std::string error_;                 // of the last attempt; "" after success
  int64_t tried_ns_ = 0;              // mono
  std::optional<base::Chore> looks_;  // destroyed first
};

}  // namespace berth::credentials
