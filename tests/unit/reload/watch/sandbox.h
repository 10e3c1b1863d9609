// The common parts of the tests of host/reload/coordinator: a temporary folder, and the ways in which its files change.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "os/crypto/digest.h"

namespace berth::reload {

inline std::string Sha256(const std::string& text) { return crypto::Sha256Hex(std::as_bytes(std::span(text))); }

class Sandbox : public testing::Test {
 protected:
  Sandbox() {
    std::string pattern = std::filesystem::canonical(testing::TempDir()).string() + "/berth_swap_XXXXXX";
    root_ = mkdtemp(pattern.data());
  }
  ~Sandbox() override { std::filesystem::remove_all(root_); }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  std::string MakeDirectory(const std::string& name) const {
    std::filesystem::create_directories(Path(name));
    return Path(name);
  }
  // Writes in place.
  std::string Write(const std::string& name, const std::string& text) const {
    const std::string path = Path(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::trunc) << text;
    return path;
  }
  // Writes a new file and renames it, as careful programs do.
  void WriteAndRename(const std::string& name, const std::string& text) const {
    std::filesystem::rename(Write(name + ".tmp", text), Path(name));
  }
  // Like `ln -sfn`, but atomic.
  void Link(const std::string& target, const std::string& name) const {
    std::filesystem::create_symlink(target, Path(name + ".link"));
    std::filesystem::rename(Path(name + ".link"), Path(name));
  }
  // Updates a volume as kubelet does: a new directory with the files, a rename of the link ..data, the old one removed.
  // The first call makes the link name -> ..data/name.
  void Project(const std::string& volume, const std::string& version, const std::string& name,
               const std::string& text) const {
    Write(volume + "/" + version + "/" + name, text);
    std::error_code none;
    const std::filesystem::path old = std::filesystem::read_symlink(Path(volume + "/..data"), none);
    std::filesystem::create_symlink(version, Path(volume + "/..data_tmp"));
    std::filesystem::rename(Path(volume + "/..data_tmp"), Path(volume + "/..data"));
    if (!old.empty()) std::filesystem::remove_all(Path(volume + "/" + old.string()));
    if (!std::filesystem::is_symlink(Path(volume + "/" + name))) {
      std::filesystem::create_symlink("..data/" + name, Path(volume + "/" + name));
    }
  }

  std::string root_;
};

}  // namespace berth::reload
