// The certificate of --secure-port for clients that no --tls-sni-cert-key is for: the files of --tls-cert-file and
// --tls-private-key-file, or the pair in --cert-dir that is named after the program (kube-scheduler.crt and
// kube-scheduler.key), which is made and stored when both files are missing, or a self-signed certificate in memory.
// Source: k8s.io/apiserver pkg/server/options/serving.go MaybeDefaultWithSelfSignedCerts; k8s.io/client-go
// util/cert/io.go. Thread: main, at start.
#pragma once

#include <optional>

#include "base/result.h"
#include "client/http/server_tls.h"
#include "cluster/secure_serving/pair_files.h"
#include "config/options/options.h"

namespace berth::secure_serving {

struct MainPair {
  std::optional<PairFiles> files;  // none: the pair is in memory
  http::ServingPair pair;
};

// Errors are upstream's.
base::Result<MainPair> LoadMainPair(const options::Serving& serving);

}  // namespace berth::secure_serving
