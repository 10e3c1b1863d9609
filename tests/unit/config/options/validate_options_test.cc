#include "config/options/validate_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsed.h"

namespace berth::options {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Errors, ThereAreNoneByDefault) {
  EXPECT_THAT(Errors(Parsed({}), {}), IsEmpty());
  EXPECT_THAT(LoggingErrors(Parsed({}).logging, {}), IsEmpty());
  EXPECT_THAT(Errors(Parsed({"--requestheader-uid-headers=x-remote-uid", "--secure-port=65535"}), {}), IsEmpty());
}

TEST(Errors, AreAllReported) {
  EXPECT_THAT(Errors(Parsed({"--secure-port=65536", "--requestheader-allowed-names=a,\"\""}), {}),
              ElementsAre("--secure-port 65536 must be between 1 and 65535, inclusive. It cannot be turned off with 0",
                          "empty value in \"requestheader-allowed-names\""));
}

TEST(LoggingErrors, AlphaFlagsNeedTheirGate) {
  const Logging logging = Parsed({"--log-text-split-stream", "--log-json-info-buffer-size=1Ki"}).logging;
  EXPECT_THAT(LoggingErrors(logging, {}),
              ElementsAre("options.text.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled",
                          "options.json.infoBufferSize: Forbidden: Feature LoggingAlphaOptions is disabled"));
  config::FeatureGates gates;
  ASSERT_THAT(gates.Set("LoggingAlphaOptions=true"), IsEmpty());
  EXPECT_THAT(LoggingErrors(logging, gates), IsEmpty());
}

TEST(Aggregate, OneErrorHasNoBrackets) {
  EXPECT_EQ(Aggregate({"a"}), "a");
  EXPECT_EQ(Aggregate({"a", "a"}), "a");
  EXPECT_EQ(Aggregate({"a", "b", "a"}), "[a, b]");
}

}  // namespace
}  // namespace berth::options
