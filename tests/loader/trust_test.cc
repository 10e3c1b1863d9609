// Which users can replace a library.
#include "plugin/loader/trust.h"
#include "os/fd/file_descriptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "os/subprocess/child_end.h"
#include "plugin/loader/loader.h"
#include "zoo.h"

namespace berth::loader {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using zoo::PrivateFolder;

constexpr uid_t kSomebody = 12345;

class TrustTest : public testing::Test {
 protected:
  TrustTest() {
    fs::create_directories(folder_.File("a/b/c"));
    library_ = folder_.Copy("good", "a/b/c/good.so");
  }
  // "": the loader trusts it.
  static std::string WhyNot(const std::string& path) {
    const auto opened = Loader({.trust = {.check_owner = true}}).Open(path);
    return opened ? "" : opened.error().message;
  }
  void SetMode(const std::string& name, mode_t mode) { ASSERT_EQ(chmod(folder_.File(name).c_str(), mode), 0); }
  // false: only root can.
  bool GiveAway(const std::string& name) { return lchown(folder_.File(name).c_str(), kSomebody, kSomebody) == 0; }

  // The result of ask() in a process that sees this directory mounted read-only.
  template <class Ask>
  std::string OnReadOnlyMount(const std::string& name, Ask ask) {
    auto pipe = os::MakePipe();
    const pid_t child = fork();
    if (child == 0) {
      const std::string answer = MountReadOnly(folder_.File(name)) ? ask() : kNoMount;
      _exit(write(pipe->writer.get(), answer.data(), answer.size()) == static_cast<ssize_t>(answer.size()) ? 0 : 1);
    }
    pipe->writer = os::FileDescriptor();
    char answer[2000];
    const ssize_t n = read(pipe->reader.get(), answer, sizeof answer);
    EXPECT_EQ(os::Reap(child).Text(), "ended with exit code 0");
    return std::string(answer, n > 0 ? static_cast<size_t>(n) : 0);
  }
  static bool MountReadOnly(const std::string& directory) {
    return unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) == 0 &&
           mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount(directory.c_str(), directory.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
           mount(nullptr, directory.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }
  static constexpr const char* kNoMount = "nothing can be mounted here";

  PrivateFolder folder_;
  std::string library_;
};

TEST_F(TrustTest, PrivateDirectoriesBelowAStickyOneAreTrusted) { EXPECT_EQ(WhyNot(library_), ""); }

TEST_F(TrustTest, AnAncestorThatOthersMayWriteToIsNot) {
  SetMode("a", 0777);
  EXPECT_EQ(WhyNot(library_), library_ + ": BP-2: the directory \"" + folder_.File("a") +
                                  "\" on the way to it may be changed by others (owner " + std::to_string(geteuid()) +
                                  ", mode 0777)");
  SetMode("a", 0775);
  EXPECT_THAT(WhyNot(library_), HasSubstr("mode 0775"));
  SetMode("a", 0755);
  EXPECT_EQ(WhyNot(library_), "");
}

TEST_F(TrustTest, TheFileAndItsDirectoryAreCheckedStill) {
  SetMode("a/b/c", 0777);
  EXPECT_THAT(WhyNot(library_), HasSubstr("\"" + folder_.File("a/b/c") + "\" on the way to it may be changed"));
  SetMode("a/b/c", 0755);
  SetMode("a/b/c/good.so", 0666);
  EXPECT_THAT(WhyNot(library_), HasSubstr("BP-2: may be changed by others (owner "));
}

TEST_F(TrustTest, AnAncestorOfSomebodyElseIsNot) {
  if (!GiveAway("a")) GTEST_SKIP() << "only root can give files away";
  EXPECT_EQ(WhyNot(library_),
            library_ + ": BP-2: the directory \"" + folder_.File("a") +
                "\" on the way to it belongs to user 12345 (mode 0755), neither to root nor to user " +
                std::to_string(geteuid()) + ", who runs this program");
}

TEST_F(TrustTest, AStickyDirectoryIsTrustedWhereTheNextOneIs) {
  SetMode("a", 01777);
  EXPECT_EQ(WhyNot(library_), "");
  if (!GiveAway("a/b")) GTEST_SKIP() << "only root can give files away";
  EXPECT_THAT(WhyNot(library_),
              HasSubstr("the directory \"" + folder_.File("a") +
                        "\" on the way to it may be written to by "
                        "others (owner " +
                        std::to_string(geteuid()) + ", mode 1777), and \"b\" in it belongs to user 12345"));
}

// Somebody can change the link later.
TEST_F(TrustTest, ThePathThroughLinksIsCheckedToo) {
  fs::create_directories(folder_.File("links"));
  fs::create_directory_symlink(folder_.File("a"), folder_.File("links/to_a"));
  const std::string path = folder_.File("links/to_a/b/c/good.so");
  EXPECT_EQ(WhyNot(path), "");
  SetMode("links", 0777);
  EXPECT_THAT(WhyNot(path), HasSubstr("\"" + folder_.File("links") + "\" on the way to it may be changed by others"));
  EXPECT_EQ(WhyNot(library_), "");
  SetMode("links", 01777);
  EXPECT_EQ(WhyNot(path), "");
  if (!GiveAway("links/to_a")) GTEST_SKIP() << "only root can give files away";
  EXPECT_THAT(WhyNot(path), HasSubstr("and \"to_a\" in it belongs to user 12345"));
}

TEST_F(TrustTest, TheTargetOfALinkIsCheckedToo) {
  const std::string path = folder_.File("link.so");
  fs::create_symlink("a/b/c/good.so", path);
  EXPECT_EQ(WhyNot(path), "");
  SetMode("a/b", 0777);
  EXPECT_THAT(WhyNot(path), HasSubstr("\"" + folder_.File("a/b") + "\" on the way to it may be changed by others"));
}

// Like the kubelet's mount of a ConfigMap: its root has mode 0777, and the file's directory is below it.
TEST_F(TrustTest, AReadOnlyMountMayHaveAnyMode) {
  SetMode("a", 0777);
  EXPECT_NE(WhyNot(library_), "");
  const std::string why_not = OnReadOnlyMount("a", [&] { return WhyNot(library_); });
  if (why_not == kNoMount) GTEST_SKIP() << why_not;
  EXPECT_EQ(why_not, "");
}

TEST_F(TrustTest, TheDirectoryOfTheFileIsCheckedOnAReadOnlyMountToo) {
  SetMode("a/b/c", 0777);
  const std::string why_not = OnReadOnlyMount("a", [&] { return WhyNot(library_); });
  if (why_not == kNoMount) GTEST_SKIP() << why_not;
  EXPECT_THAT(why_not, HasSubstr("a/b/c"));
}

TEST_F(TrustTest, NothingIsCheckedByDefault) {
  SetMode("a", 0777);
  EXPECT_TRUE(Loader().Open(library_));
}

}  // namespace
}  // namespace berth::loader
