// The wanted texts are what k8s.io/apimachinery v0.36 prints with "%v".
#include "../common/go_amount.h"

#include <gtest/gtest.h>

namespace plugins::coscheduling {
namespace {

std::string Rest(std::string_view from, const GoAmount& minus) {
  GoAmount amount = ParseGoAmount(from).value();
  amount.Sub(minus);
  return amount.Printed();
}

TEST(GoAmount, PrintsWhatGoPrints) {
  EXPECT_EQ(Rest("10", GoAmount::Milli(4000)), "{{6000 -3} {<nil>}  DecimalSI}");
  EXPECT_EQ(Rest("10Gi", GoAmount::Binary(5)), "{{10737418235 0} {<nil>}  BinarySI}");
  EXPECT_EQ(Rest("10G", GoAmount::Binary(5)), "{{9999999995 0} {<nil>}  DecimalSI}");
  EXPECT_EQ(Rest("1500m", {}), "{{1500 -3} {<nil>}  DecimalSI}");
  EXPECT_EQ(Rest("5", GoAmount::Milli(0)), "{{5 0} {<nil>}  DecimalSI}");
}

TEST(GoAmount, TakesTheFormOfTheOtherAmountIfItIsZero) {
  EXPECT_EQ(Rest("0", GoAmount::Binary(3)), "{{-3 0} {<nil>}  BinarySI}");
}

TEST(GoAmount, RefusesWhatIsNoAmount) {
  EXPECT_FALSE(ParseGoAmount("ten"));
  EXPECT_FALSE(ParseGoAmount(""));
  EXPECT_FALSE(ParseGoAmount("1.5Gi"));  // Go keeps it in another form
  EXPECT_FALSE(ParseGoAmount("99999999999999999999"));
}

TEST(GoAmount, ReadsExponents) {
  EXPECT_EQ(Rest("1e3", {}), "{{1 3} {<nil>}  DecimalExponent}");
  EXPECT_EQ(Rest("15E-1", {}), "{{15 -1} {<nil>}  DecimalExponent}");
  EXPECT_EQ(Rest("1.5e+3", {}), "{{15 2} {<nil>}  DecimalExponent}");
  EXPECT_EQ(Rest("1e100", {}), "{{1 100} {<nil>}  DecimalExponent}");
  EXPECT_EQ(ParseGoAmount("1e100")->CountOf(0), INT64_MAX);
  EXPECT_EQ(ParseGoAmount("-1e1000")->CountOf(-3), INT64_MIN);
  EXPECT_EQ(ParseGoAmount("1e-1000")->CountOf(-3), 1);
}

// Go keeps 32 bits of them, whatever they are.
TEST(GoAmount, RefusesExponentsThatNoAmountNeeds) {
  for (const char* text : {"1e1001", "1e-1001", "1e2147483647", "1e-2147483648", "0.1e-2147483648", "1e4294967296",
                           "1e99999999999999999999"}) {
    EXPECT_FALSE(ParseGoAmount(text)) << text;
  }
}

TEST(GoAmount, AnExponentHasOneSign) {
  for (const char* text : {"1e+-5", "1e-+5", "1e++5", "1e--5", "1e+", "1e-"}) EXPECT_FALSE(ParseGoAmount(text)) << text;
}

TEST(GoAmount, Saturates) {
  GoAmount amount = GoAmount::Decimal(INT64_MAX);
  amount.Sub(GoAmount::Milli(-1));
  EXPECT_EQ(amount.value, INT64_MAX);
}

}  // namespace
}  // namespace plugins::coscheduling
