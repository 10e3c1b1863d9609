// Constructors that end the process: the loader runs them in a child process first.
#include "plugin/loader/rehearsal.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "plugin/loader/loader.h"
#include "zoo.h"

namespace berth::loader {
namespace {

using zoo::ZooFile;

struct Deadly {
  const char* name;
  const char* error;
};
void PrintTo(const Deadly& deadly, std::ostream* out) { *out << deadly.name; }

class RehearsalTest : public testing::TestWithParam<Deadly> {};

TEST_P(RehearsalTest, KeepsTheProcessAlive) {
  const std::string path = ZooFile(GetParam().name);
  Loader loader({.rehearse = RehearseInFork(std::chrono::milliseconds(1500))});
  const size_t open_before = zoo::OpenDescriptors(), mapped_before = Mappings().size();
  const auto library = loader.Open(path);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message, path + ": BP-42: " + GetParam().error);
  EXPECT_EQ(zoo::OpenDescriptors(), open_before);
  EXPECT_EQ(Mappings().size(), mapped_before);
}

INSTANTIATE_TEST_SUITE_P(
    Libraries, RehearsalTest,
    testing::Values(
        Deadly{"throws_when_loaded",
               "a child process that loaded it was ended by signal 6 (Aborted): terminate called after throwing an "
               "instance of 'std::runtime_error'   what():  no luck today"},
        Deadly{"exits_when_loaded", "a child process that loaded it ended with exit code 7: I have had enough."},
        Deadly{"crashes_when_loaded", "a child process that loaded it was ended by signal 11 (Segmentation fault)"},
        Deadly{"sleeps_when_loaded", "was not loaded after 1500 ms in a child process"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Rehearsal, GoodLibrariesPassAndAreMappedOnce) {
  zoo::PrivateFolder folder;
  const std::string path = folder.Copy("good", "rehearsed.so");
  std::ofstream(path, std::ios::app) << "rehearsed";
  Loader loader({.rehearse = RehearseInFork()});
  const size_t open_before = zoo::OpenDescriptors(), mapped_before = Mappings().size();
  const auto library = loader.Open(path);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ((*library)->entry()->count(), 1u);
  EXPECT_EQ(zoo::OpenDescriptors(), open_before + 1);
  EXPECT_EQ(Mappings().size(), mapped_before + 1);
}

// The parent reports what it can find safely.
TEST(Rehearsal, LeavesTheHandshakeToTheLoader) {
  zoo::PrivateFolder folder;
  const std::string path = folder.Copy("entry_throws", "rehearsed.so");
  std::ofstream(path, std::ios::app) << "rehearsed";
  Loader loader({.rehearse = RehearseInFork()});
  const auto library = loader.Open(path);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message, path + ": BP-42: berth_entry_v1(2) threw: no entry today");
}

TEST(Rehearsal, WorksWhenTheProcessIgnoresSIGCHLD) {
  struct sigaction ignore {
  }, before;
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(sigaction(SIGCHLD, &ignore, &before), 0);
  Loader loader({.rehearse = RehearseInFork(std::chrono::milliseconds(1500))});
  const auto library = loader.Open(ZooFile("exits_when_loaded"));
  sigaction(SIGCHLD, &before, nullptr);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message,
            ZooFile("exits_when_loaded") + ": BP-42: a child process that loaded it ended: I have had enough.");
}

// The reason for the rehearsal: no exception may leave dlopen of glibc. What the exception said is lost on AArch64.
TEST(RehearsalDeathTest, WithoutItAThrowingConstructorEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH((void)Loader().Open(ZooFile("throws_when_loaded")), "terminate called");
}

}  // namespace
}  // namespace berth::loader
