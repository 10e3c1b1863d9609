// When a rotation applies changed files. The clock is virtual; files are real.
#include "client/credentials/rotation.h"

#include <gmock/gmock.h>

#include <sys/stat.h>

#include <thread>
#include <vector>

#include "codec/text/base64.h"
#include "sandbox.h"
#include "telemetry/log/capture.h"

namespace berth::credentials {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kRotatedServer = "      server: https://h\n";

class RotationTest : public Sandbox {
 protected:
  void Begin(const std::string& path) {
    rotation_ = std::make_unique<Rotation>(Target{path, ""}, surroundings_);
    const auto options = rotation_->Load();
    ASSERT_TRUE(options) << options.error().message;
  }
  void Look() {
    rotation_->Look([this](http::ClientOptions options) -> base::Result<void> {
      if (!refusal_.empty()) return base::Fail(refusal_);
      used_.push_back(std::move(options));
      return {};
    });
  }
  std::string UserData(const std::string& certificate) const {
    return "      client-certificate-data: " + text::EncodeBase64(certificate) +
           "\n      client-key-data: " + text::EncodeBase64(kKeyPem) + "\n";
  }

  std::unique_ptr<Rotation> rotation_;
  std::vector<http::ClientOptions> used_;
  std::string refusal_;  // "" = the client accepts the configuration
};

TEST_F(RotationTest, UnchangedFilesAreNotLoadedAgain) {
  const std::string path = Kubeconfig(kRotatedServer);
  Begin(path);
  const std::string text = Read("k.yaml");
  for (int i = 0; i < 3; ++i) Look();
  Write("k.yaml", text);  // touched
  Look();
  std::filesystem::rename(Write("k.yaml.new", text), path);
  Look();
  clock_.Advance(1000 * base::kSecond);
  Look();
  EXPECT_THAT(used_, IsEmpty());
}

TEST_F(RotationTest, AChangeOfEveryFileIsNoticed) {
  Write("ca.crt", kCertificatePem);
  Write("u.crt", kCertificatePem);
  Write("u.key", kKeyPem);
  Begin(Kubeconfig(kRotatedServer + "      certificate-authority: ca.crt\n",
                   "      client-certificate: u.crt\n      client-key: u.key\n"));
  const std::string other = std::string(kCertificatePem) + "# other";
  Write("ca.crt", other);
  Look();
  ASSERT_EQ(used_.size(), 1u);
  EXPECT_EQ(used_.back().tls.ca_pem, other);
  Write("u.crt", other);
  Look();
  ASSERT_EQ(used_.size(), 2u);
  EXPECT_EQ(used_.back().tls.identity()->certificate_pem, other);
  const std::string other_key = std::string(kKeyPem) + "# other";
  std::filesystem::rename(Write("new", other_key), Path("u.key"));
  Look();
  ASSERT_EQ(used_.size(), 3u);
  EXPECT_EQ(used_.back().tls.identity()->key_pem, other_key);
  Kubeconfig(kRotatedServer, UserData(kCertificatePem));
  Look();
  ASSERT_EQ(used_.size(), 4u);
  EXPECT_EQ(used_.back().tls.ca_pem, "");
  Look();
  EXPECT_EQ(used_.size(), 4u);
}

TEST_F(RotationTest, UnreadableFilesAreReportedOnceAndRetried) {
  const std::string path = Kubeconfig(kRotatedServer);
  Begin(path);
  log::Capture capture;
  Write("k.yaml", "clusters: [\n  s3cret: s3cret: \"");
  Look();
  Look();
  EXPECT_THAT(capture.Messages(),
              ElementsAre(AllOf(HasSubstr("Unable to reload the client configuration, the old one stays in use"),
                                HasSubstr("error loading config file: "), Not(HasSubstr("s3cret")))));
  std::filesystem::remove(path);
  Look();
  EXPECT_THAT(capture.Messages().back(), HasSubstr("no such file or directory"));
  EXPECT_THAT(used_, IsEmpty());
  Kubeconfig(kRotatedServer, "      token: other\n");
  Look();
  ASSERT_EQ(used_.size(), 1u);
  EXPECT_EQ(HeaderOf(used_.back()), "Bearer other");
}

TEST_F(RotationTest, ARejectedConfigurationIsOfferedAgain) {
  Begin(Kubeconfig(kRotatedServer));
  log::Capture capture;
  refusal_ = "key values mismatch";
  Kubeconfig(kRotatedServer, "      token: other\n");
  Look();
  refusal_.clear();
  clock_.Advance(10 * base::kSecond - 1);
  Look();
  EXPECT_THAT(used_, IsEmpty());
  clock_.Advance(1);
  Look();
  EXPECT_EQ(used_.size(), 1u);
  EXPECT_THAT(capture.Messages(), ElementsAre(HasSubstr("key values mismatch"), HasSubstr("Reloaded the client")));
}

// Cut where YAML still parses: without its users, or without its contexts.
TEST_F(RotationTest, AnIncompleteKubeconfigIsNotUsed) {
  const std::string clusters = "clusters: [{name: c, cluster: {server: 'https://h'}}]\n";
  const std::string context = "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n";
  Begin(Write("k.yaml", clusters + context + "users: [{name: u, user: {token: t}}]\n"));
  surroundings_.environment["KUBERNETES_SERVICE_HOST"] = "h";
  for (const std::string& text : {clusters + context, clusters, std::string()}) {
    Write("k.yaml", text);
    Look();
    EXPECT_THAT(used_, IsEmpty()) << text;
  }
}

TEST_F(RotationTest, AServiceAccountsCaMustExist) {
  surroundings_.environment["KUBERNETES_SERVICE_HOST"] = "10.96.0.1";
  surroundings_.environment["KUBERNETES_SERVICE_PORT"] = "443";
  Write("serviceaccount/token", "t");
  Write("serviceaccount/ca.crt", kCertificatePem);
  Begin("");
  log::Capture capture;
  Write("serviceaccount/ca.crt", "half");
  Look();
  EXPECT_THAT(used_, IsEmpty());  // and not the system's authorities
  EXPECT_THAT(capture.Messages(), ElementsAre(HasSubstr("ca.crt: holds no PEM certificate")));
  Write("serviceaccount/ca.crt", kCertificatePem + std::string("# other"));
  Look();
  EXPECT_EQ(used_.size(), 1u);
}

// As the kubelet replaces a volume: the file is a link through another link, whose target changes.
TEST_F(RotationTest, AVolumeIsSwapped) {
  namespace fs = std::filesystem;
  Kubeconfig(kRotatedServer, "      token: one\n");
  Write("volume/..1/k.yaml", Read("k.yaml"));
  Kubeconfig(kRotatedServer, "      token: two\n");
  Write("volume/..2/k.yaml", Read("k.yaml"));
  fs::create_directory_symlink("..1", Path("volume/..data"));
  fs::create_symlink("..data/k.yaml", Path("volume/k.yaml"));
  Begin(Path("volume/k.yaml"));
  fs::create_directory_symlink("..2", Path("volume/..tmp"));
  fs::rename(Path("volume/..tmp"), Path("volume/..data"));
  Look();
  ASSERT_EQ(used_.size(), 1u);
  EXPECT_EQ(HeaderOf(used_.back()), "Bearer two");
}

// `--kubeconfig <(command)`: it can be read once.
TEST_F(RotationTest, APipeIsNotReadAgain) {
  const std::string pipe = Path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Kubeconfig(kRotatedServer);
  std::thread writer([&] { std::ofstream(pipe) << Read("k.yaml"); });
  Begin(pipe);
  writer.join();
  Look();
  EXPECT_THAT(used_, IsEmpty());
}

}  // namespace
}  // namespace berth::credentials
