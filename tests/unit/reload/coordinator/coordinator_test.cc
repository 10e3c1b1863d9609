// The coordinator with real plugin libraries and a target that publishes at once, or not at all.
#include "reload/coordinator/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "eventually.h"
#include "policy/assembly/config_files.h"
#include "scheduler/framework/host_services.h"
#include "scheduler/objects/store.h"

namespace berth::reload {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kHead = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

std::string Weighing(int weight) {
  return std::string(kHead) + "profiles:\n- schedulerName: s\n  plugins:\n    score:\n      enabled:\n      - name: " +
         "ImageLocality\n        weight: " + std::to_string(weight) + "\n      disabled: [{name: '*'}]\n";
}

class FakeTarget final : public Target {
 public:
  explicit FakeTarget(plugin::Services& services) : services_(services) {}
  plugin::Services& services() override { return services_; }
  void SubmitCandidate(std::shared_ptr<const framework::ProfileSet> profiles, engine::CandidateEnd end) override {
    std::lock_guard lock(mutex);
    offered = std::move(profiles);
    if (answer) {
      end(*answer);
    } else {
      pending = std::move(end);
    }
    ++offers;
  }
  void WithdrawCandidate() override {
    std::lock_guard lock(mutex);
    if (pending) pending(base::Fail("withdrawn"));
    pending = {};
  }
  void WatchNeededKinds(const framework::ProfileSet&) override {}

  std::optional<base::Result<void>> answer = base::Result<void>();
  std::shared_ptr<const framework::ProfileSet> offered;
  engine::CandidateEnd pending;
  std::atomic<int> offers{0};
  std::mutex mutex;

