#include "os/file/rotating_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace berth::os {
namespace {

// Lowers a limit of the process, also for root, as long as it lives.
class LowLimit {
 public:
  LowLimit(__rlimit_resource resource, rlim_t limit) : resource_(resource) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(resource_, &before_);
    const rlimit low{limit, before_.rlim_max};
    setrlimit(resource_, &low);
  }
  ~LowLimit() { setrlimit(resource_, &before_); }
  LowLimit(const LowLimit&) = delete;

 private:
  __rlimit_resource resource_;
  rlimit before_{};
};

class RotatingFileTest : public testing::Test {
 protected:
  RotatingFileTest() { std::filesystem::create_directory(directory_); }
  ~RotatingFileTest() override { std::filesystem::remove_all(directory_); }

  static std::string ContentOf(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return file ? text.str() : "no file";
  }
  // Appends each line to a file that is opened once.
  void Append(const std::vector<std::string>& lines, size_t max_bytes, int files) {
    auto file = RotatingFile::Open(path_, max_bytes, files);
    ASSERT_TRUE(file) << file.error().message;
    for (const std::string& line : lines) ASSERT_TRUE(file->Append(line + "\n"));
  }

  const std::string directory_ = testing::TempDir() + "/rotating-" + std::to_string(getpid());
  const std::string path_ = directory_ + "/log";
};

TEST_F(RotatingFileTest, KeepsTheLastFiles) {
  Append({"1111", "2222", "3333", "4444"}, 5, 3);
  EXPECT_EQ(ContentOf(path_), "4444\n");
  EXPECT_EQ(ContentOf(path_ + ".1"), "3333\n");
  EXPECT_EQ(ContentOf(path_ + ".2"), "2222\n");
  EXPECT_EQ(ContentOf(path_ + ".3"), "no file");
}

TEST_F(RotatingFileTest, ContinuesAFile) {
  Append({"a"}, 100, 2);
  Append({"b"}, 100, 2);
  EXPECT_EQ(ContentOf(path_), "a\nb\n");
  Append({"c"}, 5, 2);
  EXPECT_EQ(ContentOf(path_), "c\n");
  EXPECT_EQ(ContentOf(path_ + ".1"), "a\nb\n");
}

TEST_F(RotatingFileTest, OneFileStartsAgain) {
  Append({"aaaa", "bbbb"}, 5, 1);
  EXPECT_EQ(ContentOf(path_), "bbbb\n");
  EXPECT_EQ(ContentOf(path_ + ".1"), "no file");
}

TEST_F(RotatingFileTest, ALineAboveTheLimitIsWrittenWhole) {
  Append({std::string(50, 'x')}, 10, 2);
  EXPECT_EQ(ContentOf(path_), std::string(50, 'x') + "\n");
}

TEST_F(RotatingFileTest, OthersCannotReadIt) {
  Append({"a"}, 10, 2);
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0077, 0u);
}

TEST_F(RotatingFileTest, ErrorsNameTheFile) {
  const auto file = RotatingFile::Open(directory_ + "/none/log", 10, 2);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, directory_ + "/none/log: No such file or directory");
}

TEST_F(RotatingFileTest, ARotationThatCannotOpenAFileLosesNoOldFile) {
  auto file = RotatingFile::Open(path_, 5, 3);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->Append("1111\n"));
  ASSERT_TRUE(file->Append("2222\n"));
  {
    const LowLimit no_descriptor(RLIMIT_NOFILE, 0);
    for (int i = 0; i < 3; ++i) {
      const auto appended = file->Append("lost\n");
      ASSERT_FALSE(appended);
      EXPECT_EQ(appended.error().message, path_ + ": Too many open files");
    }
  }
  ASSERT_TRUE(file->Append("3333\n"));
  EXPECT_EQ(ContentOf(path_), "3333\n");
  EXPECT_EQ(ContentOf(path_ + ".1"), "2222\n");
  EXPECT_EQ(ContentOf(path_ + ".2"), "1111\n");
}

TEST_F(RotatingFileTest, OldFilesMoveOnlyAsFarAsTheFirstFreeName) {
  Append({"1111", "2222", "3333"}, 5, 4);
  std::filesystem::remove(path_ + ".1");
  Append({"4444"}, 5, 4);
  EXPECT_EQ(ContentOf(path_ + ".1"), "3333\n");
  EXPECT_EQ(ContentOf(path_ + ".2"), "1111\n");
  EXPECT_EQ(ContentOf(path_ + ".3"), "no file");
}

TEST_F(RotatingFileTest, AWriteThatFailsLeavesNoPartOfALine) {
  auto file = RotatingFile::Open(path_, 100, 2);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->Append("aaaa\n"));
  {
    const LowLimit full(RLIMIT_FSIZE, 12);
    const auto appended = file->Append("bbbb\ncccccccc\n");
    ASSERT_FALSE(appended);
    EXPECT_EQ(appended.error().message, path_ + ": File too large");
    EXPECT_EQ(ContentOf(path_), "aaaa\n");
  }
  ASSERT_TRUE(file->Append("dddd\n"));
  EXPECT_EQ(ContentOf(path_), "aaaa\ndddd\n");
}

TEST_F(RotatingFileTest, RemovesAPartOfALineWhenItOpensAFile) {
  std::ofstream(path_) << "aaaa\n" << std::string(10000, 'b');
  Append({"c"}, 100000, 2);
  EXPECT_EQ(ContentOf(path_), "aaaa\nc\n");
  std::ofstream(path_) << "bbb";
  Append({"c"}, 100, 2);
  EXPECT_EQ(ContentOf(path_), "c\n");
}

TEST_F(RotatingFileTest, NeverRenamesALinkOrADevice) {
  std::filesystem::create_symlink("target", path_);  // as /dev/stdout, if the output goes to a file
  Append({"aaaa", "bbbb"}, 5, 2);
  EXPECT_EQ(ContentOf(directory_ + "/target"), "aaaa\nbbbb\n");
  std::filesystem::remove(path_);
  std::filesystem::create_symlink("/dev/null", path_);
  Append({"aaaa", "bbbb"}, 5, 2);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(ContentOf(path_ + ".1"), "no file");
}

TEST_F(RotatingFileTest, ALinkKeepsWhatOthersWrite) {
  std::ofstream(directory_ + "/target") << "partial";
  std::filesystem::create_symlink("target", path_);
  auto file = RotatingFile::Open(path_, 100, 2);
  ASSERT_TRUE(file);
  std::ofstream(directory_ + "/target", std::ios::app) << " line\n";
  {
    const LowLimit full(RLIMIT_FSIZE, 15);
    EXPECT_FALSE(file->Append("cccccccc\n"));
  }
  EXPECT_EQ(ContentOf(directory_ + "/target"), "partial line\ncc");
}

TEST_F(RotatingFileTest, WritesToAFifoThatHasAReader) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const FileDescriptor reader(open(path_.c_str(), O_RDONLY | O_NONBLOCK));
  Append({"aaaa", "bbbb"}, 5, 2);
  char text[20];
  EXPECT_EQ(read(reader.get(), text, sizeof text), 10);
  EXPECT_EQ(ContentOf(path_ + ".1"), "no file");
}

TEST_F(RotatingFileTest, AFifoWithoutAReaderIsAnError) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const auto file = RotatingFile::Open(path_, 10, 2);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, path_ + ": no process reads this FIFO");
}

}  // namespace
}  // namespace berth::os
