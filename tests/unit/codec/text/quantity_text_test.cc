#include "codec/text/quantity_text.h"

#include <gtest/gtest.h>

namespace berth::text {
namespace {

struct Case {
  const char *read, *want;
};

// The canonical texts of k8s.io/apimachinery/pkg/api/resource/quantity_test.go TestQuantityString, and more.
TEST(QuantityText, IsCanonical) {
  for (const Case& c : {Case{"0", "0"},
                        {"0Ki", "0"},
                        {"100m", "100m"},
                        {"1000m", "1"},
                        {"1500m", "1500m"},
                        {"0.1", "100m"},
                        {"1u", "1u"},
                        {"1n", "1n"},
                        {"999999999n", "999999999n"},
                        {"1000000001n", "1000000001n"},
                        {"2.000005", "2000005u"},
                        {"4", "4"},
                        {"1000", "1k"},
                        {"1024", "1024"},
                        {"1k", "1k"},
                        {"2000M", "2G"},
                        {"1E", "1E"},
                        {"1e3", "1e3"},
                        {"12e6", "12e6"},
                        {"5e-3", "5e-3"},
                        {"1Ki", "1Ki"},
                        {"1023Ki", "1023Ki"},
                        {"1024Ki", "1Mi"},
                        {"1.5Gi", "1536Mi"},
                        {"3000Ki", "3000Ki"},
                        {"0.5Ki", "512"},
                        {"0.0001Ki", "102400u"},
                        {"7Ei", "7Ei"},
                        {"9223372036854775807", "9223372036854775807"},
                        {"-1500m", "-1500m"},
                        {"-1Ki", "-1Ki"},
                        {"-2Gi", "-2Gi"}}) {
    const auto quantity = base::Quantity::Parse(c.read);
    ASSERT_TRUE(quantity) << c.read;
    EXPECT_EQ(QuantityText(*quantity, FormatOfQuantity(c.read)), c.want) << c.read;
  }
}

TEST(QuantityText, KnowsTheFormatOfAText) {
  for (const char* text : {"1", "100m", "2E", "3G", "\"5k\" "}) {
    EXPECT_EQ(FormatOfQuantity(text), QuantityFormat::kDecimalSi) << text;
  }
  for (const char* text : {"1Ki", "1Ei", "\"5Gi\""})
    EXPECT_EQ(FormatOfQuantity(text), QuantityFormat::kBinarySi) << text;
  for (const char* text : {"1e3", "1E3", "5e-3"}) {
    EXPECT_EQ(FormatOfQuantity(text), QuantityFormat::kDecimalExponent) << text;
  }
}

// What is written reads back as the same quantity, for all formats.
TEST(QuantityText, ReadsBackAsTheSameQuantity) {
  uint64_t state = 42;
  for (int i = 0; i < 3000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto nano = *base::Quantity::Parse(std::to_string(state >> (i % 60)) + "n");
    for (const QuantityFormat format : {QuantityFormat::kDecimalSi, QuantityFormat::kDecimalExponent}) {
      EXPECT_EQ(*base::Quantity::Parse(QuantityText(nano, format)), nano);
    }
    const auto units = base::Quantity::FromUnits(static_cast<int64_t>(state >> (1 + i % 60)));
    EXPECT_EQ(*base::Quantity::Parse(QuantityText(units, QuantityFormat::kBinarySi)), units);
  }
}

}  // namespace
}  // namespace berth::text
