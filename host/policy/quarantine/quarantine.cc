#include "policy/quarantine/quarantine.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <sstream>

#include "codec/text/rfc3339.h"
#include "os/crypto/digest.h"
#include "os/file/locked_file.h"

namespace berth::quarantine {
namespace {

constexpr std::string_view kRetry = "retry=", kTried = "tried=";

bool Applies(const std::string& scope, std::string_view name) { return scope == "*" || scope == name; }

bool Covers(const QuarantineEntry& known, const QuarantineEntry& other) {
  return known.sha256 == other.sha256 && Applies(known.profile, other.profile) && Applies(known.plugin, other.plugin);
}

std::string TextOf(const BackOff& back_off) {
  return std::string(back_off.tried ? kTried : kRetry) + std::to_string(back_off.until_unix_seconds) + "/" +
         std::to_string(back_off.times) + " ";
}

// "retry=1700000000/2"; nullopt: the word is no backoff, but part of the reason.
std::optional<BackOff> BackOffOf(std::string_view word) {
  BackOff back_off;
  back_off.tried = word.starts_with(kTried);
  if (!back_off.tried && !word.starts_with(kRetry)) return std::nullopt;
  const char* const end = word.data() + word.size();
  const auto [slash, error] = std::from_chars(word.data() + kRetry.size(), end, back_off.until_unix_seconds);
  if (error != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [rest, wrong] = std::from_chars(slash + 1, end, back_off.times);
  if (wrong != std::errc() || rest != end || back_off.times < 1 || back_off.times == INT32_MAX) return std::nullopt;
  return back_off;
}

std::string LineOf(const QuarantineEntry& entry) {
  std::string reason = entry.reason;
  std::replace_if(
      reason.begin(), reason.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return entry.sha256 + " " + std::to_string(entry.unix_seconds) + " " + entry.profile + " " + entry.plugin + " " +
         (entry.back_off ? TextOf(*entry.back_off) : "") + reason;
}

// nullopt: Berth has not written this line.
std::optional<QuarantineEntry> EntryOf(const std::string& line) {
  QuarantineEntry entry;
  std::istringstream words(line);
  if (!(words >> entry.sha256 >> entry.unix_seconds >> entry.profile >> entry.plugin)) return std::nullopt;
  if (!crypto::IsSha256Hex(entry.sha256)) return std::nullopt;
  std::getline(words >> std::ws, entry.reason);
  const size_t end = entry.reason.find(' ');
  entry.back_off = BackOffOf(std::string_view(entry.reason).substr(0, end));
  if (entry.back_off) entry.reason.erase(0, end == std::string::npos ? end : end + 1);
  return entry;
}

// Lines of other programs stay unchanged.
struct Line {
  std::string text;
  std::optional<QuarantineEntry> entry;
};
using Lines = std::vector<Line>;

Lines LinesOf(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back({line, EntryOf(line)});
  return lines;
}

std::string TextOf(const Lines& lines) {
  std::string text;
  for (const Line& line : lines) text += (line.entry ? LineOf(*line.entry) : line.text) + "\n";
  return text;
}

// change(lines) -> how many lines it has changed: for 0, the file stays as it is. Returns that number.
template <class Change>
base::Result<size_t> Edit(const std::string& path, bool create, Change&& change) {
  const auto file = os::LockedFile::Open(path, create);
  if (!file) return tl::unexpected(file.error());
  if (!file->valid()) return 0;
  Lines lines = LinesOf(file->Read());
  const size_t changed = change(lines);
  if (changed == 0) return changed;
  if (auto written = file->Write(TextOf(lines)); !written) return tl::unexpected(written.error());
  return changed;
}

template <class Matches>
size_t EraseEntries(Lines& lines, Matches&& matches) {
  return std::erase_if(lines, [&](const Line& line) { return line.entry && matches(*line.entry); });
}

bool IsForGood(const Lines& lines, const QuarantineEntry& entry) {
  return std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
    return line.entry && !line.entry->back_off && Covers(*line.entry, entry);
  });
}

bool IsForgotten(const BackOff& back_off, int64_t now_unix_seconds) {
  return now_unix_seconds - back_off.until_unix_seconds > kForgottenAfterSeconds;
}

// How often this was quarantined with a backoff, including this time.
int32_t TimesOf(const Lines& lines, const QuarantineEntry& entry) {
  int32_t times = 1;
  for (const Line& line : lines) {
    if (!line.entry || !line.entry->back_off || !Covers(*line.entry, entry)) continue;
    if (!IsForgotten(*line.entry->back_off, entry.unix_seconds))
      times = std::max(times, line.entry->back_off->times + 1);
  }
  return times;
}

}  // namespace

int64_t BackOffSeconds(int32_t n) {
  int64_t seconds = kFirstBackOffSeconds;
  for (; n > 1 && seconds < kLongestBackOffSeconds; --n) seconds *= 2;
  return std::min(seconds, kLongestBackOffSeconds);
}

std::vector<QuarantineEntry> Quarantine::Entries() const {
  std::vector<QuarantineEntry> entries;
  if (path_.empty()) return entries;
  for (Line& line : LinesOf(os::ReadWhole(path_))) {
    if (line.entry) entries.push_back(std::move(*line.entry));
  }
  return entries;
}

std::vector<QuarantineEntry> Quarantine::ActiveEntries(int64_t now_unix_seconds) const {
  std::vector<QuarantineEntry> entries = Entries();
  std::erase_if(entries, [&](const QuarantineEntry& entry) { return !entry.IsActive(now_unix_seconds); });
  return entries;
}

std::optional<std::string> WhyAmong(const std::vector<QuarantineEntry>& entries, std::string_view sha256,
                                    std::string_view plugin, std::string_view profile) {
  for (const QuarantineEntry& entry : entries) {
    if (entry.sha256 != sha256 || !Applies(entry.plugin, plugin) || !Applies(entry.profile, profile)) continue;
    return "is in quarantine since " + text::UnixTimeText(entry.unix_seconds) +
           (entry.back_off ? " until " + text::UnixTimeText(entry.back_off->until_unix_seconds) : "") + ": " +
           entry.reason;
  }
  return std::nullopt;
}

bool Quarantine::Add(const QuarantineEntry& entry) const {
  return Edit(path_, true,
              [&](Lines& lines) -> size_t {
                if (IsForGood(lines, entry)) return 0;
                lines.push_back({"", entry});
                return 1;
              })
      .has_value();
}

bool Quarantine::AddForATime(QuarantineEntry entry) const {
  return Edit(path_, true,
              [&](Lines& lines) -> size_t {
                if (IsForGood(lines, entry)) return 0;
                const int32_t times = TimesOf(lines, entry);
                entry.back_off = BackOff{entry.unix_seconds + BackOffSeconds(times), times};
                EraseEntries(lines,
                             [&](const QuarantineEntry& known) { return known.back_off && Covers(entry, known); });
                lines.push_back({"", entry});
                return 1;
              })
      .has_value();
}

base::Result<size_t> Quarantine::EndBackOffs(int64_t now_unix_seconds) const {
  size_t ended = 0;
  const auto edited = Edit(path_, false, [&](Lines& lines) {
    for (Line& line : lines) {
      if (!line.entry || line.entry->IsActive(now_unix_seconds) || line.entry->back_off->tried) continue;
      line.entry->back_off->tried = true;
      ++ended;
    }
    return ended + EraseEntries(lines, [&](const QuarantineEntry& entry) {
             return entry.back_off && entry.back_off->tried && IsForgotten(*entry.back_off, now_unix_seconds);
           });
  });
  if (!edited) return tl::unexpected(edited.error());
  return ended;
}

std::optional<int64_t> Quarantine::NextEnd() const {
  std::optional<int64_t> next;
  for (const QuarantineEntry& entry : Entries()) {
    if (!entry.back_off || entry.back_off->tried) continue;
    next = std::min(next.value_or(INT64_MAX), entry.back_off->until_unix_seconds);
  }
  return next;
}

base::Result<size_t> Quarantine::Remove(std::string_view sha256) const {
  if (path_.empty()) return 0;
  return Edit(path_, false, [&](Lines& lines) {
    return EraseEntries(lines, [&](const QuarantineEntry& entry) { return entry.sha256 == sha256; });
  });
}

}  // namespace berth::quarantine
