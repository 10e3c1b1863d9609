// The coordinator with real plugin libraries and a target that publishes at once, or not at all.
#include "swap/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "assembly/sources.h"
#include "cache/cache.h"
#include "framework/host_services.h"
#include "objects/store.h"

namespace berth::swap {
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
  void OfferProfiles(std::shared_ptr<const framework::ProfileSet> profiles, engine::OfferEnd end) override {
    std::lock_guard lock(mutex);
    offered = std::move(profiles);
    if (answer) {
      end(*answer);
    } else {
      pending = std::move(end);
    }
    ++offers;
  }
  void WithdrawOffer() override {
    std::lock_guard lock(mutex);
    if (pending) pending(base::Fail("withdrawn"));
    pending = {};
  }
  void WatchNeededKinds(const framework::ProfileSet&) override {}
  void Configure(const config::Configuration& c, const config::BerthConfiguration& b) override {
    backoff = c.pod_max_backoff_seconds;
    parallelism = c.parallelism;
    verbosity = b.verbosity;
  }

  std::optional<base::Result<void>> answer = base::Result<void>();
  std::shared_ptr<const framework::ProfileSet> offered;
  engine::OfferEnd pending;
  int64_t backoff = 0;
  int32_t parallelism = 0;
  std::optional<int32_t> verbosity;
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
    framework::AddHostServices(services_, cache_, objects_);
    options_.config = (directory_ / "config.yaml").string();
    options_.policy.plugin_directories = {BERTH_PLUGIN_DIR};
    options_.watcher.patience.quiet = std::chrono::milliseconds(20);
    options_.publish_patience = std::chrono::milliseconds(200);
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
    ASSERT_TRUE(coordinator_->Start(seen));
  }

  fs::path directory_;
  api::Vocabulary words_;
  cache::Cache cache_{words_};
  objects::ObjectStore objects_{words_};
  plugin::Services services_{words_};
  Retirement retirement_;
  FakeTarget target_{services_};
  Reports reports_;
  CoordinatorOptions options_;
  std::shared_ptr<const framework::ProfileSet> first_;
  std::unique_ptr<Coordinator> coordinator_;
};

TEST_F(CoordinatorTest, AChangedWeightIsOfferedWithTheSameInstances) {
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

TEST_F(CoordinatorTest, AMistakeIsToldAtItsPlaceAndNothingChanges) {
  Start(Weighing(1));
  Write(Weighing(1) + "podMaxBackoffSecond: 3\n");
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.result, Result::kRefused);
  EXPECT_EQ(report.step, "config");
  EXPECT_EQ(report.generation, 1u);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("config.yaml:11")));
  EXPECT_EQ(target_.offered, nullptr);
  EXPECT_THAT(coordinator_->Divergence(), HasSubstr("podMaxBackoffSecond"));
  Write(Weighing(2));
  EXPECT_EQ(reports_.Wait(2).result, Result::kPublished);
  EXPECT_EQ(coordinator_->Divergence(), "");
}

TEST_F(CoordinatorTest, WhatIsReadAtTheStartOnlyIsRefused) {
  Start(Weighing(1));
  Write(Weighing(2) + "clientConnection: {qps: 7}\n");
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.step, "restart");
  EXPECT_THAT(report.problems, ElementsAre("clientConnection: changes only with a restart"));
}

TEST_F(CoordinatorTest, BackoffIsConfigured) {
  Start(Weighing(1));
  Write(Weighing(1) + "podMaxBackoffSeconds: 3\n");
  EXPECT_EQ(reports_.Wait(1).result, Result::kPublished);
  EXPECT_EQ(target_.backoff, 3);
}

TEST_F(CoordinatorTest, ParallelismIsConfigured) {
  Start(Weighing(1));
  Write(Weighing(1) + "parallelism: 3\n");
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.result, Result::kPublished);
  EXPECT_THAT(report.changes, ElementsAre("parallelism 3"));
  EXPECT_EQ(target_.parallelism, 3);
}

TEST_F(CoordinatorTest, VerbosityIsConfiguredAndTakenBack) {
  const std::string berth = "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";
  Start(Weighing(1) + berth);
  Write(Weighing(1) + berth + "verbosity: 4\n");
  EXPECT_THAT(reports_.Wait(1).changes, ElementsAre("verbosity 4"));
  EXPECT_EQ(target_.verbosity, 4);
  Write(Weighing(1) + berth);
  EXPECT_THAT(reports_.Wait(2).changes, ElementsAre("verbosity of -v"));
  EXPECT_EQ(target_.verbosity, std::nullopt);
}

TEST_F(CoordinatorTest, ACommentChangesNothing) {
  Start(Weighing(1));
  Write(Weighing(1) + "# a comment\n");
  EXPECT_EQ(reports_.Wait(1).result, Result::kUnchanged);
  EXPECT_EQ(target_.offered, nullptr);
}

