// The rules that run a library in child processes: BP-70 and later. The loader has the other rules (loader/rule.h). The
// number of a rule never changes and is never reused. Thread: constants.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cmd/berthctl/validate/findings.h"
#include "cmd/berthctl/validate/subject.h"

namespace berth::validate {

// What the plugin must complete before the rule applies: a plugin that crashes when it is created would crash in every
// rule.
enum class Needs : uint8_t { kNothing, kStart, kAttempt };

struct Rule {
  int number;
  bool of_plugin;  // checked for each plugin of the library; otherwise once for the library
  Needs needs;
  void (*check)(const Subject& subject, Findings& findings);
  const char* title;        // a few words
  const char* explanation;  // sentences: what the rule does and requires, and why
  std::chrono::seconds limit = std::chrono::seconds(10);
};

inline constexpr int kStarts = 80, kAttempt = 110, kFuzz = 160;  // rules that other rules, or the command, refer to

std::span<const Rule> Rules();  // in the order in which they run
std::string IdOf(const Rule& rule);

// The text of a rule of this folder or of the loader.
struct RuleText {
  std::string id, title, explanation;
};
std::vector<RuleText> AllRuleTexts();  // by number
// id is "BP-7", "bp-7", or "7"; nullopt if there is no such rule.
std::optional<RuleText> Explain(std::string_view id);

}  // namespace berth::validate
