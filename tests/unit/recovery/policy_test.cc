// What quarantine does to a policy and to swaps, with the libraries of this build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "assembly/policy.h"
#include "cache/cache.h"
#include "framework/host_services.h"
#include "log/capture.h"
#include "objects/store.h"
#include "swap/barred.h"

namespace berth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kHead = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n";
// Of the two only "one" wants randScore.
const std::string kTwoProfiles = kHead +
                                 "- schedulerName: one\n  plugins: {multiPoint: {enabled: [{name: randScore}]}}\n"
                                 "- schedulerName: other\n";
// Both have to have the same plugin in the order of the queue.
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
    framework::AddHostServices(services_, cache_, objects_);
    options_.plugin_directories = {BERTH_PLUGIN_DIR, BERTH_TEST_PLUGIN_DIR};
    options_.quarantine = [this] {
      ++reads_;
      return [this](const std::string& sha256, const std::string& plugin,
                    const std::string& profile) -> std::optional<std::string> {
        if (sha256 == barred_library_) return "is a bad library";
        if (plugin == barred_plugin_ && (barred_profile_ == "*" || barred_profile_ == profile)) return "is bad";
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

  std::string barred_plugin_ = "randScore", barred_profile_ = "*", barred_library_;
  int reads_ = 0;  // of what is in quarantine
  api::Vocabulary words_;
  cache::Cache cache_{words_};
  objects::ObjectStore objects_{words_};
  plugin::Services services_{words_};
  assembly::PolicyOptions options_;
};

TEST_F(AQuarantinedPolicy, LeavesOutTheProfileThatNeedsThePlugin) {
  auto policy = Load(kTwoProfiles);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  ASSERT_THAT(policy.barred, SizeIs(1));
  EXPECT_EQ(policy.barred[0].profile, "one");
  EXPECT_THAT(policy.barred[0].sha256, SizeIs(64));
  ASSERT_THAT(policy.config.warnings, testing::Not(IsEmpty()));
  EXPECT_THAT(policy.config.warnings.front().Text(), HasSubstr("BP-49: profile one is not served: plugin randScore"));
  const auto set = Build(policy);
  EXPECT_THAT(Names(*set), ElementsAre("other"));
  EXPECT_THAT(set->barred, SizeIs(1));
}

TEST_F(AQuarantinedPolicy, IsOfOneMoment) {
  auto policy = Load(kTwoProfiles + kOptional);
  Build(policy);
  EXPECT_EQ(reads_, 1);
  Load(kTwoProfiles);
  EXPECT_EQ(reads_, 2);
}

TEST_F(AQuarantinedPolicy, MapsNoLibraryThatIsBarredAsAWhole) {
  // Of a plugin that no test maps; it is asked for past all that the configuration says.
  const auto open = [this] {
    const auto policy = Load(kTwoProfiles);
    return policy.catalog->Open(*policy.catalog->Find("HoldUntilOpened"));
  };
  barred_library_ = DigestOf("HoldUntilOpened");
  const auto refused = open();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("BP-49"));
  barred_library_ = "";
  EXPECT_TRUE(open());
}

TEST_F(AQuarantinedPolicy, DoesWithoutAnOptionalPlugin) {
  auto policy = Load(kTwoProfiles + kOptional);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  const auto set = Build(policy);
  EXPECT_THAT(Names(*set), ElementsAre("one", "other"));
  EXPECT_EQ(set->profiles[0]->Find(words_.ids.Find("randScore")), nullptr);
  EXPECT_THAT(set->barred[0].Text(), HasSubstr("profile one does without plugin randScore: library "));
}

TEST_F(AQuarantinedPolicy, MayBarOneProfileOnly) {
  barred_profile_ = "other";
  auto policy = Load(kTwoProfiles);
  EXPECT_TRUE(policy.ok());
  EXPECT_THAT(policy.barred, IsEmpty());
}

TEST_F(AQuarantinedPolicy, IsInErrorWhenNothingIsLeft) {
  barred_plugin_ = "NodeResourcesFit";
  const auto policy = Load(kTwoProfiles);
  EXPECT_FALSE(policy.ok());
  EXPECT_THAT(config::TextsOf(policy.config.errors),
              ElementsAre(HasSubstr("BP-49: profile one is not served: plugin NodeResourcesFit"),
                          HasSubstr("BP-49: profile other is not served")));
}

TEST_F(AQuarantinedPolicy, IsNotLockedOutByLibrariesShippedWithBerth) {
  options_.shipped_directory = BERTH_PLUGIN_DIR;
  barred_library_ = DigestOf("NodeResourcesFit");
  barred_plugin_ = "";
  const log::Capture log;
  auto policy = Load(kTwoProfiles);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  EXPECT_THAT(policy.barred, IsEmpty());
  EXPECT_THAT(policy.waived, SizeIs(2));
  EXPECT_THAT(log.Messages(),
              testing::Contains(testing::ContainsRegex(
                  "A library is used in spite of its quarantine.*profile=\"other\".*NodeResourcesFit")));
  EXPECT_THAT(Names(*Build(policy)), ElementsAre("one", "other"));
}

