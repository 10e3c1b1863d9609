// From flags to HTTPS: certificates from files, from --cert-dir, and self-signed; changes of files; upstream's errors.
// The clients are the openssl tool and curl.
#include "cluster/secure_serving/secure_serving.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.h"
#include "cluster/secure_serving/main_pair.h"
#include "cluster/secure_serving/pair_files.h"
#include "os/crypto/self_signed.h"
#include "telemetry/log/capture.h"

namespace berth::secure_serving {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Output(const std::string& command) {
  FILE* out = popen(("(" + command + ") 2>&1 </dev/null").c_str(), "r");
  std::string text;
  char piece[4096];
  while (const size_t n = fread(piece, 1, sizeof(piece), out)) text.append(piece, n);
  pclose(out);
  return text;
}

std::string ContentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string TextOf(const log::Capture& log) { return base::Join(log.Messages(), "\n"); }

class SecureServingTest : public testing::Test {
 protected:
  SecureServingTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "berth-serving-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    serving_.bind_address = "127.0.0.1";
    serving_.secure_port = FreePort();
  }
  ~SecureServingTest() override { std::filesystem::remove_all(directory_); }

  // --secure-port 0 means none, so that a test needs a number.
  static int64_t FreePort() {
    auto listener = http::Listener::Start("127.0.0.1:0", [](const http::Incoming&) { return http::Answer{}; });
    return (*listener)->port();
  }
  std::string Path(const std::string& file) const { return directory_ + "/" + file; }
  // A pair NAME.crt and NAME.key for the DNS name.
  void WritePair(const std::string& name, const std::string& dns) {
    const auto made = crypto::MakeSelfSigned({.host = dns, .ips = {"127.0.0.1"}});
    ASSERT_TRUE(made.has_value());
    std::ofstream(Path(name + ".crt")) << made->certificate_pem;
    std::ofstream(Path(name + ".key")) << made->key_pem;
  }
  void UseFiles(const std::string& name) {
    serving_.tls_cert_file = Path(name + ".crt");
    serving_.tls_private_key_file = Path(name + ".key");
  }
  std::unique_ptr<SecureServing> Start() {
    auto started = SecureServing::Start(
        serving_, [](const http::Incoming& request) { return http::Answer{.body = "answer to " + request.path}; }, {});
    if (!started) ADD_FAILURE() << started.error().message;
    return started ? std::move(*started) : nullptr;
  }
  std::string StartError() {
    auto started = SecureServing::Start(serving_, [](const http::Incoming&) { return http::Answer{}; }, {});
    return started ? "none" : started.error().message;
  }
  // The names of the certificate that a client sees.
  std::string Names(const std::string& server_name = "") const {
    const std::string name = server_name.empty() ? "-noservername" : "-servername " + server_name;
    return Output("openssl s_client -connect 127.0.0.1:" + std::to_string(serving_.secure_port) + " " + name +
                  " | openssl x509 -noout -ext subjectAltName");
  }

  std::string directory_;
  options::Serving serving_;
};

TEST_F(SecureServingTest, PortZeroServesNothing) {
  serving_.secure_port = 0;
  EXPECT_EQ(Start(), nullptr);
}

TEST_F(SecureServingTest, ServesWithASelfSignedCertificate) {
  log::Capture log;
  auto serving = Start();
  EXPECT_THAT(TextOf(log), HasSubstr("Generated self-signed cert in-memory"));
  EXPECT_THAT(TextOf(log), HasSubstr("Serving securely on 127.0.0.1:" + std::to_string(serving_.secure_port)));
  EXPECT_EQ(Output("curl -sk https://127.0.0.1:" + std::to_string(serving_.secure_port) + "/healthz"),
            "answer to /healthz");
  EXPECT_THAT(Names(), HasSubstr("DNS:localhost, IP Address:127.0.0.1, IP Address:127.0.0.1\n"));
}

