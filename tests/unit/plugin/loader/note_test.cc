#include "plugin/loader/note.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::loader {
namespace {

using testing::ElementsAre;

constexpr const char* kNote = R"({"abi":[1,0],"sdk":"cpp/1.0","version":"1.2.3","minHost":0,"draft":["reserve/1"],
  "plugins":[{"name":"A","points":["preFilter","score"],"args":true,"needs":["berth.host.random/1"]},
             {"name":"B","points":["bind"],"colour":"of no interest"}]})";

TEST(Note, IsReadInFull) {
  const auto note = ParseNote(kNote, 0);
  ASSERT_TRUE(note) << note.error().text;
  EXPECT_EQ(note->abi_major, 1u);
  EXPECT_EQ(note->abi_minor, 0u);
  EXPECT_EQ(note->sdk, "cpp/1.0");
  EXPECT_EQ(note->version, "1.2.3");
  EXPECT_THAT(note->draft, ElementsAre("reserve/1"));
  EXPECT_THAT(note->Names(), ElementsAre("A", "B"));
  const NotedPlugin* a = note->Find("A");
  ASSERT_NE(a, nullptr);
  EXPECT_THAT(a->points, ElementsAre("preFilter", "score"));
  EXPECT_TRUE(a->args);
  EXPECT_THAT(a->needs, ElementsAre("berth.host.random/1"));
  EXPECT_FALSE(note->Find("B")->args);
  EXPECT_EQ(note->Find("C"), nullptr);
}

TEST(Note, CarriesSampleArgs) {
  const auto note = ParseNote(R"({"abi":[1,0],"sdk":"x","version":"1","plugins":[
      {"name":"A","points":["score"],"sampleArgs":{"shape": [{"score": 1}]}}, {"name":"B","points":["score"]}]})",
                              0);
  ASSERT_TRUE(note) << note.error().text;
  EXPECT_EQ(json::Dump(note->Find("A")->sample_args), R"({"shape":[{"score":1}]})");
  EXPECT_TRUE(note->Find("B")->sample_args.is_null());
}

TEST(Note, BoundsSampleArgs) {
  const auto parsed = [](size_t bytes) {  // {"a":""} has eight
    return ParseNote(
        R"({"abi":[1,0],"sdk":"x","version":"1","plugins":[{"name":"A","points":["score"],"sampleArgs":{"a":")" +
            std::string(bytes - 8, 'a') + R"("}}]})",
        0);
  };
  EXPECT_TRUE(parsed(kMostSampleArgs));
  const auto longer = parsed(kMostSampleArgs + 1);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().text, "the note's plugins[0].sampleArgs has 4097 bytes; it may have 4096");
}

struct BadNote {
  const char* text;
  Rule rule;
  const char* says;
};
class BadNotes : public testing::TestWithParam<BadNote> {};

TEST_P(BadNotes, AreRefusedByTheirRule) {
  const auto note = ParseNote(GetParam().text, 0);
  ASSERT_FALSE(note);
  EXPECT_EQ(RuleId(note.error().rule), RuleId(GetParam().rule)) << note.error().text;
  EXPECT_THAT(note.error().text, testing::HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadNotes,
    testing::Values(
        BadNote{"", Rule::kNoteJson, ""}, BadNote{"[]", Rule::kNoteJson, "not an object"},
        BadNote{R"({"abi":[1,0],"sdk":"x","version":"1"})", Rule::kNoteFields, "plugins"},
        BadNote{R"({"abi":[1,0],"sdk":"x","version":"1","plugins":[]})", Rule::kNoteFields, "plugins"},
        BadNote{R"({"abi":[1],"sdk":"x","version":"1","plugins":[{"name":"A","points":["score"]}]})", Rule::kNoteFields,
                "abi"},
        BadNote{R"({"abi":[1,-1],"sdk":"x","version":"1","plugins":[{"name":"A","points":["score"]}]})",
                Rule::kNoteFields, "abi"},
        BadNote{R"({"abi":["1","0"],"sdk":"x","version":"1","plugins":[{"name":"A","points":["score"]}]})",
                Rule::kNoteFields, "abi"},
        BadNote{R"({"abi":[1,0],"sdk":"x","version":"1","plugins":[{"name":"","points":["score"]}]})",
                Rule::kNoteFields, "name"},
        BadNote{R"({"abi":[1,0],"sdk":"x","version":"1","plugins":[{"name":"A","points":["scoar"]}]})",
                Rule::kNoteFields, "scoar"},
        BadNote{
            R"({"abi":[1,0],"sdk":"x","version":"1","plugins":[{"name":"A","points":["score"]},{"name":"A","points":["bind"]}]})",
            Rule::kNoteFields, "A"},
        BadNote{
            R"({"abi":[1,0],"sdk":"x","version":"1","plugins":[{"name":"A","points":["score"],"sampleArgs":"{}"}]})",
            Rule::kNoteFields, "plugins[0].sampleArgs must be an object"},
        BadNote{R"({"abi":[2,0],"anything":"else"})", Rule::kAbiMajor, "2.0"},
        BadNote{R"({"abi":[1,7],"minHost":5,"sdk":"x","version":"1","plugins":[{"name":"A","points":["score"]}]})",
                Rule::kMinHost, "1.5"}));

}  // namespace
}  // namespace berth::loader
