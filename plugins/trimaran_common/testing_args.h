// For tests: args and the result of decoding them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/json.hpp>
#include <berth/testing/plugin_under_test.hpp>

#include <string>

#include "berth/entry.h"

namespace trimaran_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

struct ArgsCase {
  const char *name, *given, *want;  // JSON; of a check, the error or ""
};

inline void ExpectCompleted(const char* plugin, const ArgsCase& c) {
  const ArgsOutcome outcome = PluginUnderTest(berth_entry_v1, plugin).Complete(ParseJson(c.given));
  EXPECT_THAT(outcome.Errors(), testing::IsEmpty());
  EXPECT_EQ(outcome.json, c.want);
}
inline void ExpectChecked(const char* plugin, const ArgsCase& c) {
  const std::string want = c.want;
  EXPECT_EQ(PluginUnderTest(berth_entry_v1, plugin).Check(ParseJson(c.given)).Errors(),
            want.empty() ? Texts() : Texts{want});
}

}  // namespace trimaran_test
