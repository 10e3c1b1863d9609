// The rules that a plugin library must keep. A rule keeps its number: messages, docs and `berthctl` name it "BP-7". The
// table in rule.cc explains each rule. Thread: constants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::loader {

enum class Rule : uint8_t {
  // the file
  kReadable = 1,
  kTrusted = 2,
  kStable = 3,
  kDigest = 4,
  // the ELF image
  kElf = 5,
  kSharedObject = 6,
  kExports = 7,
  kComplete = 8,
  kUnique = 9,
  kFlags = 10,
  kForbiddenImport = 11,
  kDoubtfulImport = 12,
  kNeeded = 13,
  kUnresolved = 14,
  kVersions = 15,
  kStaticTls = 16,
  kTextRelocations = 17,
  kExecutableStack = 18,
  kRunPath = 19,
  kBuildId = 20,
  kHardening = 21,
  // the note
  kNotePresent = 22,
  kNoteWhole = 23,
  kNoteJson = 24,
  kNoteFields = 25,
  kAbiMajor = 26,
  kMinHost = 27,
  kNotUnloadable = 28,
  // the file again
  kSignature = 29,
  // loading
  kStaging = 39,
  kOpens = 40,
  kNewMapping = 41,
  kRehearsal = 42,
  kEntryAnswers = 43,
  kEntryTable = 44,
  kCount = 45,
  kDescriptors = 46,
  kNamesAsNoted = 47,
  kGenerations = 48,
  kQuarantined = 49,
  // names
  kOneOffer = 60,
  kBinding = 61,
};

enum class Weight : uint8_t { kHint, kWarning, kError };  // only errors keep a library out

struct RuleInfo {
  Rule rule;
  Weight weight;
  const char* title;        // a few words
  const char* explanation;  // sentences: the requirement, and what happens without it
};

std::span<const RuleInfo> AllRules();  // ascending by number
const RuleInfo& InfoOf(Rule rule);
// "BP-7", "bp-7" or "7"; nullptr when there is no such rule.
const RuleInfo* Explain(std::string_view id);
std::string RuleId(Rule rule);  // "BP-7"

// A broken rule of one file.
struct Finding {
  Rule rule;
  std::string text;  // continues "<file>: BP-7: "
};
Weight WeightOf(const Finding& finding);
// "<file>: BP-7: exports 3 symbols (...)"
std::string FindingLine(std::string_view file, const Finding& finding);
// The first error, nullptr when there is none.
const Finding* FirstError(const std::vector<Finding>& findings);

}  // namespace berth::loader
