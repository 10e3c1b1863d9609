// Which functions of a host a plugin can reach through a StrictHost, and what ends the process.
#include "cmd/berthctl/validate/strict_host.h"

#include <gtest/gtest.h>

#include <cstring>

namespace berth::validate {
namespace {

struct Table {
  uint32_t size, rsv;
  int (*answer)();
};
Table& RealTable() {
  static Table table{sizeof(Table), 0, [] { return 42; }};
  return table;
}

class StrictHostTest : public testing::Test {
 protected:
  StrictHostTest() {
    real_.size = sizeof real_;
    real_.abi_minor = BERTH_ABI_MINOR;
    real_.impl = this;
    real_.service = [](const berth_host* host, const char* id) -> const void* {
      EXPECT_NE(host->impl, nullptr);
      return std::strcmp(id, "table") == 0 ? &RealTable() : nullptr;
    };
  }
  const Table* Ask(const StrictHost& host) {
    return static_cast<const Table*>(host.shown()->service(host.shown(), "table"));
  }
  berth_host real_{};
};

TEST_F(StrictHostTest, ShowsTheFunctionsOfTheHost) {
  const StrictHost host(real_, {});
  ASSERT_NE(Ask(host), nullptr);
  EXPECT_NE(Ask(host), &RealTable());
  EXPECT_EQ(Ask(host), Ask(host));
  EXPECT_EQ(Ask(host)->answer(), 42);
  EXPECT_EQ(host.shown()->impl, this);
  EXPECT_EQ(host.shown()->service(host.shown(), "other"), nullptr);
}

TEST_F(StrictHostTest, LacksAService) {
  const StrictHost host(real_, {.without = "table"});
  EXPECT_EQ(Ask(host), nullptr);
}

TEST_F(StrictHostTest, HasTheSizeAndMinorOfItsShape) {
  const StrictHost host(real_, {.later_members = 3, .minor = 9});
  EXPECT_EQ(host.shown()->abi_minor, 9u);
  EXPECT_EQ(host.shown()->size, sizeof(berth_host) + 3 * sizeof(void*));
  EXPECT_EQ(Ask(host)->size, sizeof(Table) + 3 * sizeof(void*));
}

using StrictHostDeathTest = StrictHostTest;

TEST_F(StrictHostDeathTest, EndsTheProcessAtAnAccessPastATable) {
  const StrictHost host(real_, {});
  EXPECT_DEATH((void)*reinterpret_cast<const volatile char*>(Ask(host) + 1), "");
  EXPECT_DEATH((void)*reinterpret_cast<const volatile char*>(host.shown() + 1), "");
}

TEST_F(StrictHostDeathTest, EndsTheProcessAtAWrite) {
  const StrictHost host(real_, {});
  EXPECT_DEATH(const_cast<Table*>(Ask(host))->answer = nullptr, "");
  EXPECT_DEATH(const_cast<berth_host*>(host.shown())->impl = nullptr, "");
}

TEST_F(StrictHostDeathTest, EndsTheProcessAtACallOfALaterMember) {
  const StrictHost host(real_, {.later_members = 1});
  const auto* later = reinterpret_cast<int (*const*)()>(Ask(host) + 1);
  EXPECT_DEATH((*later)(), "a function of a later host was called");
}

}  // namespace
}  // namespace berth::validate
