#include <memory>
#include <utility>

#include "client/credentials/apply.h"
#include "client/credentials/check_exec.h"
#include "client/credentials/files.h"
#include "client/credentials/redact.h"
#include "client/credentials/token_file.h"
#include "codec/text/base64.h"

namespace berth::credentials {
namespace {

using fields::Child;
using Identity = http::TlsOptions::Identity;

// A certificate or key: its data, or the file that holds it.
struct Source {
  std::string file, data;

  bool is_set() const { return !file.empty() || !data.empty(); }
};

// The certificate or the key of a client, and the names of its fields.
struct Half {
  const char* field;     // "client-key"
  const char* go_field;  // the name in client-go's errors
  const char* content;   // "PEM private key"
  bool (*holds)(const std::string&);
};
constexpr Half kCertificate = {"client-certificate", "client-cert", "PEM certificate", HoldsPemCertificate};
constexpr Half kKey = {"client-key", "client-key", "PEM private key", HoldsPemKey};

// The PEM text; a missing text is an issue.
std::string Read(const User& user, const Half& half, const Source& source, FileTexts& files, fields::Issues& issues) {
  const std::string field = Child(user.path, half.field), name = half.go_field;
  if (!source.file.empty() && !source.data.empty()) {
    issues.Add(field, name + "-data and " + name + " are both specified for " + user.name + "; one of them must go");
  }
  std::string pem = source.data;
  if (!source.file.empty()) {
    const base::Result<std::string>& text = files.Read(source.file);
    if (!text) {
      issues.Add(field, "unable to read " + name + " " + ShownPath(source.file) + " for " + user.name + " due to " +
                            text.error().message);
      return {};
    }
    if (pem.empty()) pem = *text;
  }
  if (!half.holds(pem)) {
    issues.Add(source.data.empty() ? field : field + "-data", std::string("holds no ") + half.content);
  }
  return pem;
}

void ApplyIdentity(const User& user, FileTexts& files, http::TlsOptions& tls, fields::Issues& issues) {
  const Source certificate{user.certificate_file, user.certificate_data}, key{user.key_file, user.key_data};
  if (!certificate.is_set()) return;  // client-go ignores a key without a certificate
  Identity identity;
  identity.certificate_pem = Read(user, kCertificate, certificate, files, issues);
  if (!key.is_set()) {
    return issues.Add(user.path, "client-key-data or client-key must be specified for " + user.name +
                                     " to use the clientCert authentication method");
  }
  identity.key_pem = Read(user, kKey, key, files, issues);
  tls.identity = [identity = std::move(identity)]() -> base::Result<Identity> { return identity; };
}

void ApplyBasic(const User& user, fields::Issues& issues, http::ClientOptions& options) {
  if (!user.token.empty()) {
    issues.Add(user.path, "more than one authentication method found for " + user.name +
                              "; found [token basicAuth], only one is allowed");
  } else if (!user.token_file.empty() && !user.username.empty()) {
    issues.Add(user.path, "username/password or bearer token may be set, but not both");
  }
  if (user.username.empty()) return;
  const std::string header = "Basic " + text::EncodeBase64(user.username + ":" + user.password);
  options.authorization = [header]() -> base::Result<std::string> { return header; };
}

void ApplyToken(const User& user, fields::Issues& issues, const base::Clock& clock, http::ClientOptions& options) {
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

void ApplyUser(const User& user, const ProcessEnvironment& process, FileTexts& files, http::ClientOptions& options,
               fields::Issues& issues) {
  ApplyIdentity(user, files, options.tls, issues);
  if (!user.token.empty() || !user.token_file.empty()) ApplyToken(user, issues, *process.clock, options);
  if (!user.username.empty() || !user.password.empty()) ApplyBasic(user, issues, options);
  if (user.exec) CheckExec(user.name, *user.exec, issues);
}

}  // namespace berth::credentials
