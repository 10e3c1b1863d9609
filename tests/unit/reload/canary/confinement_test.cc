// Which resources a candidate can reach from the child process that tries it.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "os/fd/file_descriptor.h"
#include "plugin/loader/host_libraries.h"
#include "reload/canary/canary.h"
#include "zoo.h"

namespace berth::canary {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

class Listener {
 public:
  Listener() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(fd_.get(), 1), 0);
    EXPECT_EQ(getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  int port() const { return port_; }

 private:
  os::FileDescriptor fd_;
  int port_ = 0;
};

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

class ConfinementTest : public testing::Test {
 protected:
  ConfinementTest() {
    options_.program = BERTH_SCHEDULER_PROGRAM;
    options_.limit = std::chrono::seconds(60);  // sanitizers are slow
    options_.plugin_directories = {std::string(BERTH_TEST_BUILD_DIR) + "/lib/berth/plugins", plugins_.path()};
  }
  std::string Tried(const std::string& file, const std::string& plugin, const std::string& args = "{}") {
    std::filesystem::copy_file(std::string(BERTH_CANARY_PLUGINS) + "/" + file + ".so", plugins_.File(file + ".so"));
    const std::string config = R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins: {multiPoint: {enabled: [{name: )" +
                               plugin + "}]}}\n  pluginConfig: [{name: " + plugin + ", args: " + args + "}]\n";
    const auto survived = MakeCanary(options_)(assembly::ParseConfig({{"config.yaml", config}}, {}));
    return survived ? "" : survived.error().message;
  }

  zoo::PrivateFolder plugins_;
  CanaryOptions options_;
};

// The results of the plugin LooksAround, by the name of the attempt.
class LooksAroundTest : public ConfinementTest {
 protected:
  LooksAroundTest() {
    std::filesystem::create_directory(data_.File("secrets"));
    zoo::WriteText(data_.File("secrets/token"), "hidden token");
    zoo::WriteText(data_.File("open"), "plain text");
    zoo::WriteText(data_.File("writable"), "before");
    options_.hidden = {data_.File("secrets"), data_.File("not-there")};
  }
  void Look() {
    const std::string error =
        Tried("looks_around", "LooksAround",
              "{secret: " + data_.File("secrets/token") + ", openFile: " + data_.File("open") +
                  ", writable: " + data_.File("writable") + ", port: " + std::to_string(listener_.port()) + "}");
    const size_t begin = error.find("saw "), end = error.find(" end");
    ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << error;
    std::istringstream words(error.substr(begin + 4, end - begin - 4));
    std::string name;
    for (std::string word; words >> word;) {
      const size_t equals = word.find('=');
      if (equals != std::string::npos) {
        name = word.substr(0, equals);
        saw_[name] = word.substr(equals + 1);
      } else {
        saw_[name] += " " + word;
      }
    }
  }
  const std::string& Saw(const std::string& name) {
    EXPECT_TRUE(saw_.contains(name)) << name;
    return saw_[name];
  }

  zoo::PrivateFolder data_;
  Listener listener_;
  std::map<std::string, std::string> saw_;
};

TEST_F(LooksAroundTest, SeesNoVariablesButThoseOfTheLanguageAndTheMachine) {
  const Variable token("BERTH_TEST_TOKEN", "secret"), kubeconfig("KUBECONFIG", "/etc/kubeconfig"),
      proxy("HTTPS_PROXY", "http://user:password@proxy"), zone("TZ", "UTC"), language("LC_TIME", "C"),
      path("PATH", "/usr/bin");
  Look();
  EXPECT_LT(Saw("environment").size(), 300u);  // longer texts are cut off
  EXPECT_THAT(Saw("environment"), HasSubstr("PATH"));
  EXPECT_THAT(Saw("environment"), HasSubstr("TZ"));
  EXPECT_THAT(Saw("environment"), HasSubstr("LC_TIME"));
  for (const char* secret : {"TOKEN", "KUBECONFIG", "PROXY", "HOME"}) {
    EXPECT_THAT(Saw("environment"), testing::Not(HasSubstr(secret)));
  }
}

TEST_F(LooksAroundTest, InheritsNoDescriptors) {
  const os::FileDescriptor left_open(dup(0));  // not closed on exec
  Look();
  EXPECT_EQ(Saw("descriptors"), "/dev/null,pipe,pipe,pipe");  // input, output, errors, and the pipe for the report
}

TEST_F(LooksAroundTest, ReadsFilesButNotHiddenOnes) {
  Look();
  EXPECT_EQ(Saw("secret"), "EACCES");
  EXPECT_EQ(Saw("openFile"), "plain text");
}

TEST_F(LooksAroundTest, HasNoNetwork) {
  Look();
  EXPECT_EQ(Saw("socket"), "EACCES");
  EXPECT_EQ(Saw("unixSocket"), "EACCES");
  EXPECT_EQ(Saw("ioUring"), "ENOSYS");
}

TEST_F(LooksAroundTest, ChangesNoFile) {
  Look();
  for (const char* attempt : {"write", "append", "truncate", "create", "chmod", "mkdir", "rename", "unlink"}) {
    EXPECT_EQ(Saw(attempt), "EROFS") << attempt;
  }
  EXPECT_EQ(zoo::ReadBytes(data_.File("writable")).size(), std::string("before").size());
  EXPECT_FALSE(std::filesystem::exists(data_.File("writable.new")));
}

TEST_F(LooksAroundTest, ReachesNoOtherProcess) {
  const Variable token("BERTH_TEST_TOKEN", "secret");
  Look();
  EXPECT_EQ(Saw("parentEnvironment"), "EACCES");
  EXPECT_EQ(Saw("parentMemory"), "EPERM");
  EXPECT_EQ(Saw("parentSignal"), "EPERM");
  EXPECT_EQ(Saw("fork"), "EPERM");
  EXPECT_EQ(Saw("execute"), "EPERM");
}

TEST_F(LooksAroundTest, IsTheFirstToDieWhenMemoryRunsOut) {
  Look();
  EXPECT_EQ(Saw("oomScore"), "1000");
}

TEST_F(LooksAroundTest, CannotRaiseItsLimits) {
  Look();
  EXPECT_EQ(Saw("ownLimit"), "EPERM");
}

TEST_F(ConfinementTest, ACandidateThatAllocatesWithoutEndIsRefused) {
  if (loader::IsSanitized()) GTEST_SKIP() << "a sanitizer reserves terabytes, so that there is no limit";
  EXPECT_THAT(Tried("takes_all_memory", "TakesAllMemory"),
              MatchesRegex("a child process that ran it was ended by signal 11 \\(Segmentation fault\\) in init of "
                           "plugin TakesAllMemory of profile default-scheduler; the process had taken [0-9]+ MiB "
                           "of the [0-9]+ MiB of memory that it may have"));
}

TEST_F(ConfinementTest, ACandidateThatThrowsWhenMemoryRunsOutIsRefused) {
  if (loader::IsSanitized()) GTEST_SKIP() << "a sanitizer reserves terabytes, so that there is no limit";
  EXPECT_THAT(Tried("grows_a_list", "GrowsAList"),
              AllOf(HasSubstr("initializing plugin \"GrowsAList\""), HasSubstr("bad_alloc"),
                    MatchesRegex(".*; the process had taken [0-9]+ MiB of the [0-9]+ MiB of memory that it may have")));
}

}  // namespace
}  // namespace berth::canary
