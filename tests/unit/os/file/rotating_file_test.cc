#include "os/file/rotating_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace berth::os {
namespace {

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

}  // namespace
}  // namespace berth::os
