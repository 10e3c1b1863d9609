#include "client/requests/turn_order.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::requests {
namespace {

constexpr size_t kNoLimit = 1 << 20;

char Letter(Turn turn) { return turn == Turn::kBinding ? 'B' : turn == Turn::kEviction ? 'E' : 'R'; }

// Lines of these letters that never end.
TurnOrder::Waiting Lines(const std::string& letters) {
  TurnOrder::Waiting waiting;
  for (const Turn turn : {Turn::kBinding, Turn::kEviction, Turn::kRest}) {
    waiting[turn] = letters.find(Letter(turn)) != std::string::npos;
  }
  return waiting;
}

// The next n requests, without replies.
std::string Sends(TurnOrder& order, const std::string& letters, int n) {
  std::string sent;
  for (int i = 0; i < n; ++i) {
    const auto turn = order.Next(Lines(letters));
    if (!turn) return sent;
    order.Sent(*turn, Lines(letters));
    sent += Letter(*turn);
  }
  return sent;
}

struct Sharing {
  const char *lines, *sends;
};
class Share : public testing::TestWithParam<Sharing> {};

TEST_P(Share, IsKept) {
  TurnOrder order(kNoLimit);
  EXPECT_EQ(Sends(order, GetParam().lines, 8), GetParam().sends);
}
INSTANTIATE_TEST_SUITE_P(TurnOrder, Share,
                         testing::Values(Sharing{"BER", "BEBRBEBR"}, Sharing{"BR", "BBBRBBBR"},
                                         Sharing{"BE", "BEBBBEBB"}, Sharing{"ER", "EEEREEER"}, Sharing{"B", "BBBBBBBB"},
                                         Sharing{"E", "EEEEEEEE"}, Sharing{"R", "RRRRRRRR"}, Sharing{"", ""}));

// In any history and with any new lines, the first request of a line leaves within four sends.
TEST(TurnOrder, WaitsForAtMostThreeOtherRequests) {
  const std::string all[] = {"B", "E", "R", "BE", "BR", "ER", "BER"};
  for (const char turn : std::string("BER")) {
    TurnOrder order(kNoLimit);
    uint32_t seed = 1;
    int others = 0;
    for (int i = 0; i < 10'000; ++i) {
      seed = seed * 1664525 + 1013904223;
      const std::string sent = Sends(order, all[(seed >> 16) % 7] + turn, 1);
      others = sent[0] == turn ? 0 : others + 1;
      ASSERT_LE(others, 3) << turn;
    }
  }
}

TEST(TurnOrder, ReservesAnEighthOfTheRequestsForEachLine) {
  TurnOrder order(64);
  EXPECT_EQ(Sends(order, "B", 100).size(), 48u);
  EXPECT_EQ(Sends(order, "E", 100).size(), 8u);
  EXPECT_EQ(Sends(order, "BE", 100), "");
  EXPECT_EQ(Sends(order, "BER", 100), "RRRRRRRR");
  EXPECT_EQ(order.in_flight(), 64u);
  order.Answered(Turn::kEviction);
  EXPECT_FALSE(order.Next(Lines("B")));
  EXPECT_EQ(order.Next(Lines("BE")), Turn::kEviction);
}

TEST(TurnOrder, TakesTurnsWithOneParallelRequest) {
  TurnOrder order(1);
  std::string sent;
  for (int i = 0; i < 8; ++i) {
    const auto turn = order.Next(Lines("BER"));
    ASSERT_TRUE(turn);
    order.Sent(*turn, Lines("BER"));
    EXPECT_FALSE(order.Next(Lines("BER")));
    order.Answered(*turn);
    sent += Letter(*turn);
  }
  EXPECT_EQ(sent, "BEBRBEBR");
}

}  // namespace
}  // namespace berth::requests
