// The whole zoo: for every file of tests/broken_plugins, the intended rule must fail. A file without a row fails this
// test, and so does a rule that no file breaks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cmd/berthctl/validate/rules.h"
#include "cmd/berthctl/validate/validate.h"
#include "zoo.h"

namespace berth::validate {
namespace {

struct Culprit {
  std::string file;
  int rule;
  Status status;
};
void PrintTo(const Culprit& culprit, std::ostream* out) { *out << culprit.file; }

// good and the duplicates are valid files, but no host can create their plugins. serial_data_set_twice breaks no rule.
const std::vector<Culprit>& Zoo() {
  static const std::vector<Culprit> zoo = {{"big_endian", 5, Status::kFailed},
                                           {"elf32", 5, Status::kFailed},
                                           {"not_elf", 5, Status::kFailed},
                                           {"other_machine", 5, Status::kFailed},
                                           {"built_elsewhere", 5, Status::kFailed},
                                           {"empty", 1, Status::kFailed},
                                           {"object_file", 6, Status::kFailed},
                                           {"program", 6, Status::kFailed},
                                           {"no_entry", 7, Status::kFailed},
                                           {"exports_too_much", 7, Status::kFailed},
                                           {"truncated", 8, Status::kFailed},
                                           {"unique_symbol", 9, Status::kFailed},
                                           {"imports_glog", 10, Status::kFailed},
                                           {"imports_gflags", 10, Status::kFailed},
                                           {"imports_sigaction", 11, Status::kFailed},
                                           {"calls_exit", 12, Status::kWarning},
                                           {"needs_stranger", 13, Status::kFailed},
                                           {"undefined_symbol", 14, Status::kFailed},
                                           {"needs_newer_libm", 15, Status::kFailed},
                                           {"static_tls", 16, Status::kFailed},
                                           {"text_relocation", 17, Status::kFailed},
                                           {"executable_stack", 18, Status::kFailed},
                                           {"run_path", 19, Status::kFailed},
                                           {"no_build_id", 20, Status::kFailed},
                                           {"not_hardened", 21, Status::kWarning},
                                           {"no_note", 22, Status::kFailed},
                                           {"note_twice", 23, Status::kFailed},
                                           {"note_too_long", 23, Status::kFailed},
                                           {"note_not_json", 24, Status::kFailed},
                                           {"note_without_version", 25, Status::kFailed},
                                           {"wrong_point", 25, Status::kFailed},
                                           {"newer_major", 26, Status::kFailed},
                                           {"older_major", 26, Status::kFailed},
                                           {"needs_newer_host", 27, Status::kFailed},
                                           {"undefined_version", 40, Status::kFailed},
                                           {"entry_throws", 42, Status::kFailed},
                                           {"throws_when_loaded", 42, Status::kCrashed},
                                           {"exits_when_loaded", 42, Status::kCrashed},
                                           {"crashes_when_loaded", 42, Status::kCrashed},
                                           {"sleeps_when_loaded", 42, Status::kTimeout},
                                           {"entry_null", 43, Status::kFailed},
                                           {"entry_small", 44, Status::kFailed},
                                           {"entry_without_create", 44, Status::kFailed},
                                           {"count_not_as_noted", 45, Status::kFailed},
                                           {"count_throws", 45, Status::kFailed},
                                           {"count_too_many", 45, Status::kFailed},
                                           {"describe_null", 46, Status::kFailed},
                                           {"descriptor_small", 46, Status::kFailed},
                                           {"descriptor_not_utf8", 46, Status::kFailed},
                                           {"names_not_as_noted", 47, Status::kFailed},
                                           {"opens_descriptor_when_loaded", 70, Status::kFailed},
                                           {"refuses_later_hosts", 71, Status::kFailed},
                                           {"describes_without_end", 72, Status::kFailed},
                                           {"creates_any_name", 73, Status::kFailed},
                                           {"create_crashes", 80, Status::kCrashed},
                                           {"init_throws", 80, Status::kFailed},
                                           {"table_small", 80, Status::kFailed},
                                           {"point_not_offered", 80, Status::kFailed},
                                           {"normalize_missing", 80, Status::kFailed},
                                           {"normalize_unknown", 80, Status::kFailed},
                                           {"good", 80, Status::kFailed},
                                           {"duplicate_a", 80, Status::kFailed},
                                           {"duplicate_b", 80, Status::kFailed},
                                           {"filter_aborts", 110, Status::kCrashed},
                                           {"filter_overflows", 110, Status::kCrashed},
                                           {"filter_crashes", 110, Status::kCrashed},
                                           {"filter_never_returns", 110, Status::kTimeout},
                                           {"filter_reason_unknown", 110, Status::kFailed},
                                           {"filter_status_of_another_point", 110, Status::kFailed},
                                           {"filter_status_unknown", 110, Status::kFailed},
                                           {"filter_throws", 110, Status::kFailed},
                                           {"filter_throws_nothing_known", 110, Status::kFailed},
                                           {"filter_verdict_unknown", 110, Status::kFailed},
                                           {"filter_writes_past_n", 110, Status::kFailed},
                                           {"score_writes_past_n", 110, Status::kFailed},
                                           {"score_too_high", 110, Status::kFailed},
                                           {"normalize_negative", 110, Status::kFailed},
                                           {"pre_filter_names_unknown", 110, Status::kWarning},
                                           {"pre_filter_narrows_to_null", 110, Status::kFailed},
                                           {"less_answers_two", 110, Status::kFailed},
                                           {"misnames_its_metrics", 110, Status::kFailed},
                                           {"shares_its_state", 81, Status::kCrashed},
                                           {"forgets_its_memory", 82, Status::kFailed},
                                           {"offers_any_extension", 83, Status::kFailed},
                                           {"opens_descriptor_at_work", 84, Status::kFailed},
                                           {"args_not_completed", 90, Status::kFailed},
                                           {"accepts_any_args", 90, Status::kFailed},
                                           {"trusts_its_args", 91, Status::kCrashed},
                                           {"reads_past_the_host", 100, Status::kCrashed},
                                           {"reads_past_a_service", 100, Status::kCrashed},
                                           {"needs_every_service", 101, Status::kCrashed},
                                           {"wants_this_host_only", 102, Status::kFailed},
                                           {"writes_to_columns", 103, Status::kCrashed},
                                           {"writes_to_pods", 103, Status::kCrashed},
                                           {"scores_by_position", 111, Status::kFailed},
                                           {"counts_its_calls", 112, Status::kFailed},
                                           {"scores_by_company", 113, Status::kFailed},
                                           {"shares_a_variable", 114, Status::kFailed},
                                           {"copies_labels", 115, Status::kCrashed},
                                           {"reuse_declares_too_little", 116, Status::kFailed},
                                           {"fails_every_pod", 118, Status::kFailed},
                                           {"divides_by_nodes", 119, Status::kCrashed},
                                           {"trusts_malloc", 121, Status::kFailed},
                                           {"throws_without_memory", 121, Status::kFailed},
                                           {"guesses_without_memory", 121, Status::kFailed},
                                           {"aborts_without_memory", 121, Status::kWarning},
                                           {"binds_in_its_own_time", 122, Status::kFailed},
                                           {"forgets_who_gave_up", 122, Status::kFailed},
                                           {"crashes_in_successor", 142, Status::kCrashed},
                                           {"crashes_in_hand_over", 142, Status::kCrashed},
                                           {"bind_never_ends", 120, Status::kFailed},
                                           {"bind_done_twice", 120, Status::kFailed},
                                           {"filter_late", 150, Status::kWarning},
                                           {"serial_data_set_twice", 110, Status::kOk}};
  return zoo;
}

class ZooTest : public testing::TestWithParam<Culprit> {};

TEST_P(ZooTest, IsCaughtByItsRule) {
  const Report report = Validate(
      {.path = zoo::ZooFile(GetParam().file), .args = {}, .fuzz_seconds = 0, .seed = 1, .only = GetParam().rule});
  const std::string id = "BP-" + std::to_string(GetParam().rule);
  const auto entry =
      std::find_if(report.entries.begin(), report.entries.end(), [&](const Entry& one) { return one.rule == id; });
  ASSERT_NE(entry, report.entries.end()) << ToText(report);
  EXPECT_EQ(entry->status, GetParam().status) << ToText(report);
  EXPECT_EQ(entry->texts.empty(), GetParam().status == Status::kOk);
}

INSTANTIATE_TEST_SUITE_P(Files, ZooTest, testing::ValuesIn(Zoo()), [](const auto& info) { return info.param.file; });

TEST(Zoo, HasARowForEveryFile) {
  std::set<std::string> listed, there;
  for (const Culprit& culprit : Zoo()) listed.insert(culprit.file);
  const std::filesystem::path folder = std::filesystem::path(zoo::ZooFile("good")).parent_path();
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".so") there.insert(file.path().stem());
  }
  EXPECT_EQ(listed, there);
}

// The rules that no file breaks alone yet.
constexpr int kWithoutCulprit[] = {117, 130, 131, 132, 140, 141, kFuzz};

TEST(Zoo, HasACulpritForEveryRule) {
  for (const Rule& rule : Rules()) {
    const bool excused = std::count(std::begin(kWithoutCulprit), std::end(kWithoutCulprit), rule.number) > 0;
    const bool found = std::any_of(Zoo().begin(), Zoo().end(),
                                   [&](const Culprit& c) { return c.rule == rule.number && c.status != Status::kOk; });
    EXPECT_NE(excused, found) << IdOf(rule);
  }
}

// Correct plugins pass every rule, also with fuzzing.
TEST(Zoo, SoundPluginsPassEveryRule) {
  const std::string folder = BERTH_TEST_BUILD_DIR "/lib/berth/plugins/";
  for (const char* plugin : {"defalut", "NodeName", "DefaultBinder"}) {
    const Report report =
        Validate({.path = folder + plugin + ".so", .args = {}, .fuzz_seconds = 1, .seed = 3, .only = 0});
    EXPECT_EQ(report.Worst(), Status::kOk) << ToText(report);
  }
}

}  // namespace
}  // namespace berth::validate
