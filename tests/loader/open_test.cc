// Opening good libraries: their facts, and when the process maps code again.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "os/crypto/digest.h"
#include "os/fd/file_descriptor.h"
#include "plugin/loader/elf.h"
#include "plugin/loader/loader.h"
#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"
#include "zoo.h"

namespace berth::loader {
namespace {

using testing::ElementsAre;
using zoo::PrivateFolder;
using zoo::ReadBytes;
using zoo::ZooFile;

TEST(Open, ReturnsAllFactsOfAGoodLibrary) {
  Loader loader;
  const auto opened = loader.Open(ZooFile("good"));
  ASSERT_TRUE(opened) << opened.error().message;
  const Library& library = **opened;
  EXPECT_EQ(library.path(), ZooFile("good"));
  EXPECT_EQ(library.sha256(), crypto::Sha256Hex(ReadBytes(ZooFile("good"))));
  EXPECT_EQ(library.build_id().size(), 40u);
  EXPECT_EQ(library.version(), "1.0.0");
  EXPECT_EQ(library.note().sdk, "c/1.0");
  EXPECT_GE(library.generation(), 1u);
  EXPECT_NE(library.mapping().base, nullptr);
  EXPECT_THAT(library.findings(), testing::IsEmpty());
  EXPECT_THAT(library.PluginNames(), ElementsAre("Good"));
  EXPECT_THAT(library.PointsOf("Good"), ElementsAre("filter"));
  EXPECT_TRUE(library.PointsOf("Bad").empty());
  ASSERT_NE(library.Describe("Good"), nullptr);
  EXPECT_STREQ(library.Describe("Good")->vendor, "tests");
  EXPECT_EQ(library.Describe("Bad"), nullptr);
  EXPECT_EQ(library.entry()->count(), 1u);
}

TEST(Open, LogsTheLibrary) {
  ASSERT_TRUE(log::Init({.verbosity = 2}));
  log::Capture capture;
  Loader loader;
  const auto library = loader.Open(ZooFile("good"));
  ASSERT_TRUE(library);
  ASSERT_EQ(capture.Messages().size(), 1u);
  EXPECT_EQ(capture.Messages()[0], "\"Opened plugin library\" library=\"" + ZooFile("good") +
                                       "\" plugins=[\"Good\"] version=\"1.0.0\" sha256=\"" + (*library)->sha256() +
                                       "\" buildID=\"" + (*library)->build_id() +
                                       "\" generation=" + std::to_string((*library)->generation()));
  ASSERT_TRUE(log::Init({}));
}

TEST(Open, EqualBytesAreMappedOnceWhateverTheirPath) {
  PrivateFolder folder;
  Loader loader, other;
  const auto first = loader.Open(ZooFile("duplicate_a"));
  ASSERT_TRUE(first) << first.error().message;
  const size_t mapped = Mappings().size(), open = zoo::OpenDescriptors();
  const std::string copy = folder.Copy("duplicate_a", "renamed.so");
  for (Loader* one : {&loader, &other}) {
    const auto again = one->Open(copy);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ((*again)->path(), copy);
    EXPECT_EQ((*again)->generation(), (*first)->generation());
    EXPECT_EQ((*again)->entry(), (*first)->entry());
  }
  EXPECT_EQ(Mappings().size(), mapped);
  EXPECT_EQ(zoo::OpenDescriptors(), open);
}

// The dynamic linker identifies libraries by path and inode, and would return the old code.
TEST(Open, ANewFileUnderTheOldNameIsANewGeneration) {
  PrivateFolder folder;
  Loader loader;
  const std::string path = folder.Copy("duplicate_a", "swapped.so");
  const auto old_one = loader.Open(path);
  ASSERT_TRUE(old_one) << old_one.error().message;
  std::filesystem::rename(folder.Copy("duplicate_b", "new.tmp"), path);
  const auto new_one = loader.Open(path);
  ASSERT_TRUE(new_one) << new_one.error().message;
  EXPECT_EQ((*old_one)->version(), "1.0.0");
  EXPECT_EQ((*new_one)->version(), "2.0.0");
  EXPECT_NE((*old_one)->mapping().base, (*new_one)->mapping().base);
  EXPECT_NE((*old_one)->generation(), (*new_one)->generation());
}

// Overwriting a mapped file in place causes a SIGBUS at the next access to its code.
TEST(Open, OverwritingTheFileDoesNotTouchTheMappedCode) {
  PrivateFolder folder;
  Loader loader;
  const std::string path = folder.Copy("good", "overwritten.so");
  const auto library = loader.Open(path);
  ASSERT_TRUE(library) << library.error().message;
  zoo::WriteText(path, "x");
  EXPECT_EQ((*library)->entry()->count(), 1u);
  EXPECT_STREQ((*library)->entry()->describe(0)->name, "Good");
}

TEST(Open, PinnedDigests) {
  Loader loader;
  const std::string right = crypto::Sha256Hex(ReadBytes(ZooFile("good")));
  const std::string wrong(64, 'a');
  EXPECT_TRUE(loader.Open(ZooFile("good"), right));
  const auto refused = loader.Open(ZooFile("good"), wrong);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, ZooFile("good") + ": BP-4: has the SHA-256 " + right + ", pinned is " + wrong);
  Loader strict({.trust = {.require_digest = true}});
  EXPECT_TRUE(strict.Open(ZooFile("good"), right));
  const auto unpinned = strict.Open(ZooFile("good"));
  ASSERT_FALSE(unpinned);
  EXPECT_EQ(unpinned.error().message,
            ZooFile("good") + ": BP-4: is not pinned by its SHA-256 (" + right + "), which the configuration requires");
}

TEST(Open, OnlyFromAllowedDirectories) {
  PrivateFolder folder, elsewhere;
  Loader loader({.trust = {.allowed_directories = {folder.path()}}});
  const std::string inside = folder.Copy("good", "good.so");
  EXPECT_TRUE(loader.Open(inside));
  const std::string outside = elsewhere.Copy("good", "good.so");
  std::filesystem::create_symlink(outside, folder.File("link.so"));
  for (const std::string& path : {outside, folder.File("link.so")}) {
    const auto refused = loader.Open(path);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, path + ": BP-2: is really " + std::filesystem::canonical(outside).string() +
                                           ", which is below no allowed directory (" + folder.path() + ")");
  }
}