TEST_F(CoordinatorTest, AnOfferThatIsNotTakenIsWithdrawn) {
  Start(Weighing(1));
  target_.answer.reset();
  Write(Weighing(2));
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.step, "publish");
  EXPECT_THAT(report.problems, ElementsAre("not in force after 0.2 s"));
  EXPECT_EQ(report.generation, 1u);
}

TEST_F(CoordinatorTest, AnOfferThatWaitsGivesWayToTheNextChange) {
  options_.publish_patience = std::chrono::minutes(5);
  Start(Weighing(1));
  target_.answer.reset();
  Write(Weighing(2));
  while (target_.offers < 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  {
    std::lock_guard lock(target_.mutex);
    target_.answer = base::Result<void>();
  }
  Write(Weighing(3));
  EXPECT_THAT(reports_.Wait(1).problems, ElementsAre("the files have changed again"));
  EXPECT_THAT(reports_.Wait(2).changes, ElementsAre("profile s: plugin ImageLocality: weight 3, was 1"));
}

TEST_F(CoordinatorTest, StopDoesNotWaitForAnOffer) {
  options_.publish_patience = std::chrono::minutes(5);
  Start(Weighing(1));
  target_.answer.reset();
  Write(Weighing(2));
  while (target_.offers < 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  coordinator_.reset();
  EXPECT_EQ(reports_.Wait(1).step, "publish");
}

TEST_F(CoordinatorTest, TheCanaryHasTheFirstWord) {
  options_.canary = [](const std::vector<config::Source>&) -> base::Result<void> { return base::Fail("it died"); };
  Start(Weighing(1));
  Write(Weighing(2));
  const Report report = reports_.Wait(1);
  EXPECT_EQ(report.step, "canary");
  EXPECT_THAT(report.problems, ElementsAre("it died"));
}

TEST_F(CoordinatorTest, WhatFailsOnProbationIsTakenBack) {
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
  EXPECT_THAT(coordinator_->Divergence(), HasSubstr("the generation before decides again"));
}

// The file holds the version that failed: what is gone back to is in memory only.
TEST_F(CoordinatorTest, GoingBackNeedsNoFile) {
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
    return set.profiles[0]->Find(words_.ids.Find("ImageLocality"));
  };
  const std::string before = scorer(*first_)->library().sha256();
  fs::copy_file(directory_ / "ImageLocality.so", directory_ / ".next");
  std::ofstream(directory_ / ".next", std::ios::app) << "another digest";
  fs::rename(directory_ / ".next", directory_ / "ImageLocality.so");
  ASSERT_EQ(reports_.Wait(1).result, Result::kPublished) << reports_.Wait(1).problems.front();
  const auto offered = target_.offered;  // which lives on until the fault has been told
  plugin::Instance* const fresh = scorer(*offered);
  ASSERT_NE(fresh->library().sha256(), before);
  fresh->Fault("Score", "made up");
  EXPECT_EQ(reports_.Wait(2).result, Result::kRolledBack);
  EXPECT_EQ(scorer(*target_.offered)->library().sha256(), before);
}

// A name may be bound to a file outside of the plugin directories; it is watched like those inside.
TEST_F(CoordinatorTest, ALibraryBoundByItsPathIsFollowed) {
  const fs::path elsewhere = directory_ / "elsewhere" / "Mine.so", next = directory_ / "elsewhere" / ".next";
  fs::create_directories(elsewhere.parent_path());
  fs::copy_file(fs::path(BERTH_PLUGIN_DIR) / "ImageLocality.so", elsewhere);
  const std::string berth =
      "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nplugins:\n- {name: ImageLocality, library: " +
      elsewhere.string() + "}\n";
  Start(Weighing(1) + berth);
  const auto scorer = [this](const framework::ProfileSet& set) {
    return set.profiles[0]->Find(words_.ids.Find("ImageLocality"));
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
  EXPECT_EQ(gone.result, Result::kRefused);
  ASSERT_FALSE(gone.problems.empty());
  EXPECT_THAT(gone.problems.front(), HasSubstr(elsewhere.string()));
}

TEST_F(CoordinatorTest, SighupTriesAgainWhatWasRefused) {
  Start(Weighing(1));
  target_.answer = base::Result<void>(base::Fail("not now"));
  Write(Weighing(2));
  ASSERT_EQ(reports_.Wait(1).result, Result::kRefused);
  {
    std::lock_guard lock(target_.mutex);
    target_.answer = base::Result<void>();
  }
  coordinator_->Poke();
  EXPECT_EQ(reports_.Wait(2).result, Result::kPublished);
}

TEST_F(CoordinatorTest, AGenerationThatNobodyHoldsEnds) {
  Start(Weighing(1));
  const std::weak_ptr<const framework::ProfileSet> before = first_;
  first_.reset();
  Write(Weighing(2));
  ASSERT_EQ(reports_.Wait(1).result, Result::kPublished);
  for (int i = 0; i < 1000 && !before.expired(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(before.expired());
}

}  // namespace
}  // namespace berth::swap
