// Log lines as kube-scheduler writes them, on stderr:
//   I1121 15:04:05.123456    4711 engine.cc:47] "Attempting to schedule pod" pod="default/test"
// Everybody logs through this header; glog stays behind it. Thread: any; lines come out whole and one after the other.
// glog's lock is held while a line is written, so keep lines out of loops over nodes.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "log/source_place.h"
#include "log/value.h"

namespace berth::log {

enum class Severity : uint8_t { kInfo, kWarning, kError };

struct Options {
  std::string program = "berth";
  int verbosity = 0;             // --v: lines up to this verbosity are written
  std::string vmodule;           // --vmodule: "engine=4,plugin*=5", patterns over file names without extension
  bool failure_handler = false;  // write a stack trace when the process dies of a signal; SIGTERM stays as it was
};

// Sets everything anew; may be called as often as wanted. A line logged before the first Init finds the defaults.
// Fails, and changes nothing, when vmodule is not a list of pattern=N.
base::Result<void> Init(const Options& options);
// --v while running (/debug/flags/v). Negative counts as 0.
void SetVerbosity(int verbosity);
int Verbosity();

namespace internal {
inline std::atomic<int> g_verbosity{0};
inline std::atomic<bool> g_has_modules{false};
bool ModuleEnables(int v, std::string_view file);
}  // namespace internal

// Is verbosity v on, everywhere or in this file? Ask before formatting something expensive.
inline bool LogEnabled(int v, std::string_view file) {
  return v <= internal::g_verbosity.load(std::memory_order_relaxed) ||
         (internal::g_has_modules.load(std::memory_order_relaxed) && internal::ModuleEnables(v, file));
}
inline bool LogEnabled(int v, SourcePlace where = SourcePlace::Here()) {
  return LogEnabled(v, std::string_view(where.file));
}

// One line. Without pairs the message stands alone; with pairs it is quoted and each follows as key=value. Info lines
// are written when LogEnabled(v, file); warnings and errors always. Directories of file are left out. Lines longer than
// glog can carry (30,000 bytes) are cut and say so.
void Log(Severity severity, int v, std::string_view file, int line, std::string_view message,
         std::span<const Pair> pairs = {});

// log::Info("Sync completed");   log::V(3, "Attempting to schedule pod", {{"pod", pod.key()}});
using Pairs = std::initializer_list<Pair>;
inline void V(int v, std::string_view message, Pairs pairs = {}, SourcePlace where = SourcePlace::Here()) {
  if (!LogEnabled(v, where)) return;
  Log(Severity::kInfo, v, where.file, where.line, message, {pairs.begin(), pairs.size()});
}
inline void Info(std::string_view message, Pairs pairs = {}, SourcePlace where = SourcePlace::Here()) {
  V(0, message, pairs, where);
}
inline void Warning(std::string_view message, Pairs pairs = {}, SourcePlace where = SourcePlace::Here()) {
  Log(Severity::kWarning, 0, where.file, where.line, message, {pairs.begin(), pairs.size()});
}
inline void Error(std::string_view message, Pairs pairs = {}, SourcePlace where = SourcePlace::Here()) {
  Log(Severity::kError, 0, where.file, where.line, message, {pairs.begin(), pairs.size()});
}

}  // namespace berth::log
