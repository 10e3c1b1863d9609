#include "client/credentials/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/text.h"
#include "client/credentials/redact.h"

namespace berth::credentials {
namespace {

constexpr size_t kLargestFile = size_t{1} << 20;

// "open /x: no such file or directory"
tl::unexpected<base::Error> SystemFault(const char* what, const std::string& path, int error) {
  return base::Fail(std::string(what) + " " + ShownPath(path) + ": " +
                    base::LowerFirst(std::generic_category().message(error)));
}

base::Result<std::string> ReadToEnd(int fd, const std::string& path) {
  std::string text;
  char piece[8192];
  while (true) {
    const ssize_t n = read(fd, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemFault("read", path, errno);
    if (n == 0) return text;
    text.append(piece, static_cast<size_t>(n));
    if (text.size() > kLargestFile) {
      return base::Fail("read " + ShownPath(path) + ": larger than the " + std::to_string(kLargestFile) +
                        " bytes allowed");
    }
  }
}

// A block "-----BEGIN <...label>-----" with its end line after it.
bool HoldsBlock(const std::string& text, std::string_view label) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kDashes = "-----";
  for (size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
    const size_t name = at + kBegin.size();
    const size_t dashes = text.find(kDashes, name);
    if (dashes == std::string::npos) return false;
    const std::string_view kind = std::string_view(text).substr(name, dashes - name);
    if (!kind.ends_with(label)) continue;
    if (text.find("-----END " + std::string(kind) + "-----", dashes) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

base::Result<std::string> ReadSmallFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return SystemFault("open", path, errno);
  base::Result<std::string> text = ReadToEnd(fd, path);
  close(fd);
  return text;
}

std::string Resolved(const std::string& path, const std::string& folder) {
  if (path.empty() || path[0] == '/') return path;
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

std::string FolderOf(const std::string& path) {
  std::error_code unused;  // without a working directory the path stays as it is
  const std::filesystem::path absolute = std::filesystem::absolute(path, unused);
  return (unused ? std::filesystem::path(path) : absolute).parent_path().lexically_normal().string();
}

bool HoldsPemCertificate(const std::string& text) { return HoldsBlock(text, "CERTIFICATE"); }
bool HoldsPemKey(const std::string& text) { return HoldsBlock(text, "PRIVATE KEY"); }

}  // namespace berth::credentials
