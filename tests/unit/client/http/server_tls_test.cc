// The listener over TLS, with independent clients: Python's ssl module, the openssl tool, curl.
#include "client/http/server_tls.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "client/http/client_trust.h"
#include "client/http/listener.h"
#include "client/http/rest_client.h"
#include "eventually.h"
#include "serving_client.h"
#include "tls_server.h"

namespace berth::http {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Certificates& Files() {
  static const Certificates certificates;
  return certificates;
}

ServingPair ShownPair(const std::string& name, std::vector<std::string> patterns = {}) {
  return {name, Files().Pem(name + ".crt"), Files().Pem(name + ".key"), std::move(patterns)};
}

std::shared_ptr<ServerTls> MakeTls(const ServerTlsOptions& options = {}, const std::vector<ServingPair>& named = {}) {
  auto tls = ServerTls::Make(options);
  if (!tls) ADD_FAILURE() << tls.error().message;
  if (auto shown = (*tls)->Show(ShownPair("server"), named); !shown) ADD_FAILURE() << shown.error().message;
  return *tls;
}

// Replies with the client certificates that it saw.
Answer Tell(const Incoming& request) {
  std::string text = request.method + " " + request.path + (request.tls ? " tls" : " plain") +
                     " certificates=" + std::to_string(request.client_certificates.size()) + " body=" + request.body;
  return {.body = std::move(text)};
}

std::unique_ptr<Listener> Serve(ListenerOptions options, Listener::Handler handler = Tell,
                                const std::string& address = "127.0.0.1:0") {
  if (options.tls == nullptr) options.tls = MakeTls();
  auto listener = Listener::Start(address, std::move(handler), std::move(options));
  if (!listener) ADD_FAILURE() << listener.error().message;
  return std::move(*listener);
}

std::string SClient(uint16_t port, const std::string& arguments) {
  return ShellOutput("openssl s_client -connect 127.0.0.1:" + std::to_string(port) + " " + arguments);
}

TEST(ServerTls, AnswersRequestsOverOneConnection) {
  auto listener = Serve({.methods = {"GET", "PUT"}, .body_limit = 10});
  EXPECT_EQ(PythonClient(listener->port(), {"--get", "/healthz", "--get", "/b?c", "--put", "/d", "0123456789"}),
            "TLSv1.3 | TLS_AES_128_GCM_SHA256 | None | server | 200 GET /healthz tls certificates=0 body= | "
            "200 GET /b tls certificates=0 body= | 200 PUT /d tls certificates=0 body=0123456789");
}

TEST(ServerTls, OurClientIsServedToo) {
  auto listener = Serve({});
  ClientOptions options{.url = "https://127.0.0.1:" + std::to_string(listener->port())};
  options.tls.ca_pem = Files().Pem("ca.crt");
  auto client = MakeRestClient(options);
  ASSERT_TRUE(client.has_value());
  EXPECT_EQ((*client)->SendAndWait({.path = "/x"}).body, "GET /x tls certificates=0 body=");
}

TEST(ServerTls, LargeAnswersArriveWhole) {
  auto listener = Serve({}, [](const Incoming&) { return Answer{.body = std::string(3'000'000, 'x')}; });
  const std::string size = ShellOutput("curl -sk https://127.0.0.1:" + std::to_string(listener->port()) + "/ | wc -c");
  EXPECT_THAT(size, HasSubstr("3000000"));
}

TEST(ServerTls, RefusesMethodsAndLargeBodies) {
  auto listener = Serve({.methods = {"GET", "PUT"}, .body_limit = 10});
  EXPECT_THAT(PythonClient(listener->port(), {"--put", "/d", "0123456789a"}), HasSubstr(" | 413 "));
  auto reading = Serve({});
  EXPECT_THAT(PythonClient(reading->port(), {"--get", "/", "--put", "/d", "x"}),
              HasSubstr(" | 405 Method Not Allowed\n | closed"));
}

TEST(ServerTls, EndsAConnectionWithCloseNotify) {
  auto listener = Serve({});
  const std::string seen = ShellOutput(
      "printf 'GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' | openssl s_client -quiet "
      "-connect 127.0.0.1:" +
      std::to_string(listener->port()));
  EXPECT_THAT(seen, AllOf(HasSubstr("certificates=0 body="), Not(HasSubstr("unexpected eof"))));
}

TEST(ServerTls, TheLowestVersionIsThatOfTheOptions) {
  struct Row {
    const char* min;
    const char* client;
    const char* want;
  };
  const Row rows[] = {
      {.min = "", .client = "TLSv1_3", .want = "TLSv1.3 | "},
      {.min = "", .client = "TLSv1_2", .want = "TLSv1.2 | "},
      {.min = "", .client = "TLSv1_1", .want = "error: "},
      {.min = "VersionTLS13", .client = "TLSv1_2", .want = "error: "},
      {.min = "VersionTLS13", .client = "TLSv1_3", .want = "TLSv1.3 | "},
      {.min = "VersionTLS10", .client = "TLSv1", .want = "TLSv1 | "},
      {.min = "VersionTLS11", .client = "TLSv1", .want = "error: "},
  };
  for (const Row& row : rows) {
    auto listener = Serve({.tls = MakeTls({.min_version = row.min})});
    EXPECT_THAT(PythonClient(listener->port(), {"--max", row.client, "--get", "/"}), StartsWith(row.want))
        << row.min << " " << row.client;
  }
}

TEST(ServerTls, AVersionThatIsTooOldGetsAnAlert) {
  auto listener = Serve({.tls = MakeTls({.min_version = "VersionTLS13"})});
  EXPECT_THAT(SClient(listener->port(), "-tls1_2"), HasSubstr("alert protocol version"));
}

TEST(ServerTls, CipherSuitesAreThoseOfTheOptions) {
  auto listener = Serve({.tls = MakeTls({.cipher_suites = {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"}})});
  EXPECT_THAT(PythonClient(listener->port(), {"--max", "TLSv1_2", "--get", "/"}),
              StartsWith("TLSv1.2 | ECDHE-ECDSA-AES256-GCM-SHA384 | "));
  EXPECT_THAT(SClient(listener->port(), "-tls1_2 -cipher ECDHE-ECDSA-AES128-GCM-SHA256"),
              HasSubstr("handshake failure"));
  EXPECT_THAT(PythonClient(listener->port(), {"--get", "/"}), StartsWith("TLSv1.3 | ")) << "TLS 1.3 has its own";
  auto modern = Serve({.tls = MakeTls({.cipher_suites = {"TLS_AES_128_GCM_SHA256"}})});
  EXPECT_THAT(PythonClient(modern->port(), {"--max", "TLSv1_2", "--get", "/"}), StartsWith("error: "));
  EXPECT_THAT(PythonClient(modern->port(), {"--get", "/"}), StartsWith("TLSv1.3 | "));
}

TEST(ServerTls, KeyExchangesAreThoseOfTheOptions) {
  auto listener = Serve({.tls = MakeTls({.curve_preferences = {24}})});
  EXPECT_THAT(SClient(listener->port(), "-curves P-384"), HasSubstr("Server Temp Key: ECDH, secp384r1"));
  EXPECT_THAT(SClient(listener->port(), "-curves X25519"), HasSubstr("handshake failure"));
}

TEST(ServerTls, WrongOptionsAreClearErrors) {
  const auto error = [](const ServerTlsOptions& options) { return ServerTls::Make(options).error().message; };
  EXPECT_EQ(error({.cipher_suites = {"X"}}), "Cipher suite X not supported or doesn't exist");
  EXPECT_EQ(error({.min_version = "x"}), "unknown tls version \"x\"");
  EXPECT_EQ(error({.curve_preferences = {1}}), "curve preference 1 is not supported by the current Go version");
}

TEST(ServerTls, NegotiatesHttp1Only) {
  auto listener = Serve({});
  EXPECT_THAT(PythonClient(listener->port(), {"--alpn", "h2", "--alpn", "http/1.1", "--get", "/"}),
              HasSubstr(" | http/1.1 | server | 200 "));
  EXPECT_THAT(PythonClient(listener->port(), {"--alpn", "h2", "--get", "/"}), StartsWith("error: "));
}

TEST(ServerTls, ShowsTheCertificateForTheServerName) {
  const auto tls = MakeTls({}, {ShownPair("wildcard"), ShownPair("nameless", {"p.test", "127.0.0.9"})});
  auto listener = Serve({.tls = tls}), other = Serve({.tls = tls}, Tell, "127.0.0.9:0");
  const uint16_t port = listener->port();
  EXPECT_THAT(PythonClient(port, {"--name", "b.example.com", "--get", "/"}), HasSubstr(" | wildcard | 200 "));
  EXPECT_THAT(PythonClient(port, {"--name", "p.test", "--max", "TLSv1_2", "--get", "/"}),
              HasSubstr(" | nameless | 200 "));
  EXPECT_THAT(PythonClient(port, {"--name", "x.test", "--get", "/"}), HasSubstr(" | server | 200 "));
  EXPECT_THAT(PythonClient(port, {"--get", "/"}), HasSubstr(" | server | 200 "));
  EXPECT_THAT(PythonClient(other->port(), {"--host", "127.0.0.9", "--get", "/"}), HasSubstr(" | nameless | 200 "));
}

TEST(ServerTls, SendsTheChain) {
  auto tls = MakeTls();
  ServingPair chain = ShownPair("server");
  chain.certificate_pem += Files().Pem("ca.crt");
  ASSERT_TRUE(tls->Show(chain, {}).has_value());
  auto listener = Serve({.tls = tls});
  EXPECT_THAT(SClient(listener->port(), "-CAfile " + Files().Path("ca.crt") + " -verify_ip 127.0.0.1"),
              AllOf(HasSubstr(" 1 s:CN = ca"), HasSubstr("Verify return code: 0 (ok)")));
}

TEST(ServerTls, AsksForACertificateAndPassesItUnverified) {
  auto listener = Serve({}, [](const Incoming& request) -> Answer {
    auto trust = ClientTrust::Load(Files().Pem("ca.crt"));
    const auto name = (*trust)->Verify(request.client_certificates);
    return {.body = name ? name->common_name : name.error().message};
  });
  const auto with = [&](const std::string& name, const char* version) {
    return PythonClient(listener->port(), {"--max", version, "--cert", Files().Path(name + ".crt"),
                                           Files().Path(name + ".key"), "--get", "/", "--get", "/again"});
  };
  for (const char* version : {"TLSv1_2", "TLSv1_3"}) {
    EXPECT_THAT(with("client-1", version), HasSubstr(" | 200 client-1 | 200 client-1"));
    EXPECT_THAT(with("other-server", version), HasSubstr(" | 200 x509: certificate signed by unknown authority"));
    EXPECT_THAT(with("expired", version), HasSubstr(" | 200 x509: certificate has expired or is not yet valid: "));
  }
  EXPECT_THAT(SClient(listener->port(), ""), HasSubstr("Requested Signature Algorithms: "));
}

TEST(ServerTls, PassesIntermediatesOfTheClient) {
  auto listener = Serve({});
  const std::string both = Files().Path("client-1-chain.crt");
  std::ofstream(both) << Files().Pem("client-1.crt") << Files().Pem("ca.crt");
  EXPECT_THAT(PythonClient(listener->port(), {"--cert", both, Files().Path("client-1.key"), "--get", "/"}),
              HasSubstr("certificates=2"));
}

TEST(ServerTls, DoesNotAskForACertificateIfItShallNot) {
  auto listener = Serve({.tls = MakeTls({.ask_for_client_certificate = false})});
  EXPECT_THAT(PythonClient(listener->port(),
                           {"--cert", Files().Path("client-1.crt"), Files().Path("client-1.key"), "--get", "/"}),
              HasSubstr("certificates=0"));
}

// What openssl s_client prints between "Acceptable client certificate CA names" and the next heading.
std::string AcceptableCas(uint16_t port, const std::string& arguments = "") {
  const std::string seen = SClient(port, arguments + " </dev/null");
  const std::string heading = "Acceptable client certificate CA names\n";
  const size_t begin = seen.find(heading);
  if (begin == std::string::npos) return "none";
  const std::string rest = seen.substr(begin + heading.size());
  return rest.substr(0, std::min(rest.find("Client Certificate Types"), rest.find("Requested Signature Algorithms")));
}

std::vector<std::string> CaNamesOf(const std::string& pem) {
  const auto trust = ClientTrust::Load(pem);
  return trust ? (*trust)->ca_names() : std::vector<std::string>{"?"};
}

TEST(ServerTls, NamesTheCasOfClientsAsTheyAreNow) {
  std::atomic<int> asked = 0;
  auto tls = MakeTls({.client_cas = [&asked] {
    return CaNamesOf(++asked < 3 ? Files().Pem("ca.crt") : Files().Pem("ca.crt") + Files().Pem("server.crt"));
  }});
  auto listener = Serve({.tls = tls});
  const std::string subject = ShellOutput("openssl x509 -noout -subject -in " + Files().Path("ca.crt"));
  const std::string ca = subject.substr(std::string("subject=").size());
  EXPECT_EQ(AcceptableCas(listener->port()), ca);
  EXPECT_EQ(AcceptableCas(listener->port(), "-tls1_2"), ca) << "another message of the handshake";
  EXPECT_THAT(AcceptableCas(listener->port()), AllOf(StartsWith(ca), HasSubstr("\nCN = server\n"))) << "another bundle";
  auto without = Serve({});
  EXPECT_EQ(AcceptableCas(without->port()), "none");
}

TEST(ServerTls, RefusesTooManyClientCertificates) {
  auto listener = Serve({});
  const std::string many = Files().Path("many.crt");
  std::ofstream file(many);
  file << Files().Pem("client-1.crt");
  for (int i = 0; i < 200; ++i) file << Files().Pem("ca.crt");
  file.close();
  EXPECT_THAT(PythonClient(listener->port(), {"--cert", many, Files().Path("client-1.key"), "--get", "/"}),
              StartsWith("error: "));
  EXPECT_THAT(PythonClient(listener->port(), {"--get", "/"}), HasSubstr(" | 200 "));
}

TEST(ServerTls, NewConnectionsSeeANewCertificate) {
  auto tls = MakeTls();
  auto listener = Serve({.tls = tls});
  EXPECT_THAT(PythonClient(listener->port(), {"--get", "/"}), HasSubstr(" | server | "));
  ASSERT_TRUE(tls->Show(ShownPair("nameless"), {}).has_value());
  EXPECT_THAT(PythonClient(listener->port(), {"--get", "/"}), HasSubstr(" | nameless | "));
  ServingPair wrong = ShownPair("server");
  wrong.key_pem = "x";
  EXPECT_FALSE(tls->Show(wrong, {}).has_value());
  EXPECT_THAT(PythonClient(listener->port(), {"--get", "/"}), HasSubstr(" | nameless | "))
      << "a mistake changes nothing";
}

TEST(ServerTls, OffersNoSessionTickets) {
  auto listener = Serve({});
  for (const char* version : {"-tls1_2", "-tls1_3"}) {
    const std::string file = Files().Path(std::string("session") + version);
    SClient(listener->port(), std::string(version) + " -sess_out " + file);
    EXPECT_THAT(
        SClient(listener->port(), std::string(version) + (std::filesystem::exists(file) ? " -sess_in " + file : "")),
        AllOf(HasSubstr("\nNew, "), Not(HasSubstr("\nReused, ")), Not(HasSubstr("TLS session ticket:"))));
  }
}

TEST(ServerTls, AClientWithoutTlsGetsAHint) {
  auto listener = Serve({});
  EXPECT_EQ(ShellOutput("curl -s --http0.9 http://127.0.0.1:" + std::to_string(listener->port()) + "/"),
            "Client sent an HTTP request to an HTTPS server.\n");
}

TEST(ServerTls, ASilentClientIsDisconnectedAfterTheHeaderTime) {
  auto listener = Serve({.header_time = std::chrono::milliseconds(300)});
  for (const std::string& sent : {std::string(), std::string("\x16\x03\x01\x02", 4)}) {
    sockaddr_in address{
        .sin_family = AF_INET, .sin_port = htons(listener->port()), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    send(fd, sent.data(), sent.size(), MSG_NOSIGNAL);
    const timeval timeout{20, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    char byte;
    EXPECT_EQ(recv(fd, &byte, 1, 0), 0);
    close(fd);
  }
  EXPECT_EQ(PythonClient(listener->port(), {"--wait"}), "ended") << "a handshake without a request";
}

// A client of serving_client.py that keeps connections open.
class Keeper {
 public:
  Keeper(uint16_t port, const std::string& what, int n) {
    const std::string command =
        "exec python3 '" BERTH_SERVING_CLIENT "' " + std::to_string(port) + " " + what + " " + std::to_string(n);
    int in[2], out[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC) | pipe2(out, O_CLOEXEC), 0);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(in[0], 0);
      dup2(out[1], 1);
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    close(in[0]);
    close(out[1]);
    stdin_ = in[1];
    std::string line;
    for (char byte; read(out[0], &byte, 1) == 1 && byte != '\n';) line += byte;
    EXPECT_EQ(line, "ready");
    close(out[0]);
  }
  ~Keeper() {
    close(stdin_);
    waitpid(pid_, nullptr, 0);
  }
  Keeper(const Keeper&) = delete;

 private:
  pid_t pid_ = -1;
  int stdin_ = -1;
};

TEST(ServerTls, ProbesAreAnsweredWhileHandshakesAreHalfOpen) {
  auto listener = Serve({.connections = 64, .header_time = std::chrono::seconds(60)});
  const Keeper half(listener->port(), "--half", 100);
  for (int i = 0; i < 3; ++i) EXPECT_THAT(PythonClient(listener->port(), {"--get", "/healthz"}), HasSubstr(" | 200 "));
}

size_t OwnResidentKiB() {
  size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

TEST(ServerTls, IdleConnectionsNeedLittleMemory) {
  auto listener = Serve({.header_time = std::chrono::seconds(60)});
  EXPECT_THAT(PythonClient(listener->port(), {"--get", "/"}), HasSubstr(" | 200 "));
  const size_t before = OwnResidentKiB();
  const Keeper idle(listener->port(), "--idle", 250);
  const size_t after = OwnResidentKiB();
  std::printf("250 idle TLS connections: %zu KiB, %.1f KiB each\n", after - before,
              static_cast<double>(after - before) / 250);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need additional memory
  EXPECT_LT(after - before, size_t{32} * 1024);
#endif
}

TEST(ServerTls, ClosesWhileHandshakesAreHalfOpen) {
  auto listener = Serve({});
  const Keeper half(listener->port(), "--half", 20), idle(listener->port(), "--idle", 20);
  listener.reset();
}

}  // namespace
}  // namespace berth::http
