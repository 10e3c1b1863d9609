// One line of comma-separated values, as Go's encoding/csv reads and writes it. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::flags {

base::Result<std::vector<std::string>> ParseCsvLine(std::string_view text);
std::string CsvLine(const std::vector<std::string>& fields);

}  // namespace berth::flags
