#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "client/credentials/exec_command.h"
#include "client/credentials/load_state.h"
#include "codec/json/value.h"
#include "codec/text/base64.h"
#include "eventually.h"
#include "sandbox.h"
#include "telemetry/log/capture.h"

namespace berth::credentials {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

class ExecTest : public Sandbox {
 protected:
  // A kubeconfig whose user runs the command; `more` adds fields of exec, indented by eight blanks.
  std::string ExecKubeconfig(const std::string& command, const std::string& more = "        interactiveMode: Never\n",
                             const std::string& version = kV1, const std::string& user = "") {
    return Kubeconfig("      server: https://h:6443\n", user + "      exec:\n        command: " + command +
                                                            "\n        apiVersion: " + version + "\n" + more);
  }
  base::Result<http::ClientOptions> LoadExec(const std::string& command,
                                             const std::string& more = "        interactiveMode: Never\n") {
    return Load(ExecKubeconfig(command, more));
  }
  static std::string Answer(const std::string& status, const std::string& version = kV1) {
    return R"({"kind":"ExecCredential","apiVersion":")" + version + R"(","status":{)" + status + "}}";
  }
  // A script that counts its runs in the file "runs" and prints the content of the file "answer".
  std::string WriteCounter() {
    return WriteScript("counter", "echo run >> " + Path("runs") + "\ncat " + Path("answer") + "\n");
  }
  size_t Runs() const { return Read("runs").size() / 4; }
  // The process whose number a script wrote to "child".
  void ExpectChildGone() const {
    // The process has ended, or is a zombie that init has not reaped yet.
    const std::string child = Read("child");
    const auto lives = [&child] {
      std::ifstream file("/proc/" + child.substr(0, child.find('\n')) + "/stat");
      const std::string status{std::istreambuf_iterator<char>(file), {}};
      return !status.empty() && status.find(") Z ") == std::string::npos;
    };
    EXPECT_FALSE(child.empty());
    EXPECT_TRUE(Eventually([&] { return !lives(); }));
  }
};

TEST_F(ExecTest, ATokenIsKeptUntilItExpires) {
  WriteCounter();
  Write("answer", Answer(R"("token":"one","expirationTimestamp":"2023-11-14T23:13:20+00:30")"));  // in half an hour
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(Runs(), 0u);  // not at load
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  Write("answer", Answer(R"("token":"two")"));
  EXPECT_TRUE(options->tls.identity()->certificate_pem.empty());
  clock_.Advance(1679 * base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  EXPECT_EQ(Runs(), 1u);
  clock_.Advance(121 * base::kSecond + 1);
  EXPECT_EQ(HeaderOf(*options), "Bearer two");
  clock_.Advance(1'000'000 * base::kSecond);  // no expiry
  EXPECT_EQ(HeaderOf(*options), "Bearer two");
  EXPECT_EQ(Runs(), 2u);
}

TEST_F(ExecTest, TheNextTokenIsRequestedBeforeTheExpiry) {
  WriteScript("counter", "echo run >> " + Path("runs") + "\nwhile [ ! -e " + Path("go") +
                             " ]; do sleep 0.02; done\ncat " + Path("answer") + "\n");
  Write("go", "");
  Write("answer", Answer(R"("token":"one","expirationTimestamp":"2023-11-14T22:43:20Z")"));  // in half an hour
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options);
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  Write("answer", Answer(R"("token":"two")"));
  clock_.Advance(1681 * base::kSecond);
  std::filesystem::remove(Path("go"));
  EXPECT_EQ(HeaderOf(*options), "Bearer one");  // no request waits for the next one
  Write("go", "");
  EXPECT_TRUE(Eventually([&] { return HeaderOf(*options) != "Bearer one"; }));
  EXPECT_EQ(HeaderOf(*options), "Bearer two");
  EXPECT_EQ(Runs(), 2u);
}

TEST_F(ExecTest, AnEarlyRunThatFailsLeavesTheTokenInUse) {
  WriteCounter();
  Write("answer", Answer(R"("token":"one","expirationTimestamp":"2023-11-14T22:43:20Z")"));
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options);
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  Write("answer", "nothing");
  log::Capture capture;
  clock_.Advance(1681 * base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  EXPECT_TRUE(Eventually([&] { return !capture.Messages().empty(); }));
  EXPECT_THAT(capture.Messages(), testing::ElementsAre(HasSubstr("Unable to refresh credentials")));
  clock_.Advance(9 * base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  EXPECT_EQ(Runs(), 2u);  // at most one early run every ten seconds
  clock_.Advance(111 * base::kSecond);
  EXPECT_THAT(HeaderOf(*options), HasSubstr("error: getting credentials: exec: executable"));
  EXPECT_EQ(Runs(), 3u);
}

// Otherwise a command with an expired answer would run in a loop.
TEST_F(ExecTest, AnExpiredAnswerIsRetriedOnceASecond) {
  WriteCounter();
  Write("answer", Answer(R"("token":"old","expirationTimestamp":"2023-11-14T22:00:00Z")"));
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(HeaderOf(*options), "Bearer old");
  EXPECT_EQ(Runs(), 1u);
  clock_.Advance(base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer old");
  EXPECT_EQ(Runs(), 2u);
}

TEST_F(ExecTest, AnotherLoadKeepsTheSameCommand) {
  WriteCounter();
  Write("answer", Answer(R"("token":"one")"));
  const std::string path = ExecKubeconfig("./counter");
  LoadState first;
  const auto options = LoadClientOptions({path, ""}, surroundings_, first);
  ASSERT_TRUE(options);
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  LoadState second{.files = {}, .exec = first.exec};
  EXPECT_EQ(HeaderOf(*LoadClientOptions({path, ""}, surroundings_, second)), "Bearer one");
  EXPECT_EQ(Runs(), 1u);
  ExecKubeconfig("./counter", "        interactiveMode: Never\n        args: [other]\n");
  LoadState third{.files = {}, .exec = first.exec};
  EXPECT_EQ(HeaderOf(*LoadClientOptions({path, ""}, surroundings_, third)), "Bearer one");
  EXPECT_EQ(Runs(), 2u);
}

TEST_F(ExecTest, ANewCertificateIsANewVersion) {
  WriteCounter();
  const std::string key = R"(,"clientKeyData":)" + json::Dump(kKeyPem);
  const auto answer = [&](const std::string& more) {
    Write("answer", Answer(R"("clientCertificateData":)" + json::Dump(kCertificatePem + more) + key));
  };
  answer("");
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options);
  EXPECT_EQ(HeaderOf(*options), "");
  const uint64_t version = options->tls.identity_version();
  const auto refuse = [&] {
    clock_.Advance(11 * base::kSecond);
    options->unauthorized();
    EXPECT_EQ(HeaderOf(*options), "");
  };
  refuse();
  EXPECT_EQ(options->tls.identity_version(), version);
  answer("# another");
  refuse();
  EXPECT_NE(options->tls.identity_version(), version);
  EXPECT_EQ(Runs(), 3u);
}

TEST_F(ExecTest, RejectedCredentialsAreRenewedUnlessTheyAreNew) {
  WriteCounter();
  Write("answer", Answer(R"("token":"one")"));
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  Write("answer", Answer(R"("token":"two")"));
  options->unauthorized();
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  clock_.Advance(10 * base::kSecond + 1);
  options->unauthorized();
  EXPECT_EQ(HeaderOf(*options), "Bearer two");
  EXPECT_EQ(Runs(), 2u);
}

TEST_F(ExecTest, OneRunServesAllWaitingRequests) {
  WriteCounter();
  Write("answer", Answer(R"("token":"one")"));
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options);
  std::vector<std::thread> threads;
  std::vector<std::string> headers(8);
  for (std::string& header : headers) threads.emplace_back([&] { header = HeaderOf(*options); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(headers, testing::Each("Bearer one"));
  EXPECT_EQ(Runs(), 1u);
}

TEST_F(ExecTest, Certificates) {
  WriteCounter();
  const std::string certificate = json::Dump(kCertificatePem), key = json::Dump(kKeyPem);
  Write("answer", Answer(R"("clientCertificateData":)" + certificate + R"(,"clientKeyData":)" + key));
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options);
  EXPECT_EQ(HeaderOf(*options), "");
  const auto identity = options->tls.identity();
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->certificate_pem, kCertificatePem);
  EXPECT_EQ(identity->key_pem, kKeyPem);
}

TEST_F(ExecTest, TheCommandGetsArgumentsAndEnvironment) {
  WriteScript("tools/show",
              "for word in \"$@\" \"$FROM_CONFIG\" \"$FROM_HOST\" \"$BOTH\"; do echo \"[$word]\"; done > " +
                  Path("given") + "\necho \"$KUBERNETES_EXEC_INFO\" >> " + Path("given") + "\ncat >> " + Path("given") +
                  "\nexit 1\n");
  surroundings_.environment["FROM_HOST"] = "host";
  surroundings_.environment["BOTH"] = "host";
  surroundings_.environment["PATH"] = "relative::" + Path("tools") + ":/usr/bin:/bin";
  const auto options = LoadExec("show",
                                "        args: [get-token, \"two words\", \"\"]\n"
                                "        env:\n"
                                "        - {name: FROM_CONFIG, value: config}\n"
                                "        - {name: BOTH, value: config}\n"
                                "        interactiveMode: IfAvailable\n");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(HeaderOf(*options), "error: getting credentials: exec: executable show failed with exit code 1");
  EXPECT_EQ(Read("given"),
            "[get-token]\n[two words]\n[]\n[config]\n[host]\n[config]\n"
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}})"
            "\n");
}

