// What a flag may hold: how its text is read, and how what it holds is shown. The rules and the errors are those of
// Go's pflag and strconv, which users of kube-scheduler know.
// Thread: main, at start. Ownership: a Value points to the variable that it was made for, which must outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::flags {

enum class Takes : uint8_t {
  kOne,      // --x a or --x=a
  kNothing,  // --x means --x=true; another value only by --x=a
  kMany,     // --x a b c: until the next flag
};

struct Value {
  std::string type;                                           // in the help: "string"; "" = shown without
  std::function<base::Result<void>(const std::string&)> set;  // at every occurrence, in order; once per value
  std::function<std::string()> text;                          // what is held now
  Takes takes = Takes::kOne;
};

// Of these the last occurrence wins.
Value Text(std::string& at);
Value Choice(std::string& at, std::vector<std::string> allowed);
Value Bool(bool& at);      // Go's ParseBool: 1, t, T, TRUE, true, True, 0, f, F, FALSE, false, False
Value Int32(int32_t& at);  // also 0x10, 0b1, 0o7 and 07, as Go reads base 0
Value Int64(int64_t& at);
Value Uint64(uint64_t& at);
Value Float32(float& at);
Value Level(int& at);  // 0..2^31-1, decimal digits only

// Of these the first occurrence replaces the default and each further one adds to it.
Value List(std::vector<std::string>& at);  // comma separated, CSV's double quotes protect commas
Value Int32List(std::vector<int32_t>& at);
Value Map(std::map<std::string, std::string>& at);  // key=value,...
Value Repeated(std::vector<std::string>& at, Takes takes = Takes::kOne);

// Go's strconv and encoding/csv, for those who make Values of their own. Errors: strconv.ParseInt: parsing "x": invalid
// syntax; ... value out of range. bits: 32 or 64.
base::Result<bool> ParseBool(std::string_view text);
base::Result<int64_t> ParseInt(std::string_view text, int bits);
base::Result<std::vector<std::string>> ParseCsvLine(std::string_view text);
std::string CsvLine(const std::vector<std::string>& fields);
std::string Float32Text(float number);  // "50", "0.1", "1e+10"

}  // namespace berth::flags