 private:
  plugin::Services& services_;
};

class Reports final : public SwapObserver {
 public:
  void OnSwap(const Report& report, const framework::ProfileSet&, const config::Configuration&) override {
    std::lock_guard lock(mutex_);
    all_.push_back(report);
    came_.notify_all();
  }
  // The n-th report (from 1); waits for it.
  Report Wait(size_t n) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(came_.wait_for(lock, std::chrono::seconds(30), [&] { return all_.size() >= n; }));
    return all_.size() < n ? Report{} : all_[n - 1];
  }
  size_t count() {
    std::lock_guard lock(mutex_);
    return all_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<Report> all_;
};

class CoordinatorTest : public testing::Test {
 protected:
  CoordinatorTest() {
    directory_ = fs::path(testing::TempDir()) / ("swap-" + std::to_string(getpid()) + "-" +
                                                 testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(directory_);
    framework::AddHostServices(services_);
    options_.config = (directory_ / "config.yaml").string();
    options_.policy.plugin_directories = {BERTH_PLUGIN_DIR};
    options_.watcher.times.quiet = std::chrono::milliseconds(20);
    options_.publish_timeout = std::chrono::milliseconds(200);
  }
  ~CoordinatorTest() override {
    coordinator_.reset();
    target_.offered.reset();
    retirement_.Stop();
    fs::remove_all(directory_);
  }

  void Write(const std::string& text) {
    const fs::path next = directory_ / "next";
    std::ofstream(next) << text;
    fs::rename(next, options_.config);
  }
  void Start(const std::string& text) {
    Write(text);
    const Fingerprint seen = Fingerprinter().TakeNow(Coordinator::PathsOf(options_));
    auto policy = std::make_unique<assembly::Policy>(
        assembly::LoadPolicy(*assembly::ReadSources(options_.config, ""), options_.policy, services_));
    ASSERT_TRUE(policy->ok()) << policy->config.errors.front().Text();
    auto profiles = assembly::BuildProfiles(*policy, services_);
    ASSERT_TRUE(profiles) << profiles.error().message;
    first_ = retirement_.Wrap(std::move(*profiles));
    coordinator_ = std::make_unique<Coordinator>(target_, reports_, options_, std::move(policy), first_, retirement_);
    coordinator_->Start(seen);
  }

  fs::path directory_;
  api::InternTables intern_;
  objects::ObjectStore objects_{intern_};
  plugin::Services services_{intern_, {.objects = &objects_}};
  Retirement retirement_;
  FakeTarget target_{services_};
  Reports reports_;
  CoordinatorOptions options_;
  std::shared_ptr<const framework::ProfileSet> first_;
  std::unique_ptr<Coordinator> coordinator_;
};

// SIGHUP and the quarantine call Poke on their own threads.
TEST_F(CoordinatorTest, PokeIsHarmlessWhileTheCoordinatorStops) {
  Start(Weighing(1));
  std::atomic<int> pokes{0};
  std::jthread poker([&](const std::stop_token& stop) {
    for (; !stop.stop_requested(); ++pokes) coordinator_->Poke();
  });
  while (pokes == 0) std::this_thread::yield();
  coordinator_->Stop();
  for (const int before = pokes; pokes < before + 2;) std::this_thread::yield();
  poker.request_stop();
  poker.join();
  EXPECT_EQ(coordinator_->Divergence(), "");
  EXPECT_EQ(reports_.count(), 0u);
}

TEST_F(CoordinatorTest, AChangedWeightKeepsTheInstances) {
  Start(Weighing(1));
  Write(Weighing(7));
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.result, Result::kPublished);
  EXPECT_EQ(report.generation, 2u);
  EXPECT_THAT(report.changes, ElementsAre("profile s: plugin ImageLocality: weight 7, was 1"));
  ASSERT_NE(target_.offered, nullptr);
  EXPECT_EQ(target_.offered->profiles[0]->instances().front(), first_->profiles[0]->instances().front());
  EXPECT_EQ(coordinator_->Divergence(), "");
}

TEST_F(CoordinatorTest, AMistakeIsReportedAtItsPositionAndNothingChanges) {
  Start(Weighing(1));
  Write(Weighing(1) + "podMaxBackoffSecond: 3\n");
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.result, Result::kRejected);
  EXPECT_EQ(report.step, "config");
  EXPECT_EQ(report.generation, 1u);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("config.yaml:11")));
  EXPECT_EQ(target_.offered, nullptr);
  EXPECT_THAT(coordinator_->Divergence(), HasSubstr("podMaxBackoffSecond"));
  Write(Weighing(2));
  EXPECT_EQ(reports_.Wait(2).result, Result::kPublished);
  EXPECT_EQ(coordinator_->Divergence(), "");
}

TEST_F(CoordinatorTest, AFieldThatNeedsARestartIsRejected) {
  Start(Weighing(1));
  Write(Weighing(2) + "clientConnection: {qps: 7}\n");
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.step, "restart");
  EXPECT_THAT(report.problems, ElementsAre("clientConnection: changes only with a restart"));
}

TEST_F(CoordinatorTest, BackoffIsPublished) {
  Start(Weighing(1));
  Write(Weighing(1) + "podMaxBackoffSeconds: 3\n");
  EXPECT_EQ(reports_.Wait(1).result, Result::kPublished);
  EXPECT_EQ(target_.offered->settings->pod_max_backoff_ns, 3 * base::kSecond);
}

TEST_F(CoordinatorTest, ParallelismIsPublished) {
  Start(Weighing(1));
  Write(Weighing(1) + "parallelism: 3\n");
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.result, Result::kPublished);
  EXPECT_THAT(report.changes, ElementsAre("parallelism 3"));
  EXPECT_EQ(target_.offered->settings->parallelism, 3u);
}

TEST_F(CoordinatorTest, VerbosityIsPublishedAndReset) {
  options_.verbosity = 2;  // of -v
  const std::string berth = "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";
  Start(Weighing(1) + berth);
  Write(Weighing(1) + berth + "verbosity: 4\n");
  EXPECT_THAT(reports_.Wait(1).changes, ElementsAre("verbosity 4"));
  EXPECT_EQ(target_.offered->settings->verbosity, 4);
  Write(Weighing(1) + berth);
  EXPECT_THAT(reports_.Wait(2).changes, ElementsAre("verbosity of -v"));
  EXPECT_EQ(target_.offered->settings->verbosity, 2);
}

