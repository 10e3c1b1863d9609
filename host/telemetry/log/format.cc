#include "telemetry/log/format.h"

#include <time.h>

#include <atomic>

#include "telemetry/log/header.h"
#include "telemetry/log/json_line.h"

namespace berth::log {
namespace {

constexpr size_t kLongestLine = 30000 - 1;  // without the line break

std::atomic<Format> g_format{Format::kText};

int64_t WallNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void Shorten(std::string& line) {
  if (line.size() <= kLongestLine) return;
  const std::string mark = "... (cut, " + std::to_string(line.size()) + " bytes in all)";
  size_t keep = kLongestLine - mark.size();
  while (keep > 0 && (static_cast<unsigned char>(line[keep]) & 0xc0) == 0x80) --keep;  // not within a character
  line.resize(keep);
  line += mark;
}

}  // namespace

void SetFormat(Format format) { g_format.store(format, std::memory_order_relaxed); }

Format CurrentFormat() { return g_format.load(std::memory_order_relaxed); }

std::string Formatted(const Line& line) {
  if (CurrentFormat() == Format::kJson) return JsonText(line, WallNs());
  std::string text = Header(line.severity, line.file, line.line) + LineText(line.message, line.pairs);
  Shorten(text);
  return text;
}

}  // namespace berth::log
