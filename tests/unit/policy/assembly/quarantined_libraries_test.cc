// The effect of quarantine on a policy and on swaps, with the libraries of this build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "policy/assembly/policy.h"
#include "reload/coordinator/newly_quarantined.h"
#include "scheduler/framework/host_services.h"
#include "scheduler/objects/store.h"
#include "telemetry/log/capture.h"

namespace berth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kHead = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n";
// Only profile "one" uses randScore.
const std::string kTwoProfiles = kHead +
                                 "- schedulerName: one\n  plugins: {multiPoint: {enabled: [{name: randScore}]}}\n"
                                 "- schedulerName: other\n";
// All profiles must have the same QueueSort plugin.
const std::string kSort = "queueSort: {enabled: [{name: Missorts}], disabled: [{name: '*'}]}";
const std::string kSorted = kHead + "- schedulerName: one\n  plugins: {" + kSort +
                            "}\n- schedulerName: other\n  plugins: {" + kSort +
                            ", multiPoint: {enabled: [{name: randScore}]}}\n";
const std::string kOptional =
    "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n"
    "plugins: [{name: randScore, library: randScore.so, optional: true}]\n";

class AQuarantinedPolicy : public testing::Test {
 protected:
  AQuarantinedPolicy() {
    framework::AddHostServices(services_);
    options_.plugin_directories = {BERTH_PLUGIN_DIR, BERTH_TEST_PLUGIN_DIR};
    options_.quarantine = [this] {
      ++reads_;
      return [this](const std::string& sha256, const std::string& plugin,
                    const std::string& profile) -> std::optional<std::string> {
        if (sha256 == quarantined_library_) return "is a bad library";
        if (plugin == quarantined_plugin_ && (quarantined_profile_ == "*" || quarantined_profile_ == profile))
          return "is bad";
        return std::nullopt;
      };
    };
  }
  assembly::Policy Load(const std::string& text) {
    return assembly::LoadPolicy({{"f.yaml", text}}, options_, services_);
  }
  std::shared_ptr<framework::ProfileSet> Build(assembly::Policy& policy) {
    auto set = assembly::BuildProfiles(policy, services_);
    EXPECT_TRUE(set) << set.error().message;
    return *set;
  }
  std::string DigestOf(const std::string& plugin) {
    const auto policy = Load(kTwoProfiles);
    return policy.catalog->inventory().FindLibrary(policy.catalog->Find(plugin)->library)->sha256;
  }
  static std::vector<std::string> Sorters(const framework::ProfileSet& set) {
    std::vector<std::string> names;
    for (const auto& profile : set.profiles) {
      for (const plugin::Instance* one : profile->At(plugin::Point::kQueueSort)) names.push_back(one->name());
    }
    return names;
  }
  static std::vector<std::string> Names(const framework::ProfileSet& set) {
    std::vector<std::string> names;
    for (const auto& profile : set.profiles) names.push_back(profile->scheduler_name());
    return names;
  }

  std::string quarantined_plugin_ = "randScore", quarantined_profile_ = "*", quarantined_library_;
  int reads_ = 0;  // the number of reads of the quarantine
  api::InternTables intern_;
  objects::ObjectStore objects_{intern_};
  plugin::Services services_{intern_, {.objects = &objects_}};
  assembly::PolicyOptions options_;
};

TEST_F(AQuarantinedPolicy, LeavesOutTheProfileThatNeedsThePlugin) {
  auto policy = Load(kTwoProfiles);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  ASSERT_THAT(policy.quarantined, SizeIs(1));
  EXPECT_EQ(policy.quarantined[0].profile, "one");
  EXPECT_THAT(policy.quarantined[0].sha256, SizeIs(64));
  ASSERT_THAT(policy.config.warnings, testing::Not(IsEmpty()));
  EXPECT_THAT(policy.config.warnings.front().Text(), HasSubstr("BP-49: profile one is not served: plugin randScore"));
  const auto set = Build(policy);
  EXPECT_THAT(Names(*set), ElementsAre("other"));
  EXPECT_THAT(set->quarantined, SizeIs(1));
}

