// Candidates with real libraries; the real program tries them in a child process.
#include "reload/canary/canary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <thread>

#include "os/crypto/digest.h"
#include "plugin/loader/loader.h"
#include "plugin/loader/mapping.h"
#include "zoo.h"

namespace berth::canary {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kPatienceMs = 20000;
#else
constexpr int kPatienceMs = 4000;  // long enough to reach the fault on a busy machine
#endif
#if defined(__SANITIZE_THREAD__)
const std::string kInFilter;  // the sanitizer delays the signal that asks the child for its stack
#else
const std::string kInFilter = "Filter of plugin FilterNeverReturns of profile second, ";
#endif
const std::string kTimeout = std::to_string(kPatienceMs) + " ms";

// A separate profile for the plugin, in addition to the default one.
std::string ConfigWith(const std::string& plugin) {
  return R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
- schedulerName: second
  plugins: {multiPoint: {enabled: [{name: )" +
         plugin + "}]}}\n";
}

class CanaryTest : public testing::Test {
 protected:
  CanaryTest() {
    options_.program = BERTH_SCHEDULER_PROGRAM;
    options_.limit = std::chrono::seconds(60);  // sanitizers are slow
    options_.plugin_directories = {std::string(BERTH_TEST_BUILD_DIR) + "/lib/berth/plugins", folder_.path()};
  }
  // "": the candidate passed.
  std::string Tried(const std::string& config) {
    const auto survived = MakeCanary(options_)(assembly::ParseConfig({{"config.yaml", config}}, {}));
    return survived ? "" : survived.error().message;
  }
  std::string TriedInZoo(const std::string& plugin, const std::string& file) {
    folder_.Copy(file, file + ".so");
    return Tried(ConfigWith(plugin));
  }

  zoo::PrivateFolder folder_;
  CanaryOptions options_;
};

bool Knows(const TriedLibraries& tried, const std::string& file) {
  loader::Rehearsal rehearsal;
  rehearsal.sha256 = crypto::Sha256Hex(zoo::ReadBytes(file));
  return !tried.Check(rehearsal);
}

TEST_F(CanaryTest, TheDefaultConfigurationSurvives) {
  const size_t open_before = zoo::OpenDescriptors();
  const auto survived = MakeCanary(options_)(assembly::ParseConfig({}, {}));
  EXPECT_TRUE(survived) << survived.error().message;
  EXPECT_EQ(zoo::OpenDescriptors(), open_before);
}

TEST_F(CanaryTest, TellsWhichLibrariesWereTried) {
  options_.tried = std::make_shared<TriedLibraries>();
  EXPECT_EQ(TriedInZoo("ScoreTooHigh", "score_too_high"), "");  // the score is invalid, but the child process survives
  EXPECT_TRUE(Knows(*options_.tried, zoo::ZooFile("score_too_high")));
  EXPECT_TRUE(Knows(*options_.tried, std::string(BERTH_TEST_BUILD_DIR) + "/lib/berth/plugins/NodeResourcesFit.so"));
  EXPECT_FALSE(Knows(*options_.tried, zoo::ZooFile("filter_crashes")));
}

// Replaces the file between the trial and the loading.
TEST_F(CanaryTest, WhatWasNotTriedIsNotLoaded) {
  options_.tried = std::make_shared<TriedLibraries>();
  loader::Loader loader({.rehearse = [&](const auto& library) { return options_.tried->Check(library); }});
  const std::string file = folder_.Copy("score_too_high", "score_too_high.so");
  EXPECT_EQ(Tried(ConfigWith("ScoreTooHigh")), "");
  std::ofstream(file, std::ios::app) << "changed";
  const size_t mapped_before = loader::Mappings().size();
  const auto opened = loader.Open(file);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, file + ": BP-42: has changed since a child process loaded it");
  EXPECT_EQ(loader::Mappings().size(), mapped_before);
  folder_.Copy("score_too_high", "score_too_high.so");
  EXPECT_TRUE(loader.Open(file));
}

TEST_F(CanaryTest, ACrashWhileLoading) {
  options_.tried = std::make_shared<TriedLibraries>();
  EXPECT_EQ(TriedInZoo("CrashesWhenLoaded", "crashes_when_loaded"),
            "a child process that ran it was ended by signal 11 (Segmentation fault) in loading " +
                folder_.File("crashes_when_loaded.so"));
  EXPECT_FALSE(Knows(*options_.tried, zoo::ZooFile("crashes_when_loaded")));
}

TEST_F(CanaryTest, AnExceptionWhileLoading) {
  const std::string error = TriedInZoo("ThrowsWhenLoaded", "throws_when_loaded");
  EXPECT_THAT(error, StartsWith("a child process that ran it was ended by signal 6 (Aborted) in loading " +
                                folder_.File("throws_when_loaded.so") + ": "));
  EXPECT_THAT(error, HasSubstr("no luck today"));
}

TEST_F(CanaryTest, AnExitWhileLoading) {
  EXPECT_EQ(TriedInZoo("ExitsWhenLoaded", "exits_when_loaded"),
            "a child process that ran it ended with exit code 7 in loading " + folder_.File("exits_when_loaded.so") +
                ": I have had enough.");
}

TEST_F(CanaryTest, ACrashInCreate) {
  EXPECT_EQ(TriedInZoo("CreateCrashes", "create_crashes"),
            "a child process that ran it was ended by signal 6 (Aborted) in create of plugin CreateCrashes of profile "
            "second: no instance today");
}

TEST_F(CanaryTest, ACrashAtWork) {
  EXPECT_EQ(TriedInZoo("FilterCrashes", "filter_crashes"),
            "a child process that ran it was ended by signal 11 (Segmentation fault) in Filter of plugin FilterCrashes "
            "of profile second, deciding pod default/canary with profile second");
}

// The plugin does not die when this candidate is published, but at the next change of the args.
TEST_F(CanaryTest, ACrashWhileTheNextInstanceIsPrepared) {
  EXPECT_THAT(TriedInZoo("CrashesInSuccessor", "crashes_in_successor"),
              StartsWith("a child process that ran it was ended by signal 11 (Segmentation fault) in init of plugin "
                         "CrashesInSuccessor of profile second, preparing a successor of plugin CrashesInSuccessor"));
}

// The canary tries other args for a later change: those of the library's note.
TEST_F(CanaryTest, ACrashWhileTheNextInstanceIsPreparedWithSampleArgs) {
  std::filesystem::copy_file(BERTH_CANARY_PLUGINS "/minds_other_args.so", folder_.File("minds_other_args.so"));
  EXPECT_EQ(Tried(ConfigWith("MindsOtherArgs")),
            "a child process that ran it was ended by signal 11 (Segmentation fault) in init of plugin MindsOtherArgs "
            "of profile second, preparing a successor of plugin MindsOtherArgs with its sample args");
}

TEST_F(CanaryTest, PodsOfTheSampleAreTriedByEveryProfile) {
  options_.sample = [] {
    const auto pod = json::Parse(R"({"metadata":{"name":"web","namespace":"prod","uid":"u"},
        "spec":{"schedulerName":"third","nodeName":"n1","priority":9,"containers":[{"name":"c"}]}})");
    const auto node = json::Parse(R"({"metadata":{"name":"n1"},"status":{"allocatable":{"pods":"9"}}})");
    return Sample{{*node}, {*pod}};
  };
  EXPECT_THAT(TriedInZoo("FilterCrashes", "filter_crashes"), HasSubstr(", deciding pod prod/web with profile second"));
}

TEST_F(CanaryTest, WhatNeverReturnsWhileLoadingIsEnded) {
  options_.limit = milliseconds(kPatienceMs);
  EXPECT_EQ(TriedInZoo("SleepsWhenLoaded", "sleeps_when_loaded"), "a child process that ran it had not ended after " +
                                                                      kTimeout + " in loading " +
                                                                      folder_.File("sleeps_when_loaded.so"));
}

TEST_F(CanaryTest, WhatNeverReturnsAtWorkIsNamed) {
  options_.limit = milliseconds(kPatienceMs);
  EXPECT_EQ(TriedInZoo("FilterNeverReturns", "filter_never_returns"),
            "a child process that ran it had not ended after " + kTimeout + " in " + kInFilter +
                "deciding pod default/canary with profile second");
}

TEST_F(CanaryTest, NobodyIsLeftBehind) {
  options_.limit = milliseconds(kPatienceMs);
  const size_t open_before = zoo::OpenDescriptors();
  EXPECT_THAT(TriedInZoo("SleepsWhenLoaded", "sleeps_when_loaded"), HasSubstr("had not ended"));
  EXPECT_THAT(TriedInZoo("CreateCrashes", "create_crashes"), HasSubstr("was ended by signal"));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(zoo::OpenDescriptors(), open_before);
}

TEST_F(CanaryTest, MistakesInTheConfigurationAreTold) {
  const std::string error = Tried(R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
parallelism: -1
profiles: [{schedulerName: a, plugins: {score: {enabled: [{name: Nobody}]}}}]
)");
  EXPECT_THAT(error, HasSubstr("config.yaml:3"));
  EXPECT_THAT(error, HasSubstr("; "));
  EXPECT_THAT(error, HasSubstr("Nobody"));
}

TEST_F(CanaryTest, WhatCannotBeBuiltIsTold) {
  EXPECT_THAT(TriedInZoo("InitThrows", "init_throws"), HasSubstr("initializing plugin \"InitThrows\""));
}

TEST_F(CanaryTest, FeatureGatesAreThoseOfTheScheduler) {
  options_.feature_gates = "NoSuchGate=true";
  EXPECT_THAT(Tried(""), HasSubstr("NoSuchGate"));
}

// As at the start, flags take precedence over the file before validation.
TEST_F(CanaryTest, ArgumentsGoOverTheConfiguration) {
  const std::string config = R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: true, resourceName: ""}
clientConnection: {kubeconfig: /tmp/none}
)";
  const std::string lease = "--leader-elect-lease-duration=1s";
  options_.arguments = {lease, "--leader-elect-renew-deadline=10s"};
  EXPECT_THAT(Tried(config), HasSubstr("leaseDuration"));
  options_.arguments = {"--leader-elect-lease-duration=20s", "--leader-elect-renew-deadline=10s"};
  EXPECT_EQ(Tried(config), "");
}

TEST_F(CanaryTest, WorksFromAThreadThatBlocksSignals) {
  sigset_t all;
  sigfillset(&all);
  std::string error;
  std::thread([&] {
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    error = TriedInZoo("CreateCrashes", "create_crashes");
  }).join();
  EXPECT_THAT(error, HasSubstr("ended by signal 6 (Aborted)"));
}

TEST_F(CanaryTest, AProgramThatIsNotThereIsNoSuccess) {
  options_.program = "/nowhere/berth-scheduler";
  EXPECT_THAT(Tried(""), MatchesRegex("no child process could be started.*No such file or directory"));
}

}  // namespace
}  // namespace berth::canary
