// For tests of TLS: certificates, made once by the openssl tool, and servers that show them (tls_server.py).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace berth::http {

// A temporary directory; the destructor removes it. Files: ca, other-ca; of ca: server (names: localhost,
// kubernetes.default.svc; addresses: 127.0.0.1, ::1), expired (for 127.0.0.1), nameless (common name only),
// a.example.com (common name only), wildcard (*.example.com), valid (valid.example.org), client-1, client-2; of
// other-ca: other-server (for 127.0.0.1); client-1-encrypted.key; rsa.key. Each has .crt and .key.
class Certificates {
 public:
  Certificates();
  ~Certificates();
  Certificates(const Certificates&) = delete;
  std::string Path(const std::string& file) const { return directory_ + "/" + file; }
  std::string Pem(const std::string& file) const;

 private:
  std::string directory_;
};

class TlsServer {
 public:
  // name: the certificate that it shows. arguments: more arguments for tls_server.py.
  TlsServer(const Certificates& certificates, const std::string& name, const std::vector<std::string>& arguments = {})
      : TlsServer(certificates.Path(name), arguments) {}
  // files: the certificate and key, without ".crt" and ".key". The server reads them for each connection.
  explicit TlsServer(const std::string& files, const std::vector<std::string>& arguments = {});
  ~TlsServer();
  TlsServer(const TlsServer&) = delete;
  void CloseConnections();
  uint16_t port() const { return port_; }
  std::string url(const std::string& host = "127.0.0.1") const {
    return "https://" + host + ":" + std::to_string(port_);
  }

 private:
  pid_t pid_ = -1;
  int stdin_ = -1;
  uint16_t port_ = 0;
};

}  // namespace berth::http