TEST_F(AQuarantinedPolicy, IsOfOneMoment) {
  auto policy = Load(kTwoProfiles + kOptional);
  Build(policy);
  EXPECT_EQ(reads_, 1);
  Load(kTwoProfiles);
  EXPECT_EQ(reads_, 2);
}

TEST_F(AQuarantinedPolicy, MapsNoLibraryThatIsQuarantinedAsAWhole) {
  // No test maps the library of this plugin. The lookup ignores the configuration.
  const auto open = [this] {
    const auto policy = Load(kTwoProfiles);
    return policy.catalog->Open(*policy.catalog->Find("HoldUntilOpened"));
  };
  quarantined_library_ = DigestOf("HoldUntilOpened");
  const auto refused = open();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("BP-49"));
  quarantined_library_ = "";
  EXPECT_TRUE(open());
}

TEST_F(AQuarantinedPolicy, DoesWithoutAnOptionalPlugin) {
  auto policy = Load(kTwoProfiles + kOptional);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  const auto set = Build(policy);
  EXPECT_THAT(Names(*set), ElementsAre("one", "other"));
  EXPECT_EQ(set->profiles[0]->Find(intern_.ids.Find("randScore")), nullptr);
  EXPECT_THAT(set->quarantined[0].Text(), HasSubstr("profile one does without plugin randScore: library "));
}

TEST_F(AQuarantinedPolicy, MayBarOneProfileOnly) {
  quarantined_profile_ = "other";
  auto policy = Load(kTwoProfiles);
  EXPECT_TRUE(policy.ok());
  EXPECT_THAT(policy.quarantined, IsEmpty());
}

TEST_F(AQuarantinedPolicy, IsInErrorWhenNothingIsLeft) {
  quarantined_plugin_ = "NodeResourcesFit";
  const auto policy = Load(kTwoProfiles);
  EXPECT_FALSE(policy.ok());
  EXPECT_THAT(fields::TextsOf(policy.config.errors),
              ElementsAre(HasSubstr("BP-49: profile one is not served: plugin NodeResourcesFit"),
                          HasSubstr("BP-49: profile other is not served")));
}

TEST_F(AQuarantinedPolicy, IsNotLockedOutByLibrariesShippedWithBerth) {
  options_.shipped_directory = BERTH_PLUGIN_DIR;
  quarantined_library_ = DigestOf("NodeResourcesFit");
  quarantined_plugin_ = "";
  const log::Capture log;
  auto policy = Load(kTwoProfiles);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  EXPECT_THAT(policy.quarantined, IsEmpty());
  EXPECT_THAT(policy.waived, SizeIs(2));
  EXPECT_THAT(log.Messages(),
              testing::Contains(testing::ContainsRegex(
                  "Using a quarantined library because no other is left.*profile=\"other\".*NodeResourcesFit")));
  EXPECT_THAT(Names(*Build(policy)), ElementsAre("one", "other"));
}

// In another directory than the program's, as in a volume of plugins.
TEST_F(AQuarantinedPolicy, KnowsCopiesOfShippedLibrariesByTheirBytes) {
  std::string pattern = testing::TempDir() + "/shipped-XXXXXX";
  options_.shipped_directory = mkdtemp(pattern.data());
  quarantined_plugin_ = "NodeResourcesFit";
  EXPECT_FALSE(Load(kTwoProfiles).ok());
  std::filesystem::copy_file(std::string(BERTH_PLUGIN_DIR) + "/NodeResourcesFit.so",
                             options_.shipped_directory + "/OtherName.so");
  EXPECT_TRUE(Load(kTwoProfiles).ok());
  std::filesystem::remove_all(options_.shipped_directory);
}

