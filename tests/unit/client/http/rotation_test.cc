// Credentials and authorities that change while the client is in use, against a TLS server that refuses the old ones.
// Thread: the test's, the rotation's and the transport's.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>

#include "client/credentials/rotation.h"
#include "client/http/rest_client.h"
#include "codec/text/base64.h"
#include "eventually.h"
#include "telemetry/log/capture.h"
#include "tls_server.h"

namespace berth::http {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;

constexpr seconds kInUseWithin{10};  // the documented limit

bool InTime(const std::function<bool()>& condition) { return Eventually(condition, kInUseWithin); }

// A number in the server's reply: "connection=3".
int NumberOf(const std::string& body, const std::string& name) {
  const size_t at = body.find(" " + name + "=");
  return at == std::string::npos ? -1 : std::stoi(body.substr(at + name.size() + 2));
}

std::string InJson(const std::string& pem) {
  std::string text;
  for (const char c : pem) text += c == '\n' ? "\\n" : std::string(1, c);
  return text;
}

class FirstBytes final : public BodySink {
 public:
  bool OnBytes(std::string_view bytes) override {
    if (!told_.exchange(true)) first_.set_value(std::string(bytes));
    return true;
  }
  std::string Wait() { return first_.get_future().get(); }

 private:
  std::atomic<bool> told_ = false;
  std::promise<std::string> first_;
};

class Rotating : public testing::Test {
 protected:
  static void SetUpTestSuite() { certificates = new Certificates; }
  static void TearDownTestSuite() { delete certificates; }

