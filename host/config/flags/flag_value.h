// The value of a flag: how its text is parsed and how the value is printed. The rules and the errors are those of Go's
// pflag and strconv. Thread: main, at start. Ownership: a Value points to a variable of the caller, which must outlive
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace berth::flags {

enum class Takes : uint8_t {
  kOne,      // --x a or --x=a
  kNothing,  // --x means --x=true; another value only by --x=a
  kMany,     // --x a b c: until the next flag
};

struct Value {
  std::string type;                                           // in the help: "string"; "" = no type is shown
  std::function<base::Result<void>(const std::string&)> set;  // called for every occurrence, in order, once per value
  std::function<std::string()> text;                          // the current value
  Takes takes = Takes::kOne;
};

// The last occurrence wins.
Value Text(std::string& at);
Value Choice(std::string& at, std::vector<std::string> allowed);
Value Bool(bool& at);      // Go's ParseBool: 1, t, T, TRUE, true, True, 0, f, F, FALSE, false, False
Value Int32(int32_t& at);  // also 0x10, 0b1, 0o7 and 07, as Go reads base 0
Value Int64(int64_t& at);
Value Uint64(uint64_t& at);
Value Float32(float& at);
Value Level(int& at);  // 0..2^31-1, decimal digits only

// The first occurrence replaces the default, and each further one adds to it.
Value List(std::vector<std::string>& at);  // comma separated, CSV's double quotes protect commas
Value Int32List(std::vector<int32_t>& at);
Value Map(std::map<std::string, std::string>& at);  // key=value,...
Value Repeated(std::vector<std::string>& at, Takes takes = Takes::kOne);

}  // namespace berth::flags
