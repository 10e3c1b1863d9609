#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/configuration/berth_configuration.h"
#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LoadResult Tracing(const std::string& fields) {
  return LoadText("apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\ntracing:\n" + fields);
}

TEST(Tracing, WithoutFieldsItSamplesNothing) {
  const LoadResult r = Tracing("  {}\n");
  ASSERT_THAT(Lines(r.errors), IsEmpty());
  ASSERT_TRUE(r.berth.tracing);
  EXPECT_EQ(r.berth.tracing->endpoint, "http://localhost:4318");
  EXPECT_EQ(r.berth.tracing->sampling_rate_per_million, 0);
}

struct EndpointCase {
  const char* given;
  const char* want;
};

TEST(Tracing, EndpointsMayLackTheScheme) {
  for (const EndpointCase& c : {EndpointCase{.given = "localhost:4318", .want = "http://localhost:4318"},
                                EndpointCase{.given = "http://[::1]:4318", .want = "http://[::1]:4318"},
                                EndpointCase{.given = "https://otel.example/in", .want = "https://otel.example/in"}}) {
    const LoadResult r = Tracing(std::string("  endpoint: \"") + c.given + "\"\n");
    ASSERT_THAT(Lines(r.errors), IsEmpty()) << c.given;
    EXPECT_EQ(r.berth.tracing->endpoint, c.want);
  }
}

struct BadCase {
  const char* line;
  const char* want;  // part of the error
};

TEST(Tracing, MistakesAreReportedAtTheirLine) {
  for (const BadCase& c : {BadCase{.line = "samplingRatePerMillion: -1", .want = "-1: sampling rate must be positive"},
                           BadCase{.line = "samplingRatePerMillion: 1000001",
                           .want = "1000001: sampling rate per million must be less than or equal to one million"},
                           BadCase{.line = "endpoint: \"dns://localhost:4317\"",
                           .want = "unsupported scheme: dns.  Options are none, http"},
                           BadCase{.line = "endpoint: \"unix:///run/otel\"", .want = "unsupported scheme: unix."},
                           BadCase{.line = "endpoint: \"http://\"", .want = "must have a host"},
                           BadCase{.line = "endpoint: \"http://a:b\"", .want = "must have a port"},
                           BadCase{.line = "endpoint: \"http://a:70000\"", .want = "must have a port"},
                           BadCase{.line = "endpoint: \"http://user@a:1\"", .want = "must have no user"},
                           BadCase{.line = "endpoint: \"http://a:1/?q=1\"", .want = "must have no query"}}) {
    const LoadResult r = Tracing(std::string("  ") + c.line + "\n");
    ASSERT_EQ(r.errors.size(), 1u) << c.line;
    EXPECT_THAT(Lines(r.errors)[0], HasSubstr(c.want)) << c.line;
    EXPECT_THAT(Lines(r.errors)[0], HasSubstr(":4")) << c.line;
    EXPECT_THAT(Lines(r.errors)[0], HasSubstr("tracing.")) << c.line;
  }
}

TEST(Tracing, AnUnknownFieldIsAMistake) { EXPECT_EQ(Tracing("  rate: 1\n").errors.size(), 1u); }

}  // namespace
}  // namespace berth::config
