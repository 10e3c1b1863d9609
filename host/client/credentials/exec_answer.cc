#include "client/credentials/exec_answer.h"

#include "client/credentials/files.h"
#include "client/credentials/kubeconfig_fields.h"
#include "client/credentials/token_file.h"
#include "codec/text/rfc3339.h"
#include "codec/yaml/yaml_documents.h"

namespace berth::credentials {
namespace {

using json::Value;

base::Result<Value> ReadAnswer(const std::string& output) {
  Value root;
  bool first = true;
  const auto fault = yaml::ForEachYamlDocument(output, {}, [&](yaml::YamlDocument document) {
    if (first) root = std::move(document.root);
    first = false;
  });
  if (fault) {
    return base::Fail("decoding stdout: line " + std::to_string(fault->mark.line) + ", column " +
                      std::to_string(fault->mark.column) + ": neither JSON nor YAML");
  }
  if (!root.is_object()) return base::Fail("decoding stdout: " + WrongKind("an object", root));
  return root;
}

base::Result<void> CheckKind(const std::string& kind, const std::string& version, const std::string& wanted) {
  if (kind != "ExecCredential") return base::Fail("decoding stdout: its kind is not ExecCredential");
  if (version == wanted) return {};
  const bool known = version == kExecV1 || version == kExecV1beta1;
  return base::Fail("exec plugin is configured to use API version " + wanted + ", plugin returned version " +
                    (known ? version : "that is none of client.authentication.k8s.io"));
}

base::Result<void> CheckContent(const ExecCredentials& found) {
  if (found.token.empty() && found.certificate_pem.empty() && found.key_pem.empty()) {
    return base::Fail("exec plugin didn't return a token or cert/key pair");
  }
  if (found.certificate_pem.empty() != found.key_pem.empty()) {
    return base::Fail("exec plugin returned only certificate or key, not both");
  }
  if (!found.token.empty() && !IsHeaderToken(found.token)) {
    return base::Fail("exec plugin returned a token with characters that no token has");
  }
  if (!found.certificate_pem.empty() && !HoldsPemCertificate(found.certificate_pem)) {
    return base::Fail("failed parsing client key/certificate: clientCertificateData holds no PEM certificate");
  }
  if (!found.key_pem.empty() && !HoldsPemKey(found.key_pem)) {
    return base::Fail("failed parsing client key/certificate: clientKeyData holds no PEM private key");
  }
  return {};
}

}  // namespace

base::Result<ExecCredentials> ParseExecAnswer(const std::string& output, const std::string& api_version) {
  const base::Result<Value> root = ReadAnswer(output);
  if (!root) return tl::unexpected(root.error());
  fields::Issues issues("stdout", *root);
  KubeconfigFields top(*root, "", issues);
  const std::string kind = top.TextAt("kind"), version = top.TextAt("apiVersion");
  if (const auto fits = CheckKind(kind, version, api_version); !fits) return tl::unexpected(fits.error());
  const Value& object = top.ObjectAt("status");
  if (object.is_null() && issues.empty()) return base::Fail("exec plugin didn't return a status field");
  KubeconfigFields status(object, "status", issues);
  ExecCredentials found;
  found.token = status.TextAt("token");
  found.certificate_pem = status.TextAt("clientCertificateData");
  found.key_pem = status.TextAt("clientKeyData");
  const std::string expiry = status.TextAt("expirationTimestamp");
  int64_t unix_ns = 0;
  if (!expiry.empty() && !text::ParseRfc3339(expiry, unix_ns)) {
    issues.Add("status.expirationTimestamp", "is no time of RFC 3339");
  }
  if (!expiry.empty()) found.expires_unix_ns = unix_ns;
  if (!issues.empty()) return base::Fail("decoding " + issues.Take().front().Text());
  if (const auto fits = CheckContent(found); !fits) return tl::unexpected(fits.error());
  return found;
}

}  // namespace berth::credentials
