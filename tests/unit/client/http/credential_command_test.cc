// Requests and watches while a credential command hangs, fails and recovers. The clock of credentials is
// virtual; commands and connections are real. Thread: the test's, the command's and the transport's.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <semaphore>

#include "client.h"
#include "client/credentials/client_config.h"
#include "eventually.h"
#include "raw_server.h"
#include "tls_server.h"

namespace berth::http {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;

constexpr seconds kLongEnough{30};                         // longer than any expected event
constexpr int64_t kStart = 1'700'000'000 * base::kSecond;  // 2023-11-14T22:13:20Z

class CredentialCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() { certificates = new Certificates; }
  static void TearDownTestSuite() { delete certificates; }

  CredentialCommand() : clock_(kStart), server_(*certificates, "server", {"--count"}) {
    std::string pattern = (fs::temp_directory_path() / "berth-command-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    surroundings_.clock = &clock_;
    surroundings_.environment = {{"PATH", "/usr/bin:/bin"}};
    Write("k.yaml", "clusters: [{name: c, cluster: {server: '" + server_.url() + "', certificate-authority: '" +
                        certificates->Path("ca.crt") +
                        "'}}]\nusers: [{name: u, user: {exec: {command: ./command, apiVersion: "
                        "client.authentication.k8s.io/v1, interactiveMode: Never}}}]\n"
                        "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n");
    Write("command", "#!/bin/sh\necho run >> " + Path("runs") + "\n. " + Path("body") + "\n");
    fs::permissions(Path("command"), fs::perms::owner_all);
  }
  ~CredentialCommand() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  void Write(const std::string& name, const std::string& text) const { std::ofstream(Path(name)) << text; }
  size_t Runs() const {
    std::error_code none;
    const auto size = fs::file_size(Path("runs"), none);
    return none ? 0 : size / 4;
  }
  void Hang() const { Write("body", "sleep 600"); }
  // expiry: "" for none.
  std::string Answer(const std::string& token, const std::string& expiry = "") const {
    return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":")" + token +
           (expiry.empty() ? "" : R"(","expirationTimestamp":")" + expiry) + "\"}}";
  }
  void Give(const std::string& token, const std::string& expiry = "") const {
    Write("body", "echo '" + Answer(token, expiry) + "'");
  }

  void Connect(milliseconds command_time = seconds(60)) {
    surroundings_.command_time = command_time;
    auto options = credentials::LoadClientOptions({Path("k.yaml"), ""}, surroundings_);
    ASSERT_TRUE(options) << options.error().message;
    auto client = MakeRestClient(std::move(*options));
    ASSERT_TRUE(client) << client.error().message;
    client_ = std::move(*client);
  }
  std::future<Reply> Send() {
    auto promise = std::make_shared<std::promise<Reply>>();
    client_->Send({.path = "/x"}, [promise](Reply reply) { promise->set_value(std::move(reply)); });
    return promise->get_future();
  }
  std::vector<std::future<Reply>> SendMany(int n) {
    std::vector<std::future<Reply>> replies;
    for (int i = 0; i < n; ++i) replies.push_back(Send());
    return replies;
  }
  bool RunsReach(size_t n) const {
    return Eventually([&] { return Runs() >= n; }, kLongEnough);
  }

  static inline Certificates* certificates;
  base::VirtualClock clock_;
  TlsServer server_;
  std::string folder_;
  credentials::ProcessEnvironment surroundings_;
  std::unique_ptr<Transport> client_;
};

TEST_F(CredentialCommand, AHangingCommandDoesNotBlockOtherRequests) {
  std::counting_semaphore<> go_on(0);
  RawServer other([&](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    if (!request.line().starts_with("GET /watch ")) {
      c.WriteReply(200, "ok");
      return;
    }
    c.Write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    c.WriteChunk("first");
    go_on.acquire();
    c.WriteChunk("second");
    c.WriteChunk("");
  });
  auto other_client = Client(other.url());
  std::promise<void> begun, went_on;
  class Sink final : public BodySink {
   public:
    explicit Sink(std::function<void(std::string_view)> f) : f_(std::move(f)) {}
    bool OnBytes(std::string_view bytes) override { return f_(bytes), true; }
    std::function<void(std::string_view)> f_;
  } sink([&](std::string_view bytes) { (bytes == "first" ? begun : went_on).set_value(); });
  auto watch = std::async(std::launch::async, [&] { return other_client->Stream({.path = "/watch"}, sink, {}); });
  begun.get_future().wait();

  Hang();
  Connect();
  auto waiting = SendMany(16);  // more than the pool has threads
  ASSERT_TRUE(RunsReach(1));
  auto answered = std::make_shared<std::promise<int>>();
  other_client->Send({.path = "/x"}, [answered](Reply reply) { answered->set_value(reply.status); });
  auto answer = answered->get_future();
  EXPECT_EQ(answer.wait_for(seconds(10)), std::future_status::ready) << "no thread is left for other requests";
  go_on.release();
  EXPECT_EQ(went_on.get_future().wait_for(seconds(10)), std::future_status::ready) << "no thread is left for watches";
  EXPECT_EQ(Runs(), 1U);
  client_.reset();
  for (auto& reply : waiting) EXPECT_THAT(reply.get().error, EndsWith(": the transport is closed"));
}