  Rotating() {
    std::string pattern = (fs::temp_directory_path() / "berth-rotation-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    Put("server.crt", certificates->Pem("server.crt"));
    Put("server.key", certificates->Pem("server.key"));
    Put("ca.crt", certificates->Pem("ca.crt"));
    Put("refused", "nobody\n");
    UseFiles("client-1");
    server_.emplace(folder_ + "/server",
                    std::vector<std::string>{"--client-ca", certificates->Path("ca.crt"), "--refused", Path("refused"),
                                             "--go", Path("go"), "--count"});
    surroundings_ = credentials::EnvironmentOfProcess();
  }
  ~Rotating() override {
    rotation_.reset();
    client_.reset();
    server_.reset();
    fs::remove_all(folder_);
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  void Put(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::trunc | std::ios::binary) << text;
  }
  // Replaces a file as kubeadm and most programs do.
  void PutByRename(const std::string& name, const std::string& text) const {
    Put(name + ".new", text);
    fs::rename(Path(name + ".new"), Path(name));
  }
  void UseFiles(const std::string& client) const {
    PutByRename("client.crt", certificates->Pem(client + ".crt"));
    PutByRename("client.key", certificates->Pem(client + ".key"));
  }

  std::string Kubeconfig(const std::string& ca, const std::string& user) const {
    return "apiVersion: v1\nkind: Config\nclusters:\n- {name: c, cluster: {server: '" + server_->url() + "', " + ca +
           "}}\nusers:\n- {name: u, user: {" + user +
           "}}\ncontexts:\n- {name: x, context: {cluster: c, user: u}}\ncurrent-context: x\n";
  }
  std::string WithFiles() const {
    return Kubeconfig("certificate-authority: ca.crt", "client-certificate: client.crt, client-key: client.key");
  }
  std::string WithData(const std::string& client) const {
    return Kubeconfig("certificate-authority-data: " + text::EncodeBase64(certificates->Pem("ca.crt")),
                      "client-certificate-data: " + text::EncodeBase64(certificates->Pem(client + ".crt")) +
                          ", client-key-data: " + text::EncodeBase64(certificates->Pem(client + ".key")));
  }

  // A client that does not follow its files yet.
  void Connect(const std::string& kubeconfig) {
    rotation_.emplace(credentials::Target{kubeconfig, ""}, surroundings_);
    auto options = rotation_->Load();
    ASSERT_TRUE(options) << options.error().message;
    auto client = MakeRestClient(std::move(*options));
    ASSERT_TRUE(client) << client.error().message;
    client_ = std::move(*client);
  }
  // Starts the rotation as the daemon does.
  void ConnectAndFollow(const std::string& kubeconfig) {
    Connect(kubeconfig);
    if (client_) rotation_->Start([this](ClientOptions now) { return client_->Renew(std::move(now)); });
  }
  Reply Get(const std::string& path = "/x") { return client_->SendAndWait({.path = path}); }
  bool Is(const std::string& name) { return Get().body.find(" cn=" + name + " ") != std::string::npos; }

  static inline Certificates* certificates;
  std::string folder_;
  credentials::ProcessEnvironment surroundings_;
  std::optional<TlsServer> server_;
  std::unique_ptr<RestClient> client_;
  std::optional<credentials::Rotation> rotation_;
};

TEST_F(Rotating, NewCertificateFilesAreUsedInTime) {
  Put("k.yaml", WithFiles());
  ConnectAndFollow(Path("k.yaml"));
  EXPECT_TRUE(Is("client-1"));
  const int before = NumberOf(Get().body, "last");
  UseFiles("client-2");
  EXPECT_TRUE(InTime([&] { return Is("client-2"); }));
  Put("refused", "client-1\n");
  for (int i = 0; i < 20; ++i) ASSERT_EQ(Get().status, 200);  // the old connections are no longer in use
  EXPECT_TRUE(InTime([&] { return NumberOf(Get().body, "oldest") > before; })) << Get().body;
}

TEST_F(Rotating, NewCertificateDataOfARewrittenKubeconfigIsUsedInTime) {
  Put("k.yaml", WithData("client-1"));
  ConnectAndFollow(Path("k.yaml"));
  EXPECT_TRUE(Is("client-1"));
  Put("k.yaml", WithData("client-2"));  // in place
  EXPECT_TRUE(InTime([&] { return Is("client-2"); }));
  PutByRename("k.yaml", WithData("client-1"));
  EXPECT_TRUE(InTime([&] { return Is("client-1"); }));
}

// As the kubelet swaps the content of a volume: the names stay links, and one link above them leads elsewhere.
TEST_F(Rotating, AVolumeWithReplacedContentIsUsedInTime) {
  fs::create_directories(Path("volume/..1"));
  fs::create_directories(Path("volume/..2"));
  Put("volume/..1/k.yaml", WithData("client-1"));
  Put("volume/..2/k.yaml", WithData("client-2"));
  fs::create_directory_symlink("..1", Path("volume/..data"));
  fs::create_symlink("..data/k.yaml", Path("volume/k.yaml"));
  ConnectAndFollow(Path("volume/k.yaml"));
  EXPECT_TRUE(Is("client-1"));
  fs::create_directory_symlink("..2", Path("volume/..data_tmp"));
  fs::rename(Path("volume/..data_tmp"), Path("volume/..data"));
  EXPECT_TRUE(InTime([&] { return Is("client-2"); }));
}

TEST_F(Rotating, ANewCaIsUsedInTime) {
  Put("k.yaml", WithFiles());
  ConnectAndFollow(Path("k.yaml"));
  EXPECT_TRUE(Is("client-1"));
  Put("ca.crt", certificates->Pem("other-ca.crt"));
  Put("server.key", certificates->Pem("other-server.key"));
  Put("server.crt", certificates->Pem("other-server.crt"));
  server_->CloseConnections();
  EXPECT_TRUE(InTime([&] { return Is("client-1"); })) << Get().error;
}

TEST_F(Rotating, ARequestAfterACaChangeDoesNotUseTheOldConnection) {
  Put("k.yaml", WithFiles());
  ConnectAndFollow(Path("k.yaml"));
  EXPECT_TRUE(Is("client-1"));
  Put("ca.crt", certificates->Pem("other-ca.crt"));
  EXPECT_TRUE(InTime([&] { return Get().error.ends_with("x509: certificate signed by unknown authority"); }));
}

TEST_F(Rotating, ARejectionClosesTheConnectionsWithTheRejectedCertificate) {
  Put("k.yaml", WithFiles());
  ConnectAndFollow(Path("k.yaml"));
  const int before = NumberOf(Get().body, "last");
  Put("refused", "client-1\n");
  EXPECT_TRUE(InTime([&] {
    const Reply reply = Get();
    EXPECT_EQ(reply.status, 401);
    return NumberOf(reply.body, "oldest") > before;
  }));
  // The client does not create them again for each refusal.
  const int last = NumberOf(Get().body, "last");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Get().status, 401);
  EXPECT_LT(NumberOf(Get().body, "last"), last + 50);
  Put("refused", "");
  EXPECT_EQ(Get().status, 200);
}

TEST_F(Rotating, AWatchEndsAndComesBackWithTheNewCertificate) {
  Put("k.yaml", WithFiles());
  ConnectAndFollow(Path("k.yaml"));
  FirstBytes old_sink;
  auto old_watch = std::async(std::launch::async, [&] { return client_->Stream({.path = "/watch"}, old_sink, {}); });
  EXPECT_THAT(old_sink.Wait(), HasSubstr(" cn=client-1 "));
  UseFiles("client-2");
  ASSERT_EQ(old_watch.wait_for(kInUseWithin), std::future_status::ready);
  const Reply ended = old_watch.get();
  EXPECT_EQ(ended.status, 200);
  EXPECT_THAT(ended.error, HasSubstr("credentials or the certificate authorities have changed"));
  FirstBytes sink;
  std::stop_source stop;
  auto watch =
      std::async(std::launch::async, [&] { return client_->Stream({.path = "/watch"}, sink, stop.get_token()); });
  EXPECT_THAT(sink.Wait(), HasSubstr(" cn=client-2 "));
  stop.request_stop();
}

TEST_F(Rotating, RequestsInFlightAreAnsweredOnceOverTheOldConnection) {
  Put("k.yaml", WithFiles());
  Connect(Path("k.yaml"));
  std::promise<Reply> answered;
  client_->Send({.method = "POST", .path = "/held", .body = "{}", .content_type = "application/json"},
                [&](Reply reply) { answered.set_value(std::move(reply)); });
  ASSERT_TRUE(InTime([&] { return NumberOf(Get().body, "held") == 1; }));
  UseFiles("client-2");
  rotation_->Look([this](ClientOptions now) { return client_->Renew(std::move(now)); });
  const Reply other = Get();
  EXPECT_THAT(other.body, HasSubstr(" cn=client-2 "));
  EXPECT_EQ(NumberOf(other.body, "posts"), 1);
  Put("go", "");
  const Reply reply = answered.get_future().get();
  EXPECT_EQ(reply.status, 200) << reply.error;
  EXPECT_THAT(reply.body, HasSubstr(" cn=client-1 "));
  EXPECT_EQ(NumberOf(Get().body, "posts"), 1);
  EXPECT_TRUE(InTime([&] { return NumberOf(Get().body, "oldest") > NumberOf(reply.body, "connection"); }))
      << "the old connection stays open";
}

// The client must not use the old token after it has expired.
TEST_F(Rotating, ACredentialCommandsNewCertificateReplacesTheConnectionsOfTheOldOne) {
  constexpr int64_t kTenMinutes = 600 * base::kSecond;
  base::VirtualClock clock(1'700'000'000 * base::kSecond);  // 2023-11-14T22:13:20Z
  surroundings_.clock = &clock;
  const auto answer = [&](const std::string& client, const std::string& more) {
    Put("answer", R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)" + more +
                      R"("clientCertificateData":")" + InJson(certificates->Pem(client + ".crt")) +
                      R"(","clientKeyData":")" + InJson(certificates->Pem(client + ".key")) + "\"}}");
  };
  answer("client-1", R"("expirationTimestamp":"2023-11-14T22:23:20Z",)");
  Put("command", "#!/bin/sh\ncat " + Path("answer") + "\n");
  fs::permissions(Path("command"), fs::perms::owner_all);
  Put("k.yaml", Kubeconfig("certificate-authority: ca.crt",
                           "exec: {command: ./command, apiVersion: client.authentication.k8s.io/v1, "
                           "interactiveMode: Never}"));
  Connect(Path("k.yaml"));
  EXPECT_TRUE(Is("client-1"));
  FirstBytes sink;
  auto watch = std::async(std::launch::async, [&] { return client_->Stream({.path = "/watch"}, sink, {}); });
  EXPECT_THAT(sink.Wait(), HasSubstr(" cn=client-1 "));

