// The table of rules; docs/validator.md must list exactly the same rules.
#include "cmd/berthctl/validate/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace berth::validate {
namespace {

TEST(Rules, HaveANumberOfTheirOwn) {
  std::set<std::string> ids;
  for (const RuleText& rule : AllRuleTexts()) EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
}

TEST(Rules, AreAllExplained) {
  for (const RuleText& rule : AllRuleTexts()) {
    const auto explained = Explain(rule.id);
    ASSERT_TRUE(explained) << rule.id;
    EXPECT_EQ(explained->title, rule.title);
    EXPECT_GT(explained->explanation.size(), 40u) << rule.id;
  }
  EXPECT_EQ(Explain("bp-110")->id, "BP-110");
  EXPECT_EQ(Explain("110")->id, "BP-110");
  EXPECT_FALSE(Explain("BP-999"));
  EXPECT_FALSE(Explain(""));
}

// Lines of the form "| BP-7 | exports berth_entry_v1 and nothing else |".
TEST(Rules, AreThoseOfTheDocument) {
  std::ifstream document(BERTH_TEST_SOURCE_DIR "/docs/validator.md");
  ASSERT_TRUE(document);
  std::vector<std::string> listed, known;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("| BP-")) listed.push_back(line);
  }
  for (const RuleText& rule : AllRuleTexts()) known.push_back("| " + rule.id + " | " + rule.title + " |");
  EXPECT_THAT(listed, testing::ElementsAreArray(known));
}

}  // namespace
}  // namespace berth::validate
