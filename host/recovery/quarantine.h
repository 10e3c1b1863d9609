// Digests of libraries that are not loaded any more, because of what they have done, in a file that outlives the
// process: a line for each, "SHA256 UNIX-SECONDS PROFILE PLUGIN REASON", where "*" stands for all profiles and plugins.
// An operator lifts an entry with another version of the library, with `berthctl plugin pardon`, or by deleting the
// file. Whoever asks more than one question of the same moment reads the Entries once.
// Thread: any. Ownership: a value that knows a path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::recovery {

struct QuarantineEntry {
  std::string sha256;  // 64 lower-case hex digits
  int64_t unix_seconds = 0;
  std::string profile, plugin;  // "*": all
  std::string reason;           // one line
};

// Why this plugin of this profile must not be made of that library; nullopt: it may.
std::optional<std::string> WhyAmong(const std::vector<QuarantineEntry>& entries, std::string_view sha256,
                                    std::string_view plugin, std::string_view profile);

class Quarantine {
 public:
  explicit Quarantine(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }

  // As the file is now.
  std::vector<QuarantineEntry> Entries() const;
  std::optional<std::string> Why(std::string_view sha256, std::string_view plugin, std::string_view profile) const {
    return WhyAmong(Entries(), sha256, plugin, profile);
  }
  // An entry that there is already is not made again. false: the file cannot be written.
  bool Add(const QuarantineEntry& entry) const;
  // All entries of the digest. How many there were; the error says why the file cannot be written.
  base::Result<size_t> Remove(std::string_view sha256) const;

 private:
  std::string path_;  // "": nothing is kept
};

}  // namespace berth::recovery