TEST_F(ExecTest, TheCommandGetsTheCluster) {
  WriteScript("show", "printf %s \"$KUBERNETES_EXEC_INFO\" > " + Path("given") + "\nexit 1\n");
  const std::string ca = text::EncodeBase64(kCertificatePem);
  const auto options =
      Load(Kubeconfig("      server: https://h:6443/prefix/\n      tls-server-name: name\n"
                      "      certificate-authority-data: " +
                          ca +
                          "\n      proxy-url: http://p\n      disable-compression: true\n"
                          "      extensions:\n"
                          "      - {name: other, extension: 1}\n"
                          "      - name: client.authentication.k8s.io/exec\n"
                          "        extension: {audience: me}\n",
                      "      exec:\n        command: ./show\n        provideClusterInfo: true\n"
                      "        apiVersion: client.authentication.k8s.io/v1beta1\n"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_THAT(HeaderOf(*options), HasSubstr("exit code 1"));
  EXPECT_EQ(Read("given"),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{"cluster":{)"
            R"("server":"https://h:6443/prefix","tls-server-name":"name","certificate-authority-data":")" +
                ca +
                R"(","proxy-url":"http://p","disable-compression":true,"config":{"audience":"me"}},)"
                R"("interactive":false}})");
}

TEST_F(ExecTest, OtherCredentialsComeFirst) {
  const auto options = Load(ExecKubeconfig("./gone", "        interactiveMode: Never\n", kV1, "      token: t\n"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(HeaderOf(*options), "Bearer t");
  EXPECT_FALSE(options->tls.identity);
}

TEST_F(ExecTest, BadConfigurations) {
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {kV1, "",
       "k.yaml:12:9: users[0].user.exec.interactiveMode: interactiveMode must be specified for u to use exec "
       "authentication plugin"},
      {kV1, "        interactiveMode: Always\n",
       "k.yaml:14:26: users[0].user.exec.interactiveMode: exec plugin cannot support interactive mode: standard input "
       "is not a terminal"},
      {kV1, "        interactiveMode: always\n",
       "k.yaml:14:26: users[0].user.exec.interactiveMode: invalid interactiveMode for u: \"always\""},
      {"client.authentication.k8s.io/v1alpha1", "        interactiveMode: Never\n",
       "k.yaml:13:21: users[0].user.exec.apiVersion: exec plugin: invalid apiVersion; known are "
       "client.authentication.k8s.io/v1 and client.authentication.k8s.io/v1beta1"},
      {"\"\"", "        interactiveMode: Never\n",
       "k.yaml:13:21: users[0].user.exec.apiVersion: apiVersion must be specified for u to use exec authentication "
       "plugin"},
      {kV1, "        interactiveMode: Never\n        env: [{value: v}]\n",
       "k.yaml:15:15: users[0].user.exec.env[0]: env variable name must be specified for u to use exec authentication "
       "plugin"},
      {kV1, "        interactiveMode: Never\n        args: [1]\n",
       "k.yaml:15:16: users[0].user.exec.args[0]: expected a string, got number"},
      {kV1, "        interactiveMode: Never\n        env: {A: b}\n",
       "k.yaml:15:14: users[0].user.exec.env: expected a list, got object"},
  };
  for (const auto& [version, more, error] : cases) {
    EXPECT_EQ(LoadError(ExecKubeconfig("cmd", more, version)), "invalid configuration: " + error);
  }
  EXPECT_THAT(LoadError(ExecKubeconfig("\"\"")), HasSubstr("command must be specified for u to use exec"));
}

TEST_F(ExecTest, AMissingCommandIsReportedWithItsHint) {
  const auto options =
      LoadExec("no-such-command", "        interactiveMode: Never\n        installHint: \"get it\\e[1m there\"\n");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(HeaderOf(*options),
            "error: getting credentials: exec: executable no-such-command not found\n\nget itU+001B[1m there");
  Write("plain", "no script");
  EXPECT_THAT(HeaderOf(*LoadExec("./plain")), HasSubstr("/plain may not be run"));
}

TEST_F(ExecTest, FailuresShowStderrAndNeverStdout) {
  const std::pair<std::string, std::string> cases[] = {
      {"echo S3CRET; echo 'log in first' >&2; exit 3\n", "failed with exit code 3: log in first"},
      {"echo S3CRET; kill -9 $$\n", "failed with exit code -1"},
      {"echo S3CRET: S3CRET: S3CRET; echo odd >&2\n", "decoding stdout: line 1, column 15: neither JSON nor YAML: odd"},
      {"echo S3CRET\n", "decoding stdout: expected an object, got string"},
      {"true\n", "decoding stdout: expected an object, got null"},
      {"echo '{\"kind\":\"S3CRET\"}'\n", "decoding stdout: its kind is not ExecCredential"},
      {"echo '" + Answer(R"("token":"S3CRET")", "client.authentication.k8s.io/v1beta1") + "'\n",
       "exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin returned version "
       "client.authentication.k8s.io/v1beta1"},
      {"echo '" + Answer(R"("token":"t")", "S3CRET") + "'\n",
       "plugin returned version that is none of client.authentication.k8s.io"},
      {"echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\"}'\n",
       "exec plugin didn't return a status field"},
      {"echo '" + Answer("") + "'\n", "exec plugin didn't return a token or cert/key pair"},
      {"echo '" + Answer(R"("clientKeyData":"S3CRET")") + "'\n",
       "exec plugin returned only certificate or key, not both"},
      {"echo '" + Answer(R"("clientCertificateData":"S3CRET","clientKeyData":"S3CRET")") + "'\n",
       "failed parsing client key/certificate: clientCertificateData holds no PEM certificate"},
      {"echo '" + Answer(R"("token":["S3CRET"])") + "'\n", "status.token: expected a string, got list"},
      {"printf '%s' '" + Answer(R"("token":"S3CRET\nX: y")") + "'\n",
       "exec plugin returned a token with characters that no token has"},
      {"echo '" + Answer(R"("token":"S3CRET","expirationTimestamp":"S3CRET")") + "'\n",
       "status.expirationTimestamp: is no time of RFC 3339"},
      {"head -c 1100000 /dev/zero\n", "wrote more than the 1048576 bytes allowed"},
  };
  for (const auto& [body, reason] : cases) {
    WriteScript("cmd", body);
    const auto options = LoadExec("./cmd");
    ASSERT_TRUE(options) << options.error().message;
    const std::string error = HeaderOf(*options);
    EXPECT_THAT(error, AllOf(HasSubstr("exec: executable " + Path("cmd")), HasSubstr(reason), Not(HasSubstr("S3CRET"))))
        << body;
    EXPECT_EQ(options->tls.identity().error().message, error.substr(7)) << body;
  }
}

TEST_F(ExecTest, AFailureIsValidForASecond) {
  WriteScript("counter", "echo run >> " + Path("runs") + "\nexit 1\n");
  const auto options = LoadExec("./counter");
  ASSERT_TRUE(options);
  EXPECT_THAT(HeaderOf(*options), HasSubstr("exit code 1"));
  clock_.Advance(base::kSecond - 1);
  EXPECT_THAT(HeaderOf(*options), HasSubstr("exit code 1"));
  EXPECT_EQ(Runs(), 1u);
  clock_.Advance(1);
  WriteCounter();
  Write("answer", Answer(R"("token":"one")"));
  EXPECT_EQ(HeaderOf(*options), "Bearer one");
  EXPECT_EQ(Runs(), 2u);
}

TEST_F(ExecTest, AHangingCommandIsKilledWithItsChildren) {
  ExecConfig config;
  config.api_version = kV1;
  config.command = WriteScript("hang", "echo waiting >&2\nsleep 600 &\necho $! > " + Path("child") + "\nwait\n");
  surroundings_.command_time = std::chrono::milliseconds(300);
  const auto made = ExecCommand(config, {}, surroundings_).Run({});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "exec: executable " + Path("hang") + ": did not end within 300 ms: waiting");
  ExpectChildGone();
}

TEST_F(ExecTest, DestructionOfTheSourceKillsTheCommandWithItsChildren) {
  const auto options = std::make_unique<http::ClientOptions>(
      *LoadExec(WriteScript("hang", "sleep 600 &\necho $! > " + Path("child.new") + "\nmv " + Path("child.new") + " " +
                                        Path("child") + "\nwait\n")));
  EXPECT_FALSE(options->ready([] { ADD_FAILURE() << "there is nothing to run"; }));
  EXPECT_TRUE(Eventually([&] { return !Read("child").empty(); }));
  *options = {};
  ExpectChildGone();
}

}  // namespace
}  // namespace berth::credentials