// In another directory than the program's own, as in a volume of plugins.
TEST_F(AQuarantinedPolicy, KnowsCopiesOfShippedLibrariesByTheirBytes) {
  std::string pattern = testing::TempDir() + "/shipped-XXXXXX";
  options_.shipped_directory = mkdtemp(pattern.data());
  barred_plugin_ = "NodeResourcesFit";
  EXPECT_FALSE(Load(kTwoProfiles).ok());
  std::filesystem::copy_file(std::string(BERTH_PLUGIN_DIR) + "/NodeResourcesFit.so",
                             options_.shipped_directory + "/OtherName.so");
  EXPECT_TRUE(Load(kTwoProfiles).ok());
  std::filesystem::remove_all(options_.shipped_directory);
}

// A third party's library stays out, and its profile with it, though the shipped ones of that profile come back.
TEST_F(AQuarantinedPolicy, OnlyLetsShippedLibrariesBack) {
  options_.shipped_directory = std::string(BERTH_PLUGIN_DIR);
  barred_library_ = DigestOf("HoldUntilOpened");
  barred_plugin_ = "NodeResourcesFit";
  const std::string held =
      kHead + "- schedulerName: one\n  plugins: {multiPoint: {enabled: [{name: HoldUntilOpened}]}}\n";
  EXPECT_FALSE(Load(held).ok());
  auto policy = Load(held + "- schedulerName: other\n");
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  EXPECT_THAT(Names(*Build(policy)), ElementsAre("other"));
  ASSERT_THAT(policy.barred, SizeIs(1));
  EXPECT_EQ(policy.barred[0].plugin, "HoldUntilOpened");
}

// As long as one profile is left there is no need to go on with what has failed.
TEST_F(AQuarantinedPolicy, WaivesNothingWhileAProfileIsLeft) {
  options_.shipped_directory = BERTH_PLUGIN_DIR;
  const auto policy = Load(kTwoProfiles);  // randScore is shipped, too
  EXPECT_THAT(policy.barred, SizeIs(1));
  EXPECT_THAT(policy.waived, IsEmpty());
}

TEST_F(AQuarantinedPolicy, SortsByPriorityWithoutItsQueueSort) {
  barred_plugin_ = "";
  auto sound = Load(kSorted);
  ASSERT_TRUE(sound.ok()) << sound.config.errors.front().Text();
  const auto in_force = Build(sound);
  EXPECT_THAT(Sorters(*in_force), ElementsAre("Missorts", "Missorts"));
  barred_plugin_ = "Missorts";
  for (const char* profile : {"*", "one", "other"}) {
    barred_profile_ = profile;
    auto policy = Load(kSorted);
    ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
    EXPECT_THAT(swap::NewlyBarred(*in_force, policy.barred), IsEmpty());
    const auto set = Build(policy);
    EXPECT_THAT(Names(*set), ElementsAre("one", "other"));
    EXPECT_THAT(Sorters(*set), ElementsAre("PrioritySort", "PrioritySort"));
    ASSERT_THAT(set->barred, SizeIs(2)) << profile;
    for (const framework::Barred& one : set->barred) EXPECT_THAT(one.Text(), HasSubstr("does without plugin Missorts"));
  }
}

TEST_F(AQuarantinedPolicy, HaltsAProfileForWhatElseIsBarredInIt) {
  barred_library_ = DigestOf("Missorts");
  auto policy = Load(kSorted);
  ASSERT_TRUE(policy.ok()) << policy.config.errors.front().Text();
  const auto set = Build(policy);
  EXPECT_THAT(Names(*set), ElementsAre("one"));
  EXPECT_THAT(Sorters(*set), ElementsAre("PrioritySort"));
}

TEST_F(AQuarantinedPolicy, IsInErrorWhenNothingCanSort) {
  barred_library_ = DigestOf("Missorts");
  barred_plugin_ = "PrioritySort";
  const auto policy = Load(kSorted);
  EXPECT_FALSE(policy.ok());
  EXPECT_THAT(config::TextsOf(policy.config.errors),
              testing::Contains(HasSubstr("BP-49: profile one is not served: plugin Missorts")));
}

TEST_F(AQuarantinedPolicy, IsNotSwappedIn) {
  barred_plugin_ = "";
  auto sound = Load(kTwoProfiles);
  const auto in_force = Build(sound);
  const std::string digest = in_force->profiles[0]->Find(words_.ids.Find("randScore"))->library().sha256();
  barred_plugin_ = "randScore";
  auto policy = Load(kTwoProfiles);
  EXPECT_EQ(policy.barred[0].sha256, digest);
  // What is in force itself came into quarantine: that is why it goes.
  EXPECT_THAT(swap::NewlyBarred(*in_force, policy.barred), IsEmpty());
  // Other bytes would be put in its place.
  policy.barred[0].sha256 = std::string(64, '0');
  EXPECT_THAT(swap::NewlyBarred(*in_force, policy.barred),
              ElementsAre(HasSubstr("randScore.so: BP-49: profile one is")));
  // Known to be missing since the start.
  const auto without = Build(policy);
  EXPECT_THAT(swap::NewlyBarred(*without, policy.barred), IsEmpty());
}

}  // namespace
}  // namespace berth