TEST_F(CoordinatorTest, ACommentChangesNothing) {
  Start(Weighing(1));
  Write(Weighing(1) + "# a comment\n");
  EXPECT_EQ(reports_.Wait(1).result, Result::kUnchanged);
  EXPECT_EQ(target_.offered, nullptr);
}

TEST_F(CoordinatorTest, ACandidateThatIsNotPublishedInTimeIsWithdrawn) {
  Start(Weighing(1));
  target_.answer.reset();
  Write(Weighing(2));
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.step, "publish");
  EXPECT_THAT(report.problems, ElementsAre("not published after 0.2 s"));
  EXPECT_EQ(report.generation, 1u);
}

TEST_F(CoordinatorTest, ACandidateThatWaitsIsReplacedByTheNextChange) {
  options_.publish_timeout = std::chrono::minutes(5);
  Start(Weighing(1));
  target_.answer.reset();
  Write(Weighing(2));
  ASSERT_TRUE(Eventually([&] { return target_.offers >= 1; }));
  {
    std::lock_guard lock(target_.mutex);
    target_.answer = base::Result<void>();
  }
  Write(Weighing(3));
  EXPECT_THAT(reports_.Wait(1).problems, ElementsAre("the files have changed again"));
  EXPECT_THAT(reports_.Wait(2).changes, ElementsAre("profile s: plugin ImageLocality: weight 3, was 1"));
}

TEST_F(CoordinatorTest, StopDoesNotWaitForACandidate) {
  options_.publish_timeout = std::chrono::minutes(5);
  Start(Weighing(1));
  target_.answer.reset();
  Write(Weighing(2));
  ASSERT_TRUE(Eventually([&] { return target_.offers >= 1; }));
  coordinator_.reset();
  EXPECT_EQ(reports_.Wait(1).step, "publish");
}

TEST_F(CoordinatorTest, AConfigurationThatFailsInTheCanaryIsRejected) {
  options_.canary = [](const assembly::ParsedConfig&) -> base::Result<void> { return base::Fail("it died"); };
  Start(Weighing(1));
  Write(Weighing(2));
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.step, "canary");
  EXPECT_THAT(report.problems, ElementsAre("it died"));
}

TEST_F(CoordinatorTest, FaultsDuringProbationCauseARollback) {
  options_.most_faults = 2;
  Start(Weighing(1));
  Write(std::string(kHead) + "profiles:\n- schedulerName: s\n- schedulerName: t\n");
  ASSERT_EQ(reports_.Wait(1).result, Result::kPublished);
  const auto fresh = target_.offered->profiles[1]->instances().front();
  for (int i = 0; i < 3; ++i) fresh->Fault("Filter", "made up");
  const Report report = reports_.Wait(2);
  EXPECT_EQ(report.result, Result::kRolledBack);
  EXPECT_EQ(report.generation, 3u);
  EXPECT_THAT(report.causes, ElementsAre(HasSubstr("failed 3 times since generation 2")));
  EXPECT_EQ(target_.offered->profiles.size(), 1u);
  EXPECT_THAT(coordinator_->Divergence(), HasSubstr("the previous policy is active again"));
}

