#include "reload/coordinator/field_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "config/configuration/print.h"

namespace berth::reload {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kScheduler = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
constexpr const char* kBerth = "---\napiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";

// Each field with a value that is not its default.
const std::map<std::string_view, std::string> kOfScheduler = {
    {"clientConnection", "{qps: 7}"},
    {"delayCacheUntilActive", "true"},
    {"enableContentionProfiling", "false"},
    {"enableProfiling", "false"},
    {"extenders", "[{urlPrefix: 'http://h', filterVerb: f}]"},
    {"leaderElection", "{leaderElect: false}"},
    {"parallelism", "3"},
    {"percentageOfNodesToScore", "50"},
    {"podInitialBackoffSeconds", "2"},
    {"podMaxBackoffSeconds", "30"},
    {"profiles", "[{schedulerName: other}]"},
};
const std::map<std::string_view, std::string> kOfBerth = {
    {"decisions", "{attempts: 5}"},
    {"faults", "{quarantineAfter: 3}"},
    {"leaderElection.onLoss", "standby"},
    {"plugins", "[{name: A, library: a.so}]"},
    {"security", "{checkOwner: false}"},
    {"seed", "7"},
    {"tracing", "{samplingRatePerMillion: 5}"},
    {"verbosity", "4"},
};

config::LoadResult Loaded(const std::string& scheduler, const std::string& berth) {
  return config::Load({{"f.yaml", kScheduler + scheduler + kBerth + berth}}, {});
}

config::LoadResult With(std::string_view field) {
  const std::string key = std::string(field) + ": ";
  const auto it = kOfScheduler.find(field);
  if (it != kOfScheduler.end()) return Loaded(key + it->second + "\n", "");
  const size_t dot = field.find('.');
  if (dot == field.npos) return Loaded("", key + kOfBerth.at(field) + "\n");
  return Loaded("", std::string(field.substr(0, dot)) + ": {" + key.substr(dot + 1) + kOfBerth.at(field) + "}\n");
}

bool IsInTable(std::string_view name) {
  const auto fields = FieldTable();
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
}

TEST(FieldTable, AChangeOfEachFieldTakesEffectAsTheTableSays) {
  const config::LoadResult before = Loaded("", "");
  for (const Field& field : FieldTable()) {
    SCOPED_TRACE(field.name);
    const config::LoadResult after = With(field.name);
    ASSERT_TRUE(after.ok()) << after.errors.front().Text();
    if (field.effect == Effect::kRestart) {
      // Contains, because enableProfiling also decides the default of enableContentionProfiling.
      EXPECT_THAT(NeedsRestart(before, after), Contains(std::string(field.name) + ": changes only with a restart"));
    } else {
      EXPECT_THAT(NeedsRestart(before, after), IsEmpty());
    }
    const bool live = field.effect == Effect::kLive;
    EXPECT_EQ(SettingsOf(before, 2) != SettingsOf(after, 2), live);
    EXPECT_THAT(SettingChanges(before, after), SizeIs(live ? 1 : 0));
    EXPECT_EQ(field.apply != nullptr, live);
    EXPECT_EQ(field.text != nullptr, live);
  }
}

TEST(FieldTable, HasEveryFieldThatAConfigurationIsPrintedWith) {
  for (const auto& [name, value] : kOfScheduler) {
    const json::Value printed = config::ValueV1(With(name).scheduler);
    for (const auto& [key, member] : printed.object())
      EXPECT_TRUE(IsInTable(key) || key == "apiVersion" || key == "kind") << key;
  }
  EXPECT_EQ(FieldTable().size(), kOfScheduler.size() + kOfBerth.size());
}

TEST(FieldTable, IsWhatTheDocumentationSays) {
  std::stringstream page;
  page << std::ifstream(std::string(BERTH_TEST_SOURCE_DIR) + "/docs/hot-swap.md").rdbuf();
  for (const Field& field : FieldTable()) {
    const bool berth = kOfBerth.contains(field.name);
    EXPECT_THAT(page.str(), HasSubstr("| `" + std::string(field.name) + "` | " +
                                      (berth ? "BerthConfiguration" : "KubeSchedulerConfiguration") + " | " +
                                      (field.effect == Effect::kRestart ? "yes" : "no") + " |\n"));
  }
}

TEST(FieldTable, TwoChangedBackoffsAreOneChange) {
  EXPECT_THAT(SettingChanges(Loaded("", ""), Loaded("podInitialBackoffSeconds: 2\npodMaxBackoffSeconds: 3\n", "")),
              ElementsAre("backoff of 2 s to 3 s"));
}

TEST(FieldTable, TheFlagGivesTheVerbosityThatTheFileDoesNotHave) {
  EXPECT_EQ(SettingsOf(Loaded("", ""), 2).verbosity, 2);
  EXPECT_EQ(SettingsOf(Loaded("", "verbosity: 0\n"), 2).verbosity, 0);
  EXPECT_THAT(SettingChanges(Loaded("", "verbosity: 0\n"), Loaded("", "")), ElementsAre("verbosity of -v"));
}

config::LoadResult WithExtender(const std::string& url, const std::string& key) {
  config::LoadResult result;
  config::Extender& extender = result.scheduler.extenders.emplace_back();
  extender.url_prefix = url;
  extender.tls.emplace().key_data = key;
  return result;
}

TEST(FieldTable, AChangedSecretIsAChangeAlthoughItIsNotShown) {
  const std::string problem = "extenders: changes only with a restart";
  EXPECT_THAT(NeedsRestart(WithExtender("https://h", "a"), WithExtender("https://h", "a")), IsEmpty());
  EXPECT_THAT(NeedsRestart(WithExtender("https://h", "a"), WithExtender("https://h", "b")), ElementsAre(problem));
  EXPECT_THAT(NeedsRestart(WithExtender("https://a@h", "a"), WithExtender("https://b@h", "a")), ElementsAre(problem));
}

}  // namespace
}  // namespace berth::reload
