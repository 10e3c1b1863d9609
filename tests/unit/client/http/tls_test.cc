// Trusted CAs and client certificates, against a real TLS server on loopback.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/http/rest_client.h"
#include "raw_server.h"
#include "tls_server.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr char kUnknown[] = ": tls: failed to verify certificate: x509: certificate signed by unknown authority";

class Tls : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    certificates = new Certificates;
    server = new TlsServer(*certificates, "server");
    picky_server = new TlsServer(*certificates, "server", {"--client-ca", certificates->Path("ca.crt")});
  }
  static void TearDownTestSuite() {
    delete picky_server;
    delete server;
    delete certificates;
  }

  static TlsOptions Trusting(const std::string& ca) { return {.ca_pem = certificates->Pem(ca + ".crt")}; }
  static TlsOptions As(const std::string& certificate, const std::string& key) {
    TlsOptions options = Trusting("ca");
    options.identity = [=]() -> base::Result<TlsOptions::Identity> {
      return TlsOptions::Identity{certificates->Pem(certificate + ".crt"), certificates->Pem(key + ".key")};
    };
    return options;
  }
  static Reply Get(const std::string& url, TlsOptions tls, const std::string& proxy = "") {
    auto client =
        MakeRestClient({.url = url, .tls = std::move(tls), .proxy_url = proxy, .timeout = std::chrono::seconds(60)});
    if (!client) return {.error = client.error().message};
    return (*client)->SendAndWait({.path = "/x"});
  }

  static inline Certificates* certificates;
  static inline TlsServer *server, *picky_server;
};

TEST_F(Tls, TrustsTheGivenAuthority) {
  const Reply reply = Get(server->url(), Trusting("ca"));
  EXPECT_EQ(reply.status, 200) << reply.error;
  // An address is no server name (RFC 6066).
  EXPECT_EQ(reply.body, "sni=None cn= host=127.0.0.1:" + std::to_string(server->port()) + " version=TLSv1.3");
}

TEST_F(Tls, TrustsEveryCertificateOfABundle) {
  TlsOptions options;
  options.ca_pem = certificates->Pem("other-ca.crt") + "# and\n" + certificates->Pem("ca.crt");
  EXPECT_EQ(Get(server->url(), options).status, 200);
}

TEST_F(Tls, TrustsAServersOwnCertificate) { EXPECT_EQ(Get(server->url(), Trusting("server")).status, 200); }

TEST_F(Tls, RejectsOtherCertificates) {
  for (const TlsOptions& options : {Trusting("other-ca"), TlsOptions{}}) {
    const Reply reply = Get(server->url(), options);
    EXPECT_EQ(reply.status, 0);
    EXPECT_EQ(reply.error, "Get \"" + server->url() + "/x\"" + kUnknown);
    EXPECT_FALSE(reply.maybe_delivered);
  }
}

TEST_F(Tls, ABundleReplacesTheSystemsAuthorities) {
  setenv("SSL_CERT_FILE", certificates->Path("ca.crt").c_str(), 1);
  EXPECT_EQ(Get(server->url(), {}).status, 200);
  EXPECT_THAT(Get(server->url(), Trusting("other-ca")).error, EndsWith(kUnknown));
  unsetenv("SSL_CERT_FILE");
}

// Loading the system's many certificates takes 50 ms. A read from this FIFO would block until somebody writes to it.
TEST_F(Tls, NoConnectionReadsTheSystemsAuthorities) {
  const std::string fifo = certificates->Path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  setenv("SSL_CERT_FILE", fifo.c_str(), 1);
  const Reply reply = Get(server->url(), Trusting("ca"));
  EXPECT_EQ(reply.status, 200) << reply.error;
  unsetenv("SSL_CERT_FILE");
  close(open(fifo.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));  // ends the read if the client reads against expectation
}

TEST_F(Tls, SendsTheHostAsServerName) {
  const Reply reply = Get(server->url("localhost"), Trusting("ca"));
  EXPECT_THAT(reply.body, HasSubstr("sni=localhost ")) << reply.error;
  EXPECT_THAT(reply.body, HasSubstr("host=localhost:" + std::to_string(server->port())));
}