// The file holds the version that failed: the previous version is in memory only.
TEST_F(CoordinatorTest, ARollbackNeedsNoFile) {
  options_.most_faults = 0;
  fs::copy_file(fs::path(BERTH_PLUGIN_DIR) / "ImageLocality.so", directory_ / "ImageLocality.so");
  for (const char* name : {"PrioritySort.so", "DefaultBinder.so"}) {
    fs::copy_file(fs::path(BERTH_PLUGIN_DIR) / name, directory_ / name);
  }
  options_.policy.plugin_directories = {directory_.string()};
  const std::string config =
      std::string(kHead) +
      "profiles:\n- schedulerName: s\n  plugins: {multiPoint: {disabled: [{name: '*'}], enabled: "
      "[{name: PrioritySort}, {name: DefaultBinder}, {name: ImageLocality}]}}\n";
  Start(config);
  const auto scorer = [this](const framework::ProfileSet& set) {
    return set.profiles[0]->Find(intern_.ids.Find("ImageLocality"));
  };
  const std::string before = scorer(*first_)->library().sha256();
  fs::copy_file(directory_ / "ImageLocality.so", directory_ / ".next");
  std::ofstream(directory_ / ".next", std::ios::app) << "another digest";
  fs::rename(directory_ / ".next", directory_ / "ImageLocality.so");
  ASSERT_EQ(reports_.Wait(1).result, Result::kPublished) << reports_.Wait(1).problems.front();
  const auto offered = target_.offered;  // keeps the policy until the fault is reported
  plugin::Instance* const fresh = scorer(*offered);
  ASSERT_NE(fresh->library().sha256(), before);
  fresh->Fault("Score", "made up");
  EXPECT_EQ(reports_.Wait(2).result, Result::kRolledBack);
  EXPECT_EQ(scorer(*target_.offered)->library().sha256(), before);
}

// A name may be bound to a file outside of the plugin directories; it is watched like those inside.
TEST_F(CoordinatorTest, ALibraryBoundByItsPathIsWatched) {
  const fs::path elsewhere = directory_ / "elsewhere" / "Mine.so", next = directory_ / "elsewhere" / ".next";
  fs::create_directories(elsewhere.parent_path());
  fs::copy_file(fs::path(BERTH_PLUGIN_DIR) / "ImageLocality.so", elsewhere);
  const std::string berth =
      "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nplugins:\n- {name: ImageLocality, library: " +
      elsewhere.string() + "}\n";
  Start(Weighing(1) + berth);
  const auto scorer = [this](const framework::ProfileSet& set) {
    return set.profiles[0]->Find(intern_.ids.Find("ImageLocality"));
  };
  EXPECT_EQ(scorer(*first_)->library().path(), elsewhere);
  fs::copy_file(elsewhere, next);
  std::ofstream(next, std::ios::app) << "another digest";
  fs::rename(next, elsewhere);
  const Report report = reports_.Wait(1);
  ASSERT_EQ(report.result, Result::kPublished) << report.problems.front();
  EXPECT_NE(scorer(*target_.offered)->library().sha256(), scorer(*first_)->library().sha256());
  fs::remove(elsewhere);
  const Report gone = reports_.Wait(2);
  EXPECT_EQ(gone.result, Result::kRejected);
  ASSERT_FALSE(gone.problems.empty());
  EXPECT_THAT(gone.problems.front(), HasSubstr(elsewhere.string()));
}

TEST_F(CoordinatorTest, SighupTriesARejectedChangeAgain) {
  Start(Weighing(1));
  target_.answer = base::Result<void>(base::Fail("not now"));
  Write(Weighing(2));
  ASSERT_EQ(reports_.Wait(1).result, Result::kRejected);
  {
    std::lock_guard lock(target_.mutex);
    target_.answer = base::Result<void>();
  }
  coordinator_->Poke();
  EXPECT_EQ(reports_.Wait(2).result, Result::kPublished);
}

TEST_F(CoordinatorTest, AGenerationThatNothingHoldsIsDestroyed) {
  Start(Weighing(1));
  const std::weak_ptr<const framework::ProfileSet> before = first_;
  first_.reset();
  Write(Weighing(2));
  ASSERT_EQ(reports_.Wait(1).result, Result::kPublished);
  EXPECT_TRUE(Eventually([&] { return before.expired(); }));
}

}  // namespace
}  // namespace berth::reload
