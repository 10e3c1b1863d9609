// For tests that use the broken plugins: their paths, private folders for copies, and open descriptors.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace berth::zoo {

// ZooFile("good"): the path of good.so.
inline std::string ZooFile(const std::string& name) {
  return std::string(BERTH_TEST_BUILD_DIR) + "/tests/broken_plugins/" + name + ".so";
}

inline std::vector<std::byte> ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

inline void WriteText(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  ASSERT_TRUE(file) << path;
}

// An empty folder that only this user may write to. The destructor deletes it and its content.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::string pattern = testing::TempDir() + "berth_zoo_XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~PrivateFolder() { std::filesystem::remove_all(path_); }
  PrivateFolder(const PrivateFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  // Copies a library of the zoo into this folder and returns the new path.
  std::string Copy(const std::string& zoo_name, const std::string& name) const {
    std::filesystem::copy_file(ZooFile(zoo_name), File(name), std::filesystem::copy_options::overwrite_existing);
    return File(name);
  }

 private:
  std::string path_;
};

inline size_t OpenDescriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

}  // namespace berth::zoo
