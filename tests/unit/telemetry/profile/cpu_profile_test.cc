#include "telemetry/profile/cpu_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <thread>

#include "base/thread_name.h"
#include "telemetry/profile/code_symbols.h"

namespace berth::profile {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

struct Decoded {
  std::vector<uint64_t> header;
  uint64_t weight = 0;
  std::map<std::string, uint64_t> by_function;  // the innermost one
  std::string rest;
};

// The legacy format, as go tool pprof reads it.
Decoded Decode(const std::string& profile) {
  Decoded out;
  size_t at = 0;
  const auto word = [&] {
    uint64_t value = 0;
    std::memcpy(&value, profile.data() + at, sizeof value);
    at += sizeof value;
    return value;
  };
  for (int i = 0; i < 5; ++i) out.header.push_back(word());
  Symbols symbols;
  while (at + 3 * sizeof(uint64_t) <= profile.size()) {
    const uint64_t weight = word(), frames = word();
    std::vector<uint64_t> stack;
    for (uint64_t i = 0; i < frames; ++i) stack.push_back(word());
    if (weight == 0) break;
    out.weight += weight;
    out.by_function[symbols.NameOf(stack.at(0))] += weight;
  }
  out.rest = profile.substr(at);
  return out;
}

bool g_spinning = false;

// It calls no function, not even one of std::atomic, which would have samples of its own.
__attribute__((noinline)) void BurnCpuTime() {
  while (__atomic_load_n(&g_spinning, __ATOMIC_RELAXED)) {
  }
}

// A thread that uses CPU time for as long as the object lives.
struct Burner {
  Burner() {
    __atomic_store_n(&g_spinning, true, __ATOMIC_RELAXED);
    thread = std::thread(BurnCpuTime);
  }
  ~Burner() {
    __atomic_store_n(&g_spinning, false, __ATOMIC_RELAXED);
    thread.join();
  }
  std::chrono::nanoseconds CpuTime() {
    clockid_t clock;
    timespec used{};
    if (pthread_getcpuclockid(thread.native_handle(), &clock) == 0) clock_gettime(clock, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  }
  std::thread thread;
};

TEST(CpuProfile, FindsTheFunctionThatUsesTheTime) {
  Burner burner;
  // On a busy machine the thread gets little time, so the profile lasts as long as the thread needs for thirty samples.
  std::stop_source enough;
  const std::jthread watching([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && burner.CpuTime() < milliseconds(300))
      std::this_thread::sleep_for(milliseconds(20));
    enough.request_stop();
  });
  const auto profile = TakeCpuProfile(std::chrono::minutes(2), enough.get_token());
  ASSERT_TRUE(profile) << profile.error().message;
  const Decoded decoded = Decode(*profile);
  EXPECT_THAT(decoded.header, testing::ElementsAre(0, 3, 0, 10'000, 0));
  EXPECT_GE(decoded.weight, 3u);
  EXPECT_LE(decoded.weight, 80u);
  uint64_t burning = 0;
  for (const auto& [name, weight] : decoded.by_function) {
    if (name.find("BurnCpuTime") != std::string::npos) burning += weight;
  }
  EXPECT_GE(2 * burning, decoded.weight) << testing::PrintToString(decoded.by_function);
  EXPECT_THAT(decoded.rest, HasSubstr("unit_telemetry_profile"));
}

TEST(CpuProfile, SleepingThreadsAreNotSampled) {
  const auto profile = TakeCpuProfile(milliseconds(100), {});
  ASSERT_TRUE(profile);
  EXPECT_LE(Decode(*profile).weight, 5u);
}

TEST(CpuProfile, OneIsTakenAtATime) {
  std::stop_source stop;
  base::Result<std::string> first = base::Fail("not taken");
  std::thread taking([&] {
    while (!first) first = TakeCpuProfile(std::chrono::minutes(5), stop.get_token());
  });
  base::Result<std::string> second;
  do {  // until the first one has begun
    second = TakeCpuProfile(milliseconds(1), {});
  } while (second);
  EXPECT_EQ(second.error().message, "cpu profiling already in use");
  stop.request_stop();
  taking.join();
  EXPECT_TRUE(first) << "a profile that is stopped has the samples so far";
}

TEST(CpuProfile, SystemCallsThatCanBeRestartedAreNotInterrupted) {
  int fds[2];
  ASSERT_EQ(pipe(fds), 0);
  ssize_t got = 0;
  int failed = 0;
  std::thread reader([&] {
    // The thread uses CPU time before each call, so that a signal may arrive at its start.
    for (int i = 0; i < 200; ++i) {
      volatile int turns = 0;
      while (turns < 100'000) {
        const int next = turns + 1;
        turns = next;
      }
      char byte;
      const ssize_t n = read(fds[0], &byte, 1);
      n == 1 ? ++got : ++failed;
    }
  });
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i) {
      if (write(fds[1], "x", 1) != 1) break;
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  });
  EXPECT_TRUE(TakeCpuProfile(milliseconds(300), {}));
  reader.join();
  writer.join();
  EXPECT_EQ(got, 200);
  EXPECT_EQ(failed, 0);
  close(fds[0]);
  close(fds[1]);
}

}  // namespace
}  // namespace berth::profile
