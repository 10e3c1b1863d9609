// Digests of libraries that are not loaded any more, because of their faults, in a file that outlives the process: a
// line for each, "SHA256 UNIX-SECONDS PROFILE PLUGIN [BACK-OFF] REASON", where "*" stands for all profiles and plugins.
// An operator ends the effect of an entry with another version of the library, with `berthctl plugin pardon`, or by
// deleting the file. For several questions about the same moment, call ActiveEntries once.
//
// An entry with a backoff is active for a time: 10 minutes at first, twice as long with each repeat, 24 hours at
// most. BACK-OFF is "retry=UNIX-SECONDS/N" until then, and "tried=UNIX-SECONDS/N" afterwards, when the line only
// records the number of backoffs (N); 24 hours later it no longer counts. Lines without a backoff are active forever.
//
// A writer locks the file (flock) and replaces it, so that several processes can write and no process reads half of it.
// Thread: any. Ownership: a value that knows a path.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::quarantine {

inline constexpr int64_t kFirstBackOffSeconds = 10 * 60;
inline constexpr int64_t kLongestBackOffSeconds = 24 * 60 * 60;
// A repeat that comes later than this after the end of a backoff counts as the first.
inline constexpr int64_t kForgottenAfterSeconds = 24 * 60 * 60;

struct BackOff {
  int64_t until_unix_seconds = 0;
  int32_t times = 1;   // that it was quarantined
  bool tried = false;  // it is over, whatever the clock shows
};
// The n-th one's length; n counts from 1.
int64_t BackOffSeconds(int32_t n);

struct QuarantineEntry {
  std::string sha256;  // 64 lower-case hex digits
  int64_t unix_seconds = 0;
  std::string profile, plugin;      // "*": all
  std::string reason;               // one line
  std::optional<BackOff> back_off;  // nullopt: forever

  bool IsActive(int64_t now_unix_seconds) const {
    return !back_off || (!back_off->tried && now_unix_seconds < back_off->until_unix_seconds);
  }
};

// Why this plugin of this profile must not be created from that library; nullopt: it may. All entries count: see
// ActiveEntries.
std::optional<std::string> WhyAmong(const std::vector<QuarantineEntry>& entries, std::string_view sha256,
                                    std::string_view plugin, std::string_view profile);

class Quarantine {
 public:
  explicit Quarantine(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }

  // Reads the current file.
  std::vector<QuarantineEntry> Entries() const;
  std::vector<QuarantineEntry> ActiveEntries(int64_t now_unix_seconds) const;
  std::optional<std::string> Why(std::string_view sha256, std::string_view plugin, std::string_view profile,
                                 int64_t now_unix_seconds) const {
    return WhyAmong(ActiveEntries(now_unix_seconds), sha256, plugin, profile);
  }
  // Quarantines forever. A library that is in quarantine forever is not added again. false: the file cannot be written.
  bool Add(const QuarantineEntry& entry) const;
  // From entry.unix_seconds on for a backoff, which is longer when there was one before. Changes nothing for a library
  // that is in quarantine forever. false: the file cannot be written.
  bool AddForATime(QuarantineEntry entry) const;
  // Notes in the file which backoffs are over. How many have ended since this was last done.
  base::Result<size_t> EndBackOffs(int64_t now_unix_seconds) const;
  // When the next one ends; nullopt: there is none.
  std::optional<int64_t> NextEnd() const;
  // All entries of the digest. How many there were; the error says why the file cannot be written.
  base::Result<size_t> Remove(std::string_view sha256) const;

 private:
  std::string path_;  // "": nothing is kept
};

}  // namespace berth::quarantine
