// A scripted API server for reviews, and CAs without cryptography. Thread: any, concurrently.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/access/delegation.h"
#include "codec/json/value.h"
#include "fake_transport.h"

namespace berth::access {

// The bundle "CA a" signs the certificates "a/NAME/GROUP,GROUP".
inline base::Result<Verifier> MakeFakeVerifier(const std::string& ca_pem) {
  if (!ca_pem.starts_with("CA ")) return base::Fail("data does not contain any valid RSA or ECDSA certificates");
  return Verifier(
      [ca = ca_pem.substr(3) + "/"](const std::vector<std::string>& chain) -> base::Result<http::ClientName> {
        const std::string& text = chain.front();
        if (!text.starts_with(ca)) return base::Fail("x509: certificate signed by unknown authority");
        const size_t slash = text.find('/', ca.size());
        http::ClientName name;
        name.common_name = text.substr(ca.size(), slash - ca.size());
        if (slash != std::string::npos && slash + 1 < text.size()) name.organizations = {text.substr(slash + 1)};
        name.sha256 = "5a";
        return name;
      });
}

inline http::Incoming Get(const std::string& path, http::Headers headers = {}) {
  http::Incoming request;
  request.path = path;
  request.headers = std::move(headers);
  request.tls = true;
  return request;
}

inline http::Incoming WithCertificate(http::Incoming request, const std::string& certificate) {
  request.client_certificates = {certificate};
  return request;
}

inline http::Headers Bearer(const std::string& token) { return {{"authorization", "Bearer " + token}}; }

constexpr const char* kTokenPath = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr const char* kAccessPath = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
constexpr const char* kSettingsPath = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

// status of a v1.Status.
inline std::string Failure(const std::string& reason, int code, const std::string& message) {
  return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" + message +
         R"(","reason":")" + reason + R"(","code":)" + std::to_string(code) + "}";
}

// Knows the tokens "alice" and "master"; allows alice to get /metrics. Set the public fields before the first request.
class ApiServer {
 public:
  ApiServer() {
    transport.answer = [this](const http::Request& request) { return Answer(request); };
  }
  http::FakeTransport transport;
  http::Reply settings = http::ReplyOf(404, Failure("NotFound", 404, "configmaps not found"));
  std::map<std::string, http::Reply> instead;  // by path

  size_t CountOf(const std::string& path) const {
    size_t n = 0;
    for (const http::Request& request : transport.requests()) n += request.path == path ? 1 : 0;
    return n;
  }
  std::vector<std::string> BodiesOf(const std::string& path) const {
    std::vector<std::string> bodies;
    for (const http::Request& request : transport.requests()) {
      if (request.path == path) bodies.push_back(request.body);
    }
    return bodies;
  }

 private:
  http::Reply Answer(const http::Request& request) const {
    if (const auto found = instead.find(request.path); found != instead.end()) return found->second;
    if (request.path == kSettingsPath) return settings;
    const json::Value review = *json::Parse(request.body);
    if (request.path == kTokenPath) return http::ReplyOf(201, TokenAnswer(json::TextAt(review, "spec.token")));
    return http::ReplyOf(201, AccessAnswer(review));
  }
  static std::string TokenAnswer(const std::string& token) {
    if (token == "alice") {
      return R"({"status":{"authenticated":true,"user":{"username":"alice","uid":"u-1","groups":["dev"],
                "extra":{"scopes":["a","b"]}}}})";
    }
    if (token == "master")
      return R"({"status":{"authenticated":true,"user":{"username":"m","groups":["system:masters"]}}})";
    if (token == "silent") return R"({"status":{"authenticated":false}})";
    return R"({"status":{"user":{},"error":"[invalid bearer token, Token has been invalidated]"}})";
  }
  static std::string AccessAnswer(const json::Value& review) {
    const std::string user = json::TextAt(review, "spec.user");
    const std::string path = json::TextAt(review, "spec.nonResourceAttributes.path");
    if (user == "alice" && path == "/metrics") return R"({"status":{"allowed":true,"reason":"RBAC: allowed"}})";
    if (path == "/torn") return R"({"status":{"allowed":true,"denied":true}})";
    if (path == "/reason") return R"({"status":{"allowed":false,"reason":"not you"}})";
    return R"({"status":{"allowed":false}})";
  }
};

}  // namespace berth::access
