#include "loader/trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/text.h"
#include "loader/file.h"

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

// what: "" for the file itself, `its directory "/x" ` otherwise.
std::optional<Finding> CheckOwner(const struct stat& status, const std::string& what) {
  if (status.st_uid != 0 && status.st_uid != geteuid()) {
    return Finding{Rule::kTrusted, what + "belongs to user " + std::to_string(status.st_uid) +
                                       ", neither to root nor to user " + std::to_string(geteuid()) +
                                       ", who runs this program"};
  }
  const bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !sticky) {
    return Finding{Rule::kTrusted, what + "may be changed by others (mode " + Mode(status.st_mode) + ")"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Finding> CheckTrust(int fd, const TrustRules& rules) {
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
  struct stat file, directory;
  if (fstat(fd, &file) != 0 || stat(real.parent_path().c_str(), &directory) != 0) {
    return Finding{Rule::kTrusted, "has an owner that cannot be found out"};
  }
  if (auto wrong = CheckOwner(file, "")) return wrong;
  return CheckOwner(directory, "its directory " + base::Quoted(real.parent_path().string()) + " ");
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
