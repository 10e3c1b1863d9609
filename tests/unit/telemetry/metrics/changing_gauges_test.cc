#include "telemetry/metrics/changing_gauges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::metrics {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Name kChanging{"berth_test", "[ALPHA] A test."};

TEST(ChangingGauges, ValuesThatAreGoneHaveNoSeries) {
  Registry registry;
  ChangingGauges gauges(registry, kChanging, "reason");
  gauges.Set({{"a", 1}, {"b", 2}});
  EXPECT_THAT(registry.Text(),
              AllOf(HasSubstr("berth_test{reason=\"a\"} 1\n"), HasSubstr("berth_test{reason=\"b\"} 2\n")));
  gauges.Set({{"b", 3}});
  EXPECT_THAT(registry.Text(), AllOf(Not(HasSubstr("reason=\"a\"")), HasSubstr("berth_test{reason=\"b\"} 3\n")));
  gauges.Set({{"a", 4}});
  EXPECT_THAT(registry.Text(), AllOf(HasSubstr("berth_test{reason=\"a\"} 4\n"), Not(HasSubstr("reason=\"b\""))));
}

TEST(ChangingGauges, ValuesThatAreNotAllowedShareASeries) {
  Registry registry(Selection({}, {{"berth_test,reason", "a"}}));
  ChangingGauges gauges(registry, kChanging, "reason");
  gauges.Set({{"a", 1}, {"b", 2}, {"c", 3}});
  EXPECT_THAT(registry.Text(), HasSubstr("berth_test{reason=\"unexpected\"} 5\n"));
  gauges.Set({{"c", 3}});
  EXPECT_THAT(registry.Text(), HasSubstr("berth_test{reason=\"unexpected\"} 3\n"));
  gauges.Set({});
  EXPECT_THAT(registry.Text(), Not(HasSubstr("berth_test{")));
}

TEST(ChangingGauges, ADisabledFamilyIsHiddenOnce) {
  Registry registry(Selection({"berth_test"}, {}));
  ChangingGauges gauges(registry, kChanging, "reason");
  for (int i = 0; i < 3; ++i) gauges.Set({{"a", 1}, {"b", 2}});
  EXPECT_THAT(registry.Text(), AllOf(HasSubstr("\nhidden_metrics_total 1\n"), Not(HasSubstr("berth_test{"))));
}

}  // namespace
}  // namespace berth::metrics
