#include <memory>
#include <utility>

#include "config/base64.h"
#include "kubeconfig/apply.h"
#include "kubeconfig/check_exec.h"
#include "kubeconfig/discretion.h"
#include "kubeconfig/files.h"
#include "kubeconfig/token_file.h"

namespace berth::kubeconfig {
namespace {

using config::Child;
using Identity = http::TlsOptions::Identity;

// A certificate or key: its data, or the file that is read anew for each connection.
struct Source {
  std::string file, data;

  bool is_set() const { return !file.empty() || !data.empty(); }
  base::Result<std::string> Read() const { return data.empty() ? ReadSmallFile(file) : data; }
};

// One half of a client's identity, as its fields are called.
struct Half {
  const char* field;     // "client-key"
  const char* go_field;  // what client-go's errors call it
  const char* content;   // "PEM private key"
  bool (*holds)(const std::string&);
};
constexpr Half kCertificate = {"client-certificate", "client-cert", "PEM certificate", HoldsPemCertificate};
constexpr Half kKey = {"client-key", "client-key", "PEM private key", HoldsPemKey};

void Check(const User& user, const Half& half, const Source& source, config::Issues& issues) {
  const std::string field = Child(user.path, half.field), name = half.go_field;
  if (!source.file.empty() && !source.data.empty()) {
    issues.Add(field, name + "-data and " + name + " are both specified for " + user.name + "; one of them must go");
  }
  if (!source.file.empty()) {
    if (const auto text = ReadSmallFile(source.file); !text) {
      return issues.Add(field, "unable to read " + name + " " + ShownPath(source.file) + " for " + user.name +
                                   " due to " + text.error().message);
    }
  }
  const base::Result<std::string> text = source.Read();
  if (text && !half.holds(*text)) {
    issues.Add(source.data.empty() ? field : field + "-data", std::string("holds no ") + half.content);
  }
}

void ApplyIdentity(const User& user, config::Issues& issues, http::TlsOptions& tls) {
  const Source certificate{user.certificate_file, user.certificate_data}, key{user.key_file, user.key_data};
  if (!certificate.is_set()) return;  // client-go does not look at a key alone
  Check(user, kCertificate, certificate, issues);
  if (!key.is_set()) {
    return issues.Add(user.path, "client-key-data or client-key must be specified for " + user.name +
                                     " to use the clientCert authentication method");
  }
  Check(user, kKey, key, issues);
  tls.identity = [certificate, key]() -> base::Result<Identity> {
    base::Result<std::string> certificate_pem = certificate.Read();
    if (!certificate_pem) return base::Fail("client-certificate: " + certificate_pem.error().message);
    base::Result<std::string> key_pem = key.Read();
    if (!key_pem) return base::Fail("client-key: " + key_pem.error().message);
    return Identity{std::move(*certificate_pem), std::move(*key_pem)};
  };
}

void ApplyBasic(const User& user, config::Issues& issues, http::ClientOptions& options) {
  if (!user.token.empty()) {
    issues.Add(user.path, "more than one authentication method found for " + user.name +
                              "; found [token basicAuth], only one is allowed");
  } else if (!user.token_file.empty() && !user.username.empty()) {
    issues.Add(user.path, "username/password or bearer token may be set, but not both");
  }
  if (user.username.empty()) return;
  const std::string header = "Basic " + config::EncodeBase64(user.username + ":" + user.password);
  options.authorization = [header]() -> base::Result<std::string> { return header; };
}

void ApplyToken(const User& user, config::Issues& issues, const base::Clock& clock, http::ClientOptions& options) {
  if (!user.token.empty() && !IsHeaderToken(user.token)) {
    return issues.Add(Child(user.path, "token"), "has characters that no token has");
  }
  if (user.token_file.empty()) {
    const std::string header = "Bearer " + user.token;
    options.authorization = [header]() -> base::Result<std::string> { return header; };
    return;
  }
  const auto source = std::make_shared<TokenFile>(user.token_file, user.token, clock);
  if (const auto token = source->Token(); !token) {
    return issues.Add(Child(user.path, "tokenFile"), token.error().message);
  }
  options.authorization = BearerFrom(source);
  options.unauthorized = [source] { source->Forget(); };
}

}  // namespace

void ApplyUser(const User& user, config::Issues& issues, const base::Clock& clock, http::ClientOptions& options) {
  ApplyIdentity(user, issues, options.tls);
  if (!user.token.empty() || !user.token_file.empty()) ApplyToken(user, issues, clock, options);
  if (!user.username.empty() || !user.password.empty()) ApplyBasic(user, issues, options);
  if (user.exec) CheckExec(user.name, *user.exec, issues);
}

}  // namespace berth::kubeconfig