TEST_F(Tls, VerifiesAndSendsTheServerNameInstead) {
  TlsOptions options = Trusting("ca");
  options.server_name = "kubernetes.default.svc";
  const Reply reply = Get(server->url(), options);
  EXPECT_THAT(reply.body, HasSubstr("sni=kubernetes.default.svc ")) << reply.error;
  EXPECT_THAT(reply.body, HasSubstr("host=kubernetes.default.svc "));
  options.server_name = "wrong.example";
  EXPECT_THAT(Get(server->url(), options).error, EndsWith("x509: certificate is not valid for wrong.example"));
  options.server_name = "127.0.0.1";
  const Reply address = Get(server->url("localhost"), options);
  EXPECT_THAT(address.body, HasSubstr("sni=None ")) << address.error;
  options.server_name = "127.0.0.2";
  EXPECT_THAT(Get(server->url(), options).error, EndsWith("x509: certificate is not valid for 127.0.0.2"));
}

TEST_F(Tls, ACommonNameIsNotAHostName) {
  TlsServer nameless(*certificates, "nameless");
  TlsOptions options = Trusting("ca");
  options.server_name = "nameless";
  EXPECT_THAT(Get(nameless.url(), options).error, EndsWith("x509: certificate is not valid for nameless"));
}

TEST_F(Tls, AnExpiredCertificateIsRefused) {
  TlsServer expired(*certificates, "expired");
  EXPECT_THAT(Get(expired.url(), Trusting("ca")).error, EndsWith("x509: certificate has expired or is not yet valid"));
}

TEST_F(Tls, InsecureAcceptsAnyCertificate) {
  EXPECT_EQ(Get(server->url(), {.insecure = true, .server_name = "wrong.example"}).status, 200);
}

TEST_F(Tls, VerifiesIpv6Addresses) {
  TlsServer six(*certificates, "server", {"--host", "::1"});
  const Reply reply = Get(six.url("[::1]"), Trusting("ca"));
  EXPECT_THAT(reply.body, HasSubstr("sni=None cn= host=[::1]:" + std::to_string(six.port()))) << reply.error;
  TlsServer expired(*certificates, "nameless", {"--host", "::1"});
  EXPECT_THAT(Get(expired.url("[::1]"), Trusting("ca")).error, EndsWith("x509: certificate is not valid for ::1"));
}

TEST_F(Tls, OldProtocolsAreRefused) {
  TlsServer old(*certificates, "server", {"--old"});
  const Reply reply = Get(old.url(), Trusting("ca"));
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, HasSubstr("tls: "));
  EXPECT_FALSE(reply.maybe_delivered);
}

TEST_F(Tls, APlainServerIsReportedAsOne) {
  RawServer plain([](ServerConnection& c) { c.Write("HTTP/1.1 400 Bad Request\r\n\r\n"); });
  const Reply reply = Get("https://127.0.0.1:" + std::to_string(plain.port()), Trusting("ca"));
  EXPECT_THAT(reply.error, EndsWith(": http: server gave HTTP response to HTTPS client"));
  EXPECT_FALSE(reply.maybe_delivered);
}

TEST_F(Tls, AMissingHandshakeTimesOut) {
  RawServer silent([](ServerConnection& c) { c.WaitForClose(); });
  auto client =
      MakeRestClient({.url = "https://127.0.0.1:" + std::to_string(silent.port()), .timeout = milliseconds(200)});
  ASSERT_TRUE(client.has_value());
  const Reply reply = (*client)->SendAndWait({.path = "/x"});
  EXPECT_THAT(reply.error, EndsWith(": net/http: TLS handshake timeout"));
  EXPECT_FALSE(reply.maybe_delivered);
}

TEST_F(Tls, SendsItsCertificate) {
  EXPECT_THAT(Get(picky_server->url(), As("client-1", "client-1")).body, HasSubstr("cn=client-1 "));
}

TEST_F(Tls, WithoutACertificateAServerThatRequiresOneRejects) {
  const Reply reply = Get(picky_server->url(), Trusting("ca"));
  EXPECT_EQ(reply.status, 0);
  EXPECT_NE(reply.error, "");
  TlsOptions none = Trusting("ca");
  none.identity = []() -> base::Result<TlsOptions::Identity> { return TlsOptions::Identity{}; };
  EXPECT_EQ(Get(picky_server->url(), none).status, 0);
  EXPECT_EQ(Get(server->url(), none).status, 200);
}