  answer("client-2", "");
  Put("refused", "client-1\n");
  clock.Advance(kTenMinutes + 1);
  for (int i = 0; i < 10; ++i) {
    const Reply reply = Get();
    EXPECT_EQ(reply.status, 200);
    EXPECT_THAT(reply.body, HasSubstr(" cn=client-2 "));
  }
  ASSERT_EQ(watch.wait_for(kInUseWithin), std::future_status::ready);
  EXPECT_THAT(watch.get().error, HasSubstr("credentials or the certificate authorities have changed"));
  rotation_.reset();  // also releases the command, which has the clock
  client_.reset();
}

TEST_F(Rotating, AnIncompleteKubeconfigKeepsTheOldOneAndIsRetried) {
  Put("k.yaml", WithData("client-1"));
  ConnectAndFollow(Path("k.yaml"));
  log::Capture capture;
  const std::string whole = WithData("client-2");
  Put("k.yaml", whole.substr(0, whole.find("client-key-data") + 40));
  EXPECT_TRUE(InTime([&] {
    for (const std::string& line : capture.Messages()) {
      if (line.find("Unable to reload the client configuration") != std::string::npos) return true;
    }
    return false;
  }));
  EXPECT_TRUE(Is("client-1"));
  Put("k.yaml", whole);
  EXPECT_TRUE(InTime([&] { return Is("client-2"); }));
  for (const std::string& line : capture.Lines()) EXPECT_THAT(line, Not(HasSubstr("LS0tLS1CRUdJTi")));  // PEM in base64
}

