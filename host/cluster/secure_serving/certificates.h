// All certificates of --secure-port, and their files: when a file changes, connections from then on see the new
// certificate. A pair that cannot be read, or whose key belongs to another certificate, is logged, and the old pair
// stays. Source: k8s.io/apiserver pkg/server/dynamiccertificates (DynamicCertKeyPairContent,
// DynamicServingCertificateController).
// Thread: one at a time. Ownership: tls is shared with the listener.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "client/http/server_tls.h"
#include "cluster/secure_serving/pair_files.h"
#include "config/options/options.h"

namespace berth::secure_serving {

class Certificates {
 public:
  // Reads all pairs, or makes a self-signed one (main_pair.h), and shows them.
  static base::Result<Certificates> Load(const options::Serving& serving, std::shared_ptr<http::ServerTls> tls);

  // Compares the content of the files with what is shown. Reads some KiB.
  void Poll();

 private:
  struct Pair {
    std::optional<PairFiles> files;
    http::ServingPair shown;
    std::string mistake;  // the last one that was logged; "" = none since the last good content
  };
  explicit Certificates(std::shared_ptr<http::ServerTls> tls) : tls_(std::move(tls)) {}
  base::Result<void> Add(const PairFiles& sni);
  base::Result<void> Show();
  // True: the pair has new content.
  static bool Renew(Pair& pair);

  std::shared_ptr<http::ServerTls> tls_;
  Pair main_;
  std::vector<Pair> named_;
};

}  // namespace berth::secure_serving