TEST_F(CredentialCommand, RequestsUseTheValidCredentialDuringARefresh) {
  Give("one", "2023-11-14T22:23:20Z");  // in ten minutes
  Connect();
  EXPECT_THAT(Send().get().body, HasSubstr("authorization=Bearer one "));
  Hang();
  clock_.Advance(500 * base::kSecond);  // it is time for the next one
  EXPECT_THAT(Send().get().body, HasSubstr("authorization=Bearer one "));
  ASSERT_TRUE(RunsReach(2));
  for (auto& reply : SendMany(32)) EXPECT_THAT(reply.get().body, HasSubstr("authorization=Bearer one "));
  EXPECT_EQ(Runs(), 2U);
}

TEST_F(CredentialCommand, WithoutAValidCredentialRequestsWaitAndFailWithTheCommandsName) {
  Give("one", "2023-11-14T22:23:20Z");
  Connect(milliseconds(1500));
  EXPECT_EQ(Send().get().status, 200);
  Hang();
  clock_.Advance(601 * base::kSecond);
  auto replies = SendMany(8);
  for (auto& future : replies) {
    const Reply reply = future.get();
    EXPECT_EQ(reply.status, 0);
    EXPECT_FALSE(reply.maybe_delivered);
    EXPECT_THAT(reply.error,
                EndsWith("getting credentials: exec: executable " + folder_ + "/command: did not end within 1500 ms"));
  }
  EXPECT_EQ(Runs(), 2U);
  Give("two");
  clock_.Advance(2 * base::kSecond);  // a failure is valid for a second
  EXPECT_THAT(Send().get().body, HasSubstr("authorization=Bearer two "));
}

TEST_F(CredentialCommand, ManyWaitingRequestsCauseOneRun) {
  Write("body", "while [ ! -e " + Path("go") + " ]; do sleep 0.02; done\necho '" + Answer("one") + "'");
  Connect();
  auto replies = SendMany(200);
  std::promise<void> streamed;
  class Sink final : public BodySink {
   public:
    bool OnBytes(std::string_view bytes) override { return text += bytes, true; }
    std::string text;
  } sink;
  auto stream = std::async(std::launch::async, [&] { return client_->Stream({.path = "/x"}, sink, {}); });
  ASSERT_TRUE(RunsReach(1));
  EXPECT_EQ(replies[0].wait_for(seconds(0)), std::future_status::timeout) << "nothing is sent without credentials";
  Write("go", "");
  for (auto& reply : replies) EXPECT_THAT(reply.get().body, HasSubstr("authorization=Bearer one "));
  EXPECT_EQ(stream.get().status, 200);
  EXPECT_THAT(sink.text, HasSubstr("authorization=Bearer one "));
  EXPECT_EQ(Runs(), 1U);
}

TEST_F(CredentialCommand, AStreamThatWaitsForCredentialsCanBeStopped) {
  Hang();
  Connect();
  std::stop_source stop;
  class Sink final : public BodySink {
   public:
    bool OnBytes(std::string_view) override { return true; }
  } sink;
  auto stream =
      std::async(std::launch::async, [&] { return client_->Stream({.path = "/watch"}, sink, stop.get_token()); });
  ASSERT_TRUE(RunsReach(1));
  stop.request_stop();
  EXPECT_THAT(stream.get().error, EndsWith(": context canceled"));
}

TEST_F(CredentialCommand, DestructionKillsAHangingCommand) {
  Hang();
  Connect();
  auto waiting = Send();
  ASSERT_TRUE(RunsReach(1));
  const auto begin = std::chrono::steady_clock::now();
  client_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, kLongEnough);
  EXPECT_THAT(waiting.get().error, EndsWith(": the transport is closed"));
}

}  // namespace
}  // namespace berth::http