TEST_F(Rotating, ACertificateWithoutItsKeyKeepsTheOldOne) {
  Put("k.yaml", WithFiles());
  ConnectAndFollow(Path("k.yaml"));
  log::Capture capture;
  PutByRename("client.crt", certificates->Pem("client-2.crt"));
  EXPECT_TRUE(InTime([&] {
    for (const std::string& line : capture.Messages()) {
      if (line.find("key values mismatch") != std::string::npos) return true;
    }
    return false;
  }));
  EXPECT_TRUE(Is("client-1"));
  PutByRename("client.key", certificates->Pem("client-2.key"));
  EXPECT_TRUE(InTime([&] { return Is("client-2"); }));
}

TEST_F(Rotating, AnotherServerIsNotFollowed) {
  Put("k.yaml", WithFiles());
  ConnectAndFollow(Path("k.yaml"));
  TlsServer other(*certificates, "server");
  log::Capture capture;
  std::string text = WithFiles();
  text.replace(text.find(server_->url()), server_->url().size(), other.url());
  PutByRename("k.yaml", text);
  EXPECT_TRUE(InTime([&] {
    for (const std::string& line : capture.Messages()) {
      if (line.find("names another server") != std::string::npos) return true;
    }
    return false;
  }));
  EXPECT_TRUE(Is("client-1"));
}

TEST_F(Rotating, AServiceAccountsCaAndTokenAreUsedInTime) {
  fs::create_directory(Path("account"));
  Put("account/ca.crt", certificates->Pem("ca.crt"));
  Put("account/token", "one");
  TlsServer open(folder_ + "/server", {"--count"});
  surroundings_.service_account_folder = Path("account");
  surroundings_.environment["KUBERNETES_SERVICE_HOST"] = "127.0.0.1";
  surroundings_.environment["KUBERNETES_SERVICE_PORT"] = std::to_string(open.port());
  ConnectAndFollow("");
  EXPECT_THAT(Get().body, HasSubstr(" authorization=Bearer one "));
  Put("account/token", "two");
  EXPECT_TRUE(InTime([&] { return Get().body.find(" authorization=Bearer two ") != std::string::npos; }));
  Put("account/ca.crt", certificates->Pem("other-ca.crt"));
  Put("server.key", certificates->Pem("other-server.key"));
  Put("server.crt", certificates->Pem("other-server.crt"));
  open.CloseConnections();
  EXPECT_TRUE(InTime([&] { return Get().status == 200; })) << Get().error;
}

}  // namespace
}  // namespace berth::http