// The library of a third party stays out, and so does its profile, although the profile's shipped libraries return.
TEST_F(AQuarantinedPolicy, OnlyLetsShippedLibrariesBack) {
  options_.shipped_directory = std::string(BERTH_PLUGIN_DIR);
  quarantined_library_ = DigestOf("HoldUntilOpened");
  quarantined_plugin_ = "NodeResourcesFit";
  const std::string held =
      kHead + "- schedulerName: one\n  plugins: {multiPoint: {enabled: [{name: HoldUntilOpened}]}}\n";
  EXPECT_FALSE(Load(held).ok());
  auto policy = Load(held + "- schedulerName: other\n");
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  EXPECT_THAT(Names(*Build(policy)), ElementsAre("other"));
  ASSERT_THAT(policy.quarantined, SizeIs(1));
  EXPECT_EQ(policy.quarantined[0].plugin, "HoldUntilOpened");
}

// As long as one profile is left, the scheduler does not need the libraries that failed.
TEST_F(AQuarantinedPolicy, WaivesNothingWhileAProfileIsLeft) {
  options_.shipped_directory = BERTH_PLUGIN_DIR;
  const auto policy = Load(kTwoProfiles);  // randScore is shipped, too
  EXPECT_THAT(policy.quarantined, SizeIs(1));
  EXPECT_THAT(policy.waived, IsEmpty());
}

TEST_F(AQuarantinedPolicy, SortsByPriorityWithoutItsQueueSort) {
  quarantined_plugin_ = "";
  auto sound = Load(kSorted);
  ASSERT_TRUE(sound.ok()) << sound.config.errors.front().Text();
  const auto active = Build(sound);
  EXPECT_THAT(Sorters(*active), ElementsAre("Missorts", "Missorts"));
  quarantined_plugin_ = "Missorts";
  for (const char* profile : {"*", "one", "other"}) {
    quarantined_profile_ = profile;
    auto policy = Load(kSorted);
    ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
    EXPECT_THAT(reload::NewlyQuarantined(*active, policy.quarantined), IsEmpty());
    const auto set = Build(policy);
    EXPECT_THAT(Names(*set), ElementsAre("one", "other"));
    EXPECT_THAT(Sorters(*set), ElementsAre("PrioritySort", "PrioritySort"));
    ASSERT_THAT(set->quarantined, SizeIs(2)) << profile;
    for (const framework::QuarantinedPlugin& one : set->quarantined)
      EXPECT_THAT(one.Text(), HasSubstr("does without plugin Missorts"));
  }
}

TEST_F(AQuarantinedPolicy, HaltsAProfileForWhatElseIsBarredInIt) {
  quarantined_library_ = DigestOf("Missorts");
  auto policy = Load(kSorted);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  const auto set = Build(policy);
  EXPECT_THAT(Names(*set), ElementsAre("one"));
  EXPECT_THAT(Sorters(*set), ElementsAre("PrioritySort"));
}

TEST_F(AQuarantinedPolicy, IsInErrorWhenNothingCanSort) {
  quarantined_library_ = DigestOf("Missorts");
  quarantined_plugin_ = "PrioritySort";
  const auto policy = Load(kSorted);
  EXPECT_FALSE(policy.ok());
  EXPECT_THAT(fields::TextsOf(policy.config.errors),
              testing::Contains(HasSubstr("BP-49: profile one is not served: plugin Missorts")));
}

TEST_F(AQuarantinedPolicy, IsNotSwappedIn) {
  quarantined_plugin_ = "";
  auto sound = Load(kTwoProfiles);
  const auto active = Build(sound);
  const std::string digest = active->profiles[0]->Find(intern_.ids.Find("randScore"))->library().sha256();
  quarantined_plugin_ = "randScore";
  auto policy = Load(kTwoProfiles);
  EXPECT_EQ(policy.quarantined[0].sha256, digest);
  // The active library itself is in quarantine.
  EXPECT_THAT(reload::NewlyQuarantined(*active, policy.quarantined), IsEmpty());
  // The file on disk has other bytes than the active library.
  policy.quarantined[0].sha256 = std::string(64, '0');
  EXPECT_THAT(reload::NewlyQuarantined(*active, policy.quarantined),
              ElementsAre(HasSubstr("randScore.so: BP-49: profile one is")));
  // The library was already missing at the start.
  const auto without = Build(policy);
  EXPECT_THAT(reload::NewlyQuarantined(*without, policy.quarantined), IsEmpty());
}

}  // namespace
}  // namespace berth
