// The clients for reviews, from the flags and the environment.
#include "cluster/access/clients.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "telemetry/log/capture.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ClientsTest : testing::Test {
  ClientsTest() {
    std::string name = std::filesystem::temp_directory_path() / "berth-clients-XXXXXX";
    folder = mkdtemp(name.data());
    process.service_account_folder = folder;
    process.clock = &clock;
  }
  ~ClientsTest() override { std::filesystem::remove_all(folder); }
  std::string Kubeconfig(const std::string& name) const {
    std::ofstream(folder / name) << "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                                    "clusters: [{name: k, cluster: {server: 'https://127.0.0.1:1'}}]\n"
                                    "contexts: [{name: c, context: {cluster: k, user: u}}]\n"
                                    "users: [{name: u, user: {token: t}}]\n";
    return folder / name;
  }
  base::Result<Clients> Make(const std::string& authentication, const std::string& authorization) const {
    return MakeClients({authentication, authorization}, process, "test");
  }

  base::VirtualClock clock{0};
  log::Capture logged;
  std::filesystem::path folder;
  credentials::ProcessEnvironment process;
};

TEST_F(ClientsTest, OutsideOfAClusterThereAreNone) {
  const auto clients = Make("", "");
  ASSERT_TRUE(clients);
  EXPECT_EQ(clients->ForTokens(), nullptr);
  EXPECT_EQ(clients->ForAccess(), nullptr);
  EXPECT_THAT(logged.Messages(), IsEmpty());
}

TEST_F(ClientsTest, AServiceAccountThatCannotBeReadIsAWarning) {
  process.environment = {{"KUBERNETES_SERVICE_HOST", "127.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "1"}};
  const auto clients = Make("", Kubeconfig("k"));
  ASSERT_TRUE(clients);
  EXPECT_EQ(clients->ForTokens(), nullptr);
  EXPECT_NE(clients->ForAccess(), nullptr);
  EXPECT_THAT(logged.Messages(),
              ElementsAre(HasSubstr("failed to read in-cluster kubeconfig for delegated authentication: ")));
}

TEST_F(ClientsTest, APodUsesItsServiceAccount) {
  process.environment = {{"KUBERNETES_SERVICE_HOST", "127.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "1"}};
  std::ofstream(folder / "token") << "t";
  const auto clients = Make("", "");
  ASSERT_TRUE(clients);
  EXPECT_NE(clients->ForTokens(), nullptr);
  EXPECT_EQ(clients->ForTokens(), clients->ForAccess());
}

TEST_F(ClientsTest, FilesThatAreTheSameShareAClient) {
  const auto same = Make(Kubeconfig("k"), Kubeconfig("k"));
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->ForTokens(), same->ForAccess());
  const auto two = Make(Kubeconfig("k"), Kubeconfig("l"));
  ASSERT_TRUE(two);
  EXPECT_NE(two->ForTokens(), two->ForAccess());
}

TEST_F(ClientsTest, AFileThatCannotBeUsedIsAnErrorThatNamesThePurpose) {
  EXPECT_THAT(Make("/nowhere", "").error().message, HasSubstr("failed to get delegated authentication kubeconfig: "));
  EXPECT_THAT(Make("", "/nowhere").error().message, HasSubstr("failed to get delegated authorization kubeconfig: "));
}

}  // namespace
}  // namespace berth::access
