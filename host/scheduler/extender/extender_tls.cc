#include "scheduler/extender/extender_tls.h"

#include <utility>

#include "client/credentials/files.h"
#include "telemetry/log/log.h"

namespace berth::extender {
namespace {

using Identity = http::TlsOptions::Identity;

// A text that a tlsConfig contains as data or as a file; data has precedence.
struct Source {
  const char* name;  // such as "cert" for the fields certFile and certData
  const std::string& file;
  const std::string& data;
  bool (*holds)(const std::string&);
  const char* content;

  bool is_set() const { return !file.empty() || !data.empty(); }
  bool is_file() const { return data.empty() && !file.empty(); }
};

base::Result<std::string> Read(const Source& source, const std::string& path) {
  const std::string field = path + "." + source.name + (source.is_file() ? "File: " : "Data: ");
  auto text = source.is_file() ? credentials::ReadSmallFile(source.file) : base::Result<std::string>(source.data);
  if (!text) return base::Fail(field + text.error().message);
  if (!source.holds(*text)) return base::Fail(field + "holds no " + source.content);
  return text;
}

base::Result<void> ReadIdentity(const Source& cert, const Source& key, const std::string& path, http::TlsOptions& tls) {
  if (!cert.is_set() || !key.is_set()) {
    if (cert.is_set() || key.is_set()) {
      log::Warning("A client certificate without its key, or a key without certificate, is not used",
                   {{"field", path}});
    }
    return {};
  }
  auto cert_pem = Read(cert, path);
  if (!cert_pem) return tl::unexpected(cert_pem.error());
  auto key_pem = Read(key, path);
  if (!key_pem) return tl::unexpected(key_pem.error());
  if (!cert.is_file() || !key.is_file()) {
    tls.identity = [identity = Identity{std::move(*cert_pem), std::move(*key_pem)}]() -> base::Result<Identity> {
      return identity;
    };
    return {};
  }
  tls.identity = [cert_file = cert.file, key_file = key.file]() -> base::Result<Identity> {
    auto certificate = credentials::ReadSmallFile(cert_file);
    if (!certificate) return base::Fail("tlsConfig.certFile: " + certificate.error().message);
    auto private_key = credentials::ReadSmallFile(key_file);
    if (!private_key) return base::Fail("tlsConfig.keyFile: " + private_key.error().message);
    return Identity{std::move(*certificate), std::move(*private_key)};
  };
  return {};
}

}  // namespace

base::Result<http::TlsOptions> TlsOf(const config::Extender& extender, const std::string& path) {
  const config::ExtenderTls given = extender.tls.value_or(config::ExtenderTls{});
  const std::string field = path + ".tlsConfig";
  const Source ca{"ca", given.ca_file, given.ca_data, credentials::HoldsPemCertificate, "PEM certificate"};
  const Source cert{"cert", given.cert_file, given.cert_data, credentials::HoldsPemCertificate, "PEM certificate"};
  const Source key{"key", given.key_file, given.key_data.Reveal(), credentials::HoldsPemKey, "PEM private key"};

  http::TlsOptions tls;
  tls.insecure = given.insecure || (extender.enable_https && !ca.is_set());
  tls.server_name = given.server_name;
  if (ca.is_set()) {
    if (tls.insecure) {
      return base::Fail(field + ".insecure: specifying a root certificates file with the insecure flag is not allowed");
    }
    auto authorities = Read(ca, field);
    if (!authorities) return tl::unexpected(authorities.error());
    tls.ca_pem = std::move(*authorities);
  }
  if (auto identity = ReadIdentity(cert, key, field, tls); !identity) return tl::unexpected(identity.error());
  return tls;
}

}  // namespace berth::extender
