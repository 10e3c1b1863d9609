#include "base/thread_name.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

namespace berth::base {
namespace {

std::string OwnName() {
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  return name;
}

TEST(ThreadName, KeepsTheFirstFifteenCharacters) {
  std::string name, long_name;
  std::thread([&] {
    NameThread("requests");
    name = OwnName();
    NameThread("reflector-persistentvolumeclaims");
    long_name = OwnName();
  }).join();
  EXPECT_EQ(name, "requests");
  EXPECT_EQ(long_name, "reflector-persi");
}

TEST(ThreadName, StartedThreadsInheritTheNameUntilTheEndOfTheObject) {
  const std::string before = OwnName();
  std::string inside;
  {
    const NameOfStartedThreads name("pool");
    std::thread([&] { inside = OwnName(); }).join();
  }
  EXPECT_EQ(inside, "pool");
  EXPECT_EQ(OwnName(), before);
}

}  // namespace
}  // namespace berth::base
