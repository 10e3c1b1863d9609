// The result of a validation, rule by rule, as text and as JSON. Thread: any. Ownership: values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/json/value.h"

namespace berth::validate {

// Ordered by severity; the numbers are the program's exit codes (kNotApplicable: 0).
enum class Status : uint8_t { kOk = 0, kWarning = 1, kFailed = 2, kCrashed = 3, kTimeout = 4, kNotApplicable = 5 };
const char* NameOf(Status status);  // "ok", "warning", "failed", "crashed", "timeout", "not applicable"

struct Entry {
  std::string rule;    // "BP-111"
  std::string title;   // of the rule
  std::string plugin;  // empty: the library
  Status status = Status::kOk;
  std::vector<std::string> texts;  // the defects, or why the rule does not apply
  std::vector<std::string> notes;  // information
  int64_t took_ms = 0;
};

struct Report {
  std::string path, sha256, version;
  uint64_t seed = 0;
  std::vector<Entry> entries;

  Status Worst() const;  // kOk if there is no defect
  int ExitCode() const { return static_cast<int>(Worst()); }
};

std::string ToText(const Report& report);
json::Value ToJson(const Report& report);

}  // namespace berth::validate