// The number of a descriptor is part of the path that the dynamic linker gets. When a descriptor is closed while its
// library is mapped, the linker returns the old code for the next file with that number. The test does that.
TEST(Open, DetectsThatTheDynamicLinkerReturnsOtherCode) {
  const int fd = memfd_create("stale", 0);
  const auto bytes = ReadBytes(ZooFile("good"));
  ASSERT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ASSERT_NE(dlopen(("/proc/self/fd/" + std::to_string(fd)).c_str(), RTLD_NOW | RTLD_LOCAL), nullptr);
  close(fd);
  PrivateFolder folder;
  const std::string path = folder.Copy("calls_exit", "other.so");
  // Other bytes after the end of the image: a library that is new to this process.
  std::ofstream(path, std::ios::app) << "tail";
  os::FileDescriptor low[8];  // occupies lower descriptors, so the loader gets the number of the stale one
  for (os::FileDescriptor& one : low) {
    one = os::FileDescriptor(dup(0));
    if (one.get() >= fd) {
      one = os::FileDescriptor();
      break;
    }
  }
  Loader loader;
  const auto refused = loader.Open(path);
  ASSERT_FALSE(refused);
  const std::string expected = ReadElf(ReadBytes(path))->build_id, mapped = ReadElf(bytes)->build_id;
  EXPECT_EQ(refused.error().message,
            path + ": BP-41: has build id " + expected + ", but what the dynamic linker mapped has " + mapped);
  const auto again = loader.Open(path);  // the number stays in use
  EXPECT_TRUE(again) << again.error().message;
}

TEST(Open, ListsRetainedLibrariesAfterTheirLastUse) {
  PrivateFolder folder;
  Loader loader;
  const std::string path = folder.Copy("duplicate_b", "retained.so");
  {
    const auto library = loader.Open(path);
    ASSERT_TRUE(library) << library.error().message;
    ASSERT_EQ(loader.Retained().size(), 1u);
    EXPECT_TRUE(loader.Retained()[0].in_use);
    EXPECT_EQ(loader.Retained()[0].sha256, (*library)->sha256());
    EXPECT_EQ(loader.Retained()[0].bytes, std::filesystem::file_size(path));
  }
  ASSERT_EQ(loader.Retained().size(), 1u);
  EXPECT_FALSE(loader.Retained()[0].in_use);
}

TEST(Open, ManyThreadsGetTheSameCode) {
  Loader loader;
  const std::vector<std::string> names = {"good", "duplicate_a", "duplicate_b", "calls_exit", "entry_null", "not_elf"};
  std::vector<std::vector<const berth_entry*>> seen(4, std::vector<const berth_entry*>(names.size()));
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&] {
      for (size_t i = 0; i < names.size(); ++i) {
        const auto library = loader.Open(ZooFile(names[i]));
        mine[i] = library ? (*library)->entry() : nullptr;
        (void)loader.Retained();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
  EXPECT_NE(seen[0][0], nullptr);
  EXPECT_EQ(seen[0][4], nullptr);
}

}  // namespace
}  // namespace berth::loader
