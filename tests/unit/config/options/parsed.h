// Options from a valid command line.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "config/options/parse.h"

namespace berth::options {

inline SchedulerOptions Parsed(const std::vector<std::string>& arguments) {
  SchedulerOptions options;
  std::ostringstream out, err;
  EXPECT_EQ(ParseOptions(arguments, "0.1.0", options, out, err), std::nullopt) << err.str();
  EXPECT_EQ(out.str() + err.str(), "");
  return options;
}

}  // namespace berth::options
