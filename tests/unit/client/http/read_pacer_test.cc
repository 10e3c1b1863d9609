#include "client/http/read_pacer.h"

#include <gtest/gtest.h>

namespace berth::http {
namespace {

using std::chrono::milliseconds;

constexpr size_t kRecord = 4096;  // bytes of a TLS record of Go's HTTP/2 server

struct ReadPacerTest : testing::Test {
  ReadPacer pacer;
  ReadPacer::Clock::time_point now = ReadPacer::Clock::now();
  // Reads records, one after the other, for that time.
  void Receive(int records, milliseconds time) {
    for (int i = 1; i <= records; ++i) pacer.OnRead(kRecord, now + time * i / records);
    now += time;
  }
};

TEST_F(ReadPacerTest, IsNotInBulkAtFirst) { EXPECT_FALSE(pacer.bulk()); }

TEST_F(ReadPacerTest, IsInBulkAfterAnIntervalWithManyBytes) {
  Receive(1, milliseconds(1));
  Receive(100, milliseconds(11));
  EXPECT_TRUE(pacer.bulk());
}

TEST_F(ReadPacerTest, IsNotInBulkWithFewBytes) {
  Receive(1, milliseconds(1));
  Receive(600, milliseconds(110));  // 22 MB/s
  EXPECT_FALSE(pacer.bulk());
}

TEST_F(ReadPacerTest, IsNotInBulkAfterALongPauseOfTheServer) {
  Receive(1, milliseconds(1));
  Receive(100, milliseconds(9));
  Receive(1, milliseconds(1000));
  EXPECT_FALSE(pacer.bulk()) << "the bytes are those of a second";
}

TEST_F(ReadPacerTest, LeavesBulkWhenLessArrives) {
  Receive(1, milliseconds(1));
  Receive(100, milliseconds(11));
  ASSERT_TRUE(pacer.bulk());
  Receive(10, milliseconds(11));
  EXPECT_FALSE(pacer.bulk());
}

}  // namespace
}  // namespace berth::http
