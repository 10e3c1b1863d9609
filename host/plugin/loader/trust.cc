#include "plugin/loader/trust.h"
#include "os/fd/file_descriptor.h"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/text.h"
#include "os/file/path_walker.h"
#include "plugin/loader/file.h"

namespace berth::loader {
namespace {

namespace fs = std::filesystem;

bool IsBelow(const fs::path& file, const std::string& directory) {
  std::error_code error;
  const fs::path root = fs::canonical(directory, error);
  if (error) return false;
  const fs::path relative = file.lexically_relative(root);
  return !relative.empty() && *relative.begin() != "..";
}

std::string Mode(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

bool IsTrusted(uid_t owner) { return owner == 0 || owner == geteuid(); }

// what: "" for the file itself, `the directory "/x" on the way to it ` otherwise.
std::optional<Finding> CheckOwner(const struct stat& status, const std::string& what) {
  if (!IsTrusted(status.st_uid)) {
    return Finding{Rule::kTrusted, what + "belongs to user " + std::to_string(status.st_uid) + " (mode " +
                                       Mode(status.st_mode) + "), neither to root nor to user " +
                                       std::to_string(geteuid()) + ", who runs this program"};
  }
  return std::nullopt;
}

bool OthersMayWrite(const struct stat& status) { return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

Finding MayBeChanged(const struct stat& status, const std::string& what) {
  return {Rule::kTrusted, what + "may be changed by others (owner " + std::to_string(status.st_uid) + ", mode " +
                              Mode(status.st_mode) + ")"};
}

// Processes that share a read-only mount cannot write to it, whatever the modes are: the kubelet mounts ConfigMaps this
// way, with a root directory of mode 0777.
bool IsReadOnly(const std::string& directory) {
  struct statvfs status;
  return statvfs(directory.c_str(), &status) == 0 && (status.f_flag & ST_RDONLY) != 0;
}

// Checks each directory before it looks up a name in it: a user who can write there can replace the entry. In a sticky
// directory only the owner of the entry, and of the directory, can.
class DirectoryCheck final : public os::PathListener {
 public:
  // last_too: no exception for the last directory of the path.
  explicit DirectoryCheck(bool last_too) : last_too_(last_too) {}
  void Passes(const std::string& directory, const std::string& name, bool last) override {
    if (!wrong_) wrong_ = Check(directory, name, last);
  }
  std::optional<Finding> TakeWrong() { return std::move(wrong_); }

 private:
  std::optional<Finding> Check(const std::string& directory, const std::string& name, bool last) const {
    const std::string what = "the directory " + base::Quoted(directory) + " on the way to it ";
    struct stat status, next;
    if (lstat(directory.c_str(), &status) != 0) return Finding{Rule::kTrusted, what + os::SystemText("is gone", errno)};
    if (auto wrong = CheckOwner(status, what)) return wrong;
    if (!OthersMayWrite(status)) return std::nullopt;
    if (IsReadOnly(directory) && !(last && last_too_)) return std::nullopt;
    if ((status.st_mode & S_ISVTX) == 0) return MayBeChanged(status, what);
    if (lstat((directory + "/" + name).c_str(), &next) != 0) {
      // The file is open, and its check uses the descriptor, not the name.
      return last ? std::nullopt
                  : std::optional(Finding{Rule::kTrusted, what + os::SystemText("leads nowhere", errno)});
    }
    if (IsTrusted(next.st_uid)) return std::nullopt;
    return Finding{Rule::kTrusted, what + "may be written to by others (owner " + std::to_string(status.st_uid) +
                                       ", mode " + Mode(status.st_mode) + "), and " + base::Quoted(name) +
                                       " in it belongs to user " + std::to_string(next.st_uid)};
  }

  const bool last_too_;
  std::optional<Finding> wrong_;
};

std::optional<Finding> CheckDirectories(const fs::path& path, bool last_too) {
  DirectoryCheck check(last_too);
  os::WalkPath(path.string(), &check);
  return check.TakeWrong();
}

}  // namespace

std::optional<Finding> CheckTrust(int fd, const std::string& path, const TrustRules& rules) {
  std::error_code error;
  const fs::path real = fs::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
  if (error) return Finding{Rule::kTrusted, "cannot be traced to its real path: " + error.message()};
  if (!rules.allowed_directories.empty()) {
    bool below = false;
    for (const std::string& directory : rules.allowed_directories) below = below || IsBelow(real, directory);
    if (!below) {
      return Finding{Rule::kTrusted, "is really " + real.string() + ", which is below no allowed directory (" +
                                         base::Join(rules.allowed_directories, ", ") + ")"};
    }
  }
  if (!rules.check_owner) return std::nullopt;
  struct stat file;
  if (fstat(fd, &file) != 0) return Finding{Rule::kTrusted, "has an owner that cannot be found out"};
  if (auto wrong = CheckOwner(file, "")) return wrong;
  if (OthersMayWrite(file)) return MayBeChanged(file, "");
  if (auto wrong = CheckDirectories(real, true)) return wrong;
  const fs::path given = fs::absolute(path, error);
  if (error) return Finding{Rule::kTrusted, "has a path that cannot be followed: " + error.message()};
  return CheckDirectories(given, false);
}

std::optional<Finding> CheckSignature(const std::string& path, std::span<const std::byte> bytes,
                                      const TrustRules& rules) {
  if (rules.signature_keys.empty()) return std::nullopt;
  const tl::expected<PluginFile, Finding> file = ReadPluginFile(path + ".sig", rules);
  if (!file) return Finding{Rule::kSignature, "needs a signature, and " + path + ".sig " + file.error().text};
  if (file->bytes.size() != crypto::kEd25519SignatureSize) {
    return Finding{Rule::kSignature, "needs a signature, and " + path + ".sig has " +
                                         std::to_string(file->bytes.size()) + " bytes, where one of ed25519 has 64"};
  }
  const bool signed_by_one =
      std::any_of(rules.signature_keys.begin(), rules.signature_keys.end(),
                  [&](const crypto::Ed25519Key& key) { return crypto::VerifiesEd25519(key, bytes, file->bytes); });
  if (signed_by_one) return std::nullopt;
  return Finding{Rule::kSignature, "is not what " + path + ".sig signs, by none of the " +
                                       std::to_string(rules.signature_keys.size()) + " keys of the configuration"};
}

}  // namespace berth::loader
