// Extenders with TLS: verification of the server and client certificates.
#include <gmock/gmock.h>

#include <filesystem>

#include "fake_server.h"
#include "http2_server.h"
#include "tls_server.h"

namespace berth::extender {
namespace {

using testing::HasSubstr;

class Https : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    certificates = new http::Certificates;
    const std::vector<std::string> reply{"--reply", R"({"NodeNames":["node1"]})"};
    server = new http::TlsServer(*certificates, "server", reply);
    picky =
        new http::TlsServer(*certificates, "server", {reply[0], reply[1], "--client-ca", certificates->Path("ca.crt")});
  }
  static void TearDownTestSuite() {
    delete picky;
    delete server;
    delete certificates;
  }

  // Returns "ok" or the error.
  static std::string Send(const std::string& url, const std::function<void(config::Extender&)>& change) {
    const auto filtered = MakeOne(url, change)->Filter(kPod, kTwoNodes);
    if (!filtered) return filtered.error().message;
    return filtered->passed == std::vector<uint32_t>{0} ? "ok" : "wrong nodes";
  }
  static void Identify(config::ExtenderTls& tls) {
    tls.ca_data = certificates->Pem("ca.crt");
    tls.cert_file = certificates->Path("client-1.crt");
    tls.key_file = certificates->Path("client-1.key");
  }

  static inline http::Certificates* certificates;
  static inline http::TlsServer *server, *picky;
};

TEST_F(Https, WithoutAuthoritiesUsesThoseOfTheSystem) {
  EXPECT_THAT(Send(server->url(), [](auto&) {}), HasSubstr("x509: certificate signed by unknown authority"));
}

TEST_F(Https, EnableHttpsWithoutAuthoritiesVerifiesNothing) {
  EXPECT_EQ(Send(server->url(), [](auto& c) { c.enable_https = true; }), "ok");
}

TEST_F(Https, EnableHttpsWithAuthoritiesVerifies) {
  const auto trusting = [](const std::string& ca) {
    return [ca](config::Extender& c) {
      c.enable_https = true;
      c.tls.emplace().ca_file = certificates->Path(ca);
    };
  };
  EXPECT_EQ(Send(server->url(), trusting("ca.crt")), "ok");
  EXPECT_THAT(Send(server->url(), trusting("other-ca.crt")),
              HasSubstr("x509: certificate signed by unknown authority"));
}

TEST_F(Https, InsecureVerifiesNothing) {
  EXPECT_EQ(Send(server->url(), [](auto& c) { c.tls.emplace().insecure = true; }), "ok");
}

TEST_F(Https, ServerNameIsConfigurable) {
  const auto named = [](const std::string& name) {
    return [name](config::Extender& c) {
      c.tls.emplace().ca_data = certificates->Pem("ca.crt");
      c.tls->server_name = name;
    };
  };
  EXPECT_EQ(Send(server->url(), named("kubernetes.default.svc")), "ok");
  EXPECT_THAT(Send(server->url(), named("elsewhere")), HasSubstr("x509: certificate is not valid for elsewhere"));
}

TEST_F(Https, SendsTheClientCertificate) {
  EXPECT_NE(Send(picky->url(), [](auto& c) { c.tls.emplace().ca_data = certificates->Pem("ca.crt"); }), "ok");
  EXPECT_EQ(Send(picky->url(), [](auto& c) { Identify(c.tls.emplace()); }), "ok");
  EXPECT_EQ(Send(picky->url(),
                 [](auto& c) {
                   Identify(c.tls.emplace());
                   c.tls->cert_data = certificates->Pem("client-1.crt");
                   c.tls->key_data = certificates->Pem("client-1.key");
                   c.tls->cert_file = c.tls->key_file = "/data/comes/first";
                 }),
            "ok");
}

TEST_F(Https, SpeaksHttp2UnlessTheEnvironmentDisablesIt) {
  const http::Http2Server http2(certificates->Path("server"));  // answers nothing else
  const auto trusting = [](config::Extender& c) { c.tls.emplace().ca_data = certificates->Pem("ca.crt"); };
  (void)MakeOne(http2.url(), trusting, {{"DISABLE_HTTP2", "true"}})->Filter(kPod, kTwoNodes);
  EXPECT_EQ(http2.requests(), 0);
  (void)MakeOne(http2.url(), trusting)->Filter(kPod, kTwoNodes);
  EXPECT_EQ(http2.requests(), 1);
}

TEST_F(Https, IdentityFilesAreReadAgain) {
  const std::string cert = certificates->Path("rotated.crt"), key = certificates->Path("rotated.key");
  const auto put = [&](const std::string& name) {
    const auto over = std::filesystem::copy_options::overwrite_existing;
    std::filesystem::copy_file(certificates->Path(name + ".crt"), cert, over);
    std::filesystem::copy_file(certificates->Path(name + ".key"), key, over);
  };
  put("other-ca");  // unknown to the server
  const auto extender = MakeOne(picky->url(), [&](auto& c) {
    Identify(c.tls.emplace());
    c.tls->cert_file = cert;
    c.tls->key_file = key;
  });
  EXPECT_FALSE(extender->Filter(kPod, kTwoNodes));
  put("client-2");
  const auto filtered = extender->Filter(kPod, kTwoNodes);
  EXPECT_TRUE(filtered) << filtered.error().message;
}

}  // namespace
}  // namespace berth::extender