TEST_F(Tls, CallsIdentityForEachConnection) {
  int calls = 0;
  TlsOptions options = Trusting("ca");
  options.identity = [&]() -> base::Result<TlsOptions::Identity> {
    const std::string name = ++calls == 1 ? "client-1" : "client-2";
    return TlsOptions::Identity{certificates->Pem(name + ".crt"), certificates->Pem(name + ".key")};
  };
  auto client = MakeRestClient({.url = picky_server->url(), .tls = options, .http2 = false});
  ASSERT_TRUE(client.has_value());
  EXPECT_THAT((*client)->SendAndWait({.path = "/x"}).body, HasSubstr("cn=client-1 "));
  class Sink final : public BodySink {
   public:
    bool OnBytes(std::string_view bytes) override { return text += bytes, true; }
    std::string text;
  } sink;
  EXPECT_EQ((*client)->Stream({.path = "/x"}, sink, {}).error, "");  // uses a separate connection
  EXPECT_THAT(sink.text, HasSubstr("cn=client-2 "));
  EXPECT_EQ(calls, 2);
}

TEST_F(Tls, ACertificateThatCannotBeUsedIsAnErrorWithoutTheKey) {
  const std::string key_line = certificates->Pem("client-2.key").substr(40, 30);
  for (const auto& [certificate, key] : {std::pair("client-1", "client-2"), std::pair("client-1", "client-1-encrypted"),
                                         std::pair("client-1", "none"), std::pair("none", "client-1")}) {
    const Reply reply = Get(picky_server->url(), As(certificate, key));
    EXPECT_EQ(reply.status, 0);
    EXPECT_THAT(reply.error, HasSubstr("client certificate: ")) << key;
    EXPECT_THAT(reply.error, Not(HasSubstr(key_line)));
    EXPECT_FALSE(reply.maybe_delivered);
  }
  EXPECT_THAT(Get(picky_server->url(), As("client-1", "client-2")).error,
              EndsWith(": tls: private key of the client certificate: key values mismatch"));
}

TEST_F(Tls, AnErrorOfIdentityIsPassedOn) {
  TlsOptions options = Trusting("ca");
  options.identity = []() -> base::Result<TlsOptions::Identity> { return base::Fail("exec plugin: exit status 1"); };
  const Reply reply = Get(picky_server->url(), options);
  EXPECT_THAT(reply.error, EndsWith("/x\": exec plugin: exit status 1"));
  EXPECT_FALSE(reply.maybe_delivered);
}

TEST_F(Tls, DestructionDuringHandshakesStopsCallbacks) {
  for (int round = 0; round < 10; ++round) {
    std::atomic<bool> gone = false;
    std::atomic<int> answers = 0;
    TlsOptions options = As("client-1", "client-1");
    options.identity = [&gone, inner = options.identity] {
      EXPECT_FALSE(gone);
      return inner();
    };
    auto client = MakeRestClient({.url = picky_server->url(), .tls = options});
    ASSERT_TRUE(client.has_value());
    for (int i = 0; i < 20; ++i) (*client)->Send({.path = "/x"}, [&](Reply) { ++answers; });
    std::this_thread::sleep_for(milliseconds(round));
    client->reset();
    gone = true;
    EXPECT_EQ(answers, 20);
  }
}

TEST_F(Tls, GoesThroughAProxysTunnel) {
  RawServer proxy([](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    Tunnel(c, server->port());
  });
  TlsOptions options = Trusting("ca");
  options.server_name = "kubernetes.default.svc";
  const Reply reply = Get("https://api.corp:6443", options, proxy.url());
  EXPECT_THAT(reply.body, HasSubstr("sni=kubernetes.default.svc ")) << reply.error;
  EXPECT_THAT(Get("https://api.corp:6443", Trusting("ca"), proxy.url()).error,
              EndsWith("x509: certificate is not valid for api.corp"));
}

}  // namespace
}  // namespace berth::http
