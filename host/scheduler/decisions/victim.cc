#include "scheduler/decisions/victim.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace berth::decisions {
namespace {

constexpr char kEndOfField = '\t', kEndOfLine = '\n';
constexpr size_t kMaxReason = 256;

void Append(std::string& line, std::string_view field, char end) {
  const size_t begin = line.size();
  line += field.substr(0, kMaxReason);
  std::replace_if(
      line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
  line += end;
}

std::string_view Take(std::string_view& text, char end) {
  const size_t at = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

}  // namespace

std::string VictimLines(const std::vector<Victim>& victims, size_t max) {
  std::string lines;
  for (const Victim& victim : victims) {
    std::string line;
    Append(line, victim.pod, kEndOfField);
    Append(line, std::to_string(victim.priority), kEndOfField);
    Append(line, victim.plugin, kEndOfField);
    Append(line, victim.reason, kEndOfLine);
    if (lines.size() + line.size() > max) break;
    lines += line;
  }
  return lines;
}

std::vector<Victim> VictimsOf(std::string_view lines) {
  std::vector<Victim> victims;
  while (!lines.empty()) {
    std::string_view line = Take(lines, kEndOfLine);
    Victim& victim = victims.emplace_back();
    victim.pod = Take(line, kEndOfField);
    const std::string_view priority = Take(line, kEndOfField);
    std::from_chars(priority.data(), priority.data() + priority.size(), victim.priority);
    victim.plugin = Take(line, kEndOfField);
    victim.reason = line;
  }
  return victims;
}

}  // namespace berth::decisions
