#include <gmock/gmock.h>

#include "sandbox.h"
#include "telemetry/log/capture.h"

namespace berth::credentials {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr const char* kNotInCluster =
    "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";

class InClusterTest : public Sandbox {
 protected:
  void EnterCluster(const std::string& host) {
    surroundings_.environment["KUBERNETES_SERVICE_HOST"] = host;
    surroundings_.environment["KUBERNETES_SERVICE_PORT"] = "443";
    Write("serviceaccount/token", "s4-token\n");
    Write("serviceaccount/ca.crt", kCertificatePem);
  }
};

TEST_F(InClusterTest, TheServiceAccount) {
  EnterCluster("10.96.0.1");
  const auto options = Load("");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->url, "https://10.96.0.1:443");
  EXPECT_EQ(options->tls.ca_pem, kCertificatePem);
  EXPECT_EQ(HeaderOf(*options), "Bearer s4-token");
  Write("serviceaccount/token", "rotated");
  EXPECT_EQ(HeaderOf(*options), "Bearer s4-token");
  clock_.Advance(base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer rotated");
}

TEST_F(InClusterTest, Ipv6HostsGetBrackets) {
  EnterCluster("fd00::1");
  const auto options = Load("");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->url, "https://[fd00::1]:443");
}

TEST_F(InClusterTest, OutsideOfAClusterThereIsNoConfiguration) {
  log::Capture capture;
  EXPECT_EQ(LoadError(""), kNotInCluster);
  EXPECT_THAT(capture.Messages(), Contains(HasSubstr("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be")));
  EnterCluster("10.96.0.1");
  std::filesystem::remove(Path("serviceaccount/token"));
  EXPECT_EQ(LoadError(""), kNotInCluster);
}

TEST_F(InClusterTest, AnUnreadableTokenIsReported) {
  EnterCluster("10.96.0.1");
  Write("serviceaccount/token", "\n");
  EXPECT_EQ(LoadError(""), "read empty token from file \"serviceaccount/token\"");
}

TEST_F(InClusterTest, WithoutACaTheSystemsCasAreUsed) {
  EnterCluster("10.96.0.1");
  Write("serviceaccount/ca.crt", "no PEM");
  log::Capture capture;
  const auto options = Load("");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->tls.ca_pem, "");
  EXPECT_THAT(capture.Messages(), Contains(HasSubstr("holds no PEM certificate")));
}

TEST_F(InClusterTest, AnEmptyKubeconfigMeansTheServiceAccount) {
  EnterCluster("10.96.0.1");
  const auto options = Load(Write("k.yaml", "kind: Config\n"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->url, "https://10.96.0.1:443");
}

}  // namespace
}  // namespace berth::credentials