TEST_F(SecureServingTest, TheSelfSignedCertificateNamesTheBindAddress) {
  const auto names_for = [&](const std::string& address) {
    serving_.bind_address = address;
    const auto main = LoadMainPair(serving_);
    std::ofstream(Path("self.crt")) << main->pair.certificate_pem;
    return Output("openssl x509 -noout -ext subjectAltName -in " + Path("self.crt"));
  };
  EXPECT_THAT(names_for("0.0.0.0"), HasSubstr(" DNS:localhost, DNS:localhost, IP Address:127.0.0.1\n"));
  EXPECT_THAT(names_for("::"), HasSubstr(" DNS:localhost, DNS:localhost, IP Address:127.0.0.1\n"));
  EXPECT_THAT(names_for("10.1.2.3"), HasSubstr(" DNS:localhost, IP Address:127.0.0.1, IP Address:10.1.2.3\n"));
}

TEST_F(SecureServingTest, ServesTheFiles) {
  WritePair("a", "a.test");
  UseFiles("a");
  auto serving = Start();
  EXPECT_THAT(Names(), HasSubstr("DNS:a.test"));
}

TEST_F(SecureServingTest, StoresASelfSignedPairAndUsesItAgain) {
  serving_.cert_dir = Path("made/on/demand");
  const std::string certificate = serving_.cert_dir + "/kube-scheduler.crt";
  const std::string key = serving_.cert_dir + "/kube-scheduler.key";
  auto serving = Start();
  EXPECT_THAT(Names(), HasSubstr("DNS:localhost"));
  struct stat status {};
  ASSERT_EQ(stat(key.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  const std::string made = ContentOf(certificate);
  EXPECT_THAT(made, HasSubstr("BEGIN CERTIFICATE"));
  serving.reset();
  serving = Start();
  EXPECT_EQ(ContentOf(certificate), made);
  serving.reset();
  std::filesystem::remove(key);
  EXPECT_EQ(StartError(), "error creating self-signed certificates: error reading " + key +
                              ", certificate and key must be supplied as a pair");
}

TEST_F(SecureServingTest, NamesTheStoredPairAfterTheProgram) {
  serving_.cert_dir = Path("made");
  serving_.pair_name = "another-program";
  const auto main = LoadMainPair(serving_);
  ASSERT_TRUE(main.has_value());
  EXPECT_EQ(main->files->certificate, Path("made/another-program.crt"));
  EXPECT_EQ(ContentOf(main->files->key), main->pair.key_pem);
  EXPECT_FALSE(std::filesystem::exists(Path("made/kube-scheduler.crt")));
}

TEST_F(SecureServingTest, ShowsSniPairs) {
  WritePair("main", "main.test");
  WritePair("b", "b.test");
  WritePair("c", "c.test");
  UseFiles("main");
  serving_.tls_sni_cert_keys = {Path("b.crt") + "," + Path("b.key"),
                                Path("c.crt") + "," + Path("c.key") + ":*.c,d.test"};
  auto serving = Start();
  EXPECT_THAT(Names("b.test"), HasSubstr("DNS:b.test"));
  EXPECT_THAT(Names("x.c"), HasSubstr("DNS:c.test"));
  EXPECT_THAT(Names("d.test"), HasSubstr("DNS:c.test"));
  EXPECT_THAT(Names("e.test"), HasSubstr("DNS:main.test"));
}

TEST_F(SecureServingTest, ShowsChangedFilesWithoutARestart) {
  WritePair("main", "before.test");
  WritePair("sni", "sni-before.test");
  UseFiles("main");
  serving_.tls_sni_cert_keys = {Path("sni.crt") + "," + Path("sni.key") + ":sni.test"};
  auto serving = Start();
  EXPECT_THAT(Names(), HasSubstr("DNS:before.test"));
  WritePair("main", "after.test");
  serving->Poll();
  EXPECT_THAT(Names(), HasSubstr("DNS:after.test"));
  EXPECT_THAT(Names("sni.test"), HasSubstr("DNS:sni-before.test"));
  WritePair("sni", "sni-after.test");
  serving->Poll();
  EXPECT_THAT(Names("sni.test"), HasSubstr("DNS:sni-after.test"));
}

TEST_F(SecureServingTest, ABadNewPairKeepsTheOldOneAndIsLoggedOnce) {
  WritePair("main", "before.test");
  WritePair("other", "after.test");
  UseFiles("main");
  auto serving = Start();
  std::filesystem::copy_file(Path("other.crt"), Path("main.crt"), std::filesystem::copy_options::overwrite_existing);
  log::Capture log;
  serving->Poll();
  serving->Poll();
  const std::string text = TextOf(log);
  EXPECT_THAT(text, HasSubstr("err=\"tls: private key does not match public key\""));
  EXPECT_EQ(text.find("cannot be used"), text.rfind("cannot be used")) << text;
  EXPECT_THAT(Names(), HasSubstr("DNS:before.test"));
  std::filesystem::copy_file(Path("other.key"), Path("main.key"), std::filesystem::copy_options::overwrite_existing);
  serving->Poll();
  EXPECT_THAT(Names(), HasSubstr("DNS:after.test"));
  std::filesystem::remove(Path("main.crt"));
  serving->Poll();
  EXPECT_THAT(Names(), HasSubstr("DNS:after.test"));
}

TEST_F(SecureServingTest, MistakesAreUpstreamsErrors) {
  WritePair("a", "a.test");
  WritePair("b", "b.test");
  std::ofstream(Path("empty")).close();
  const auto with = [&](const auto& change) {
    const options::Serving before = serving_;
    change();
    std::string error = StartError();
    serving_ = before;
    return error;
  };
  EXPECT_EQ(with([&] { serving_.tls_cert_file = Path("a.crt"); }), "missing filename for serving cert");
  EXPECT_EQ(with([&] { serving_.tls_private_key_file = Path("a.key"); }), "missing filename for serving cert");
  EXPECT_EQ(with([&] {
              UseFiles("a");
              serving_.tls_cert_file = Path("none");
            }),
            "open " + Path("none") + ": no such file or directory");
  EXPECT_EQ(with([&] {
              UseFiles("a");
              serving_.tls_private_key_file = Path("empty");
            }),
            "missing content for serving cert \"serving-cert::" + Path("a.crt") + "::" + Path("empty") + "\"");
  EXPECT_EQ(with([&] {
              UseFiles("a");
              serving_.tls_private_key_file = Path("b.key");
            }),
            "tls: private key does not match public key");
  EXPECT_EQ(with([&] { serving_.tls_sni_cert_keys = {Path("a.crt") + "," + Path("none")}; }),
            "failed to load SNI cert and key: open " + Path("none") + ": no such file or directory");
  EXPECT_EQ(with([&] { serving_.tls_min_version = "TLS1.2"; }), "unknown tls version \"TLS1.2\"");
  EXPECT_EQ(with([&] { serving_.tls_cipher_suites = {"AES"}; }), "Cipher suite AES not supported or doesn't exist");
  EXPECT_EQ(with([&] { serving_.tls_curve_preferences = {23, 23}; }), "duplicate curve preference 23");
}

TEST_F(SecureServingTest, APortInUseIsUpstreamsErrorUnlessItIsShared) {
  serving_.permit_port_sharing = true;
  auto first = Start();
  EXPECT_NE(Start(), nullptr);
  serving_.permit_port_sharing = false;
  const std::string address = "127.0.0.1:" + std::to_string(serving_.secure_port);
  EXPECT_EQ(StartError(),
            "failed to create listener: failed to listen on " + address + ": bind: address already in use");
}

TEST(PairFiles, ReadsTheFlag) {
  const PairFiles plain = SniFilesOf("/a.crt,/a.key");
  EXPECT_EQ(plain.Name(), "sni-serving-cert::/a.crt::/a.key");
  EXPECT_THAT(plain.patterns, IsEmpty());
  const PairFiles named = SniFilesOf("/a.crt,/a.key:*.x,y,::1");
  EXPECT_EQ(named.key, "/a.key");
  EXPECT_THAT(named.patterns, ElementsAre("*.x", "y", "::1"));
}

}  // namespace
}  // namespace berth::secure_serving
