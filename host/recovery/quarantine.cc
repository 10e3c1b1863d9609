#include "recovery/quarantine.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <sstream>

#include "crypto/digest.h"
#include "recovery/place.h"

namespace berth::recovery {
namespace {

bool Applies(const std::string& scope, std::string_view name) { return scope == "*" || scope == name; }

std::string LineOf(const QuarantineEntry& entry) {
  std::string reason = entry.reason;
  std::replace_if(
      reason.begin(), reason.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return entry.sha256 + " " + std::to_string(entry.unix_seconds) + " " + entry.profile + " " + entry.plugin + " " +
         reason + "\n";
}

// nullopt: a line that nobody of us has written.
std::optional<QuarantineEntry> EntryOf(const std::string& line) {
  QuarantineEntry entry;
  std::istringstream words(line);
  if (!(words >> entry.sha256 >> entry.unix_seconds >> entry.profile >> entry.plugin)) return std::nullopt;
  if (!crypto::IsSha256Hex(entry.sha256)) return std::nullopt;
  std::getline(words >> std::ws, entry.reason);
  return entry;
}

std::string Time(int64_t unix_seconds) {
  const time_t time = unix_seconds;
  tm parts;
  char text[32];
  gmtime_r(&time, &parts);
  return {text, strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

bool WriteAll(int fd, const std::string& text) {
  return write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

std::vector<QuarantineEntry> Quarantine::Entries() const {
  std::vector<QuarantineEntry> entries;
  if (path_.empty()) return entries;
  std::istringstream lines(ReadText(path_));
  for (std::string line; std::getline(lines, line);) {
    if (auto entry = EntryOf(line)) entries.push_back(std::move(*entry));
  }
  return entries;
}

std::optional<std::string> WhyAmong(const std::vector<QuarantineEntry>& entries, std::string_view sha256,
                                    std::string_view plugin, std::string_view profile) {
  for (const QuarantineEntry& entry : entries) {
    if (entry.sha256 != sha256 || !Applies(entry.plugin, plugin) || !Applies(entry.profile, profile)) continue;
    return "is in quarantine since " + Time(entry.unix_seconds) + ": " + entry.reason;
  }
  return std::nullopt;
}

bool Quarantine::Add(const QuarantineEntry& entry) const {
  for (const QuarantineEntry& known : Entries()) {
    if (known.sha256 == entry.sha256 && Applies(known.profile, entry.profile) && Applies(known.plugin, entry.plugin))
      return true;
  }
  const int fd = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const bool written = WriteAll(fd, LineOf(entry));
  close(fd);
  return written;
}

// Beside the file and then in its place, so that nobody ever reads half of it.
base::Result<size_t> Quarantine::Remove(std::string_view sha256) const {
  std::string left;
  size_t removed = 0;
  for (const QuarantineEntry& entry : Entries()) {
    if (entry.sha256 == sha256) {
      ++removed;
    } else {
      left += LineOf(entry);
    }
  }
  if (removed == 0) return removed;
  const std::string beside = path_ + ".new";
  const int fd = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written = fd >= 0 && WriteAll(fd, left) && std::rename(beside.c_str(), path_.c_str()) == 0;
  const int error = errno;
  if (fd >= 0) close(fd);
  if (!written) return base::Fail(loader::SystemText(path_, error));
  return removed;
}

}  // namespace berth::recovery
