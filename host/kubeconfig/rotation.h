// Keeps a client up to date with the files that say where the API server is, whom to trust and who we are: kubeconfig,
// certificates, keys, authorities, those of a service account too. A new configuration comes into use when it can be
// read as a whole and the client accepts it; until then the old one stays. Token files and credential commands renew
// themselves (token_file.h, exec_source.h).
// Thread: Load and Look on one thread at a time; Start moves Look to a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "base/result.h"
#include "http/tls_options.h"
#include "kubeconfig/client_config.h"
#include "kubeconfig/sources.h"
#include "kubeconfig/surroundings.h"

namespace berth::kubeconfig {

class Rotation {
 public:
  // Takes a changed configuration into use, or says why it cannot be.
  using Use = std::function<base::Result<void>(http::ClientOptions)>;

  Rotation(Target target, Surroundings surroundings);

  // The configuration to begin with; see LoadClientOptions.
  base::Result<http::ClientOptions> Load();
  // Looks once whether files have changed. What could not be taken into use is tried again when they change again, and
  // every ten seconds.
  void Look(const Use& use);
  // Looks once a second, until this is destroyed.
  void Start(Use use);

 private:
  base::Result<void> Reload(const Use& use);

  const Target target_;
  const Surroundings surroundings_;
  Sources sources_;
  std::string error_;     // of the last try; "" when it came into use
  int64_t tried_ns_ = 0;  // mono
  std::jthread thread_;
};

}  // namespace berth::kubeconfig
