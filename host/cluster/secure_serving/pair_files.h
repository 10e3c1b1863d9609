// A serving certificate and its key in two files. Thread: any; values.
// Sources: k8s.io/apiserver pkg/server/dynamiccertificates (dynamic_serving_content.go, dynamic_sni_content.go);
// k8s.io/component-base cli/flag/namedcertkey_flag.go.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "client/http/server_tls.h"

namespace berth::secure_serving {

struct PairFiles {
  std::string purpose;  // "serving-cert"
  std::string certificate, key;
  std::vector<std::string> patterns = {};  // of server names; empty: the names of the certificate

  std::string Name() const { return purpose + "::" + certificate + "::" + key; }  // as upstream logs it
};

// Reads both files and checks that they belong together. Errors are upstream's: "missing filename for serving cert",
// "open /x: no such file or directory", "tls: private key does not match public key".
base::Result<http::ServingPair> ReadPair(const PairFiles& files);

// value: of --tls-sni-cert-key after parsing, "cert,key[:name,...]".
PairFiles SniFilesOf(const std::string& value);

}  // namespace berth::secure_serving
