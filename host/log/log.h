// Log lines as kube-scheduler writes them, on stderr:
//   I1121 15:04:05.123456    4711 engine.cc:47] "Attempting to schedule pod" pod="default/test"
// Everybody logs through this header; glog stays behind it. Thread: any; lines come out whole and one after the other.
// Until WriteInBackground is called, whoever logs writes the line and waits until standard error takes it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "log/severity.h"
#include "log/source_place.h"
#include "log/value.h"

namespace berth::log {

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

// From now on a thread of its own writes the lines, and logging never waits for standard error: 512 KiB of lines wait
// at most, and as many more are on their way. Lines that find no room are dropped and counted, and a line in their
// place says how many they were. Timestamps are those of the call. A second call does nothing. A child process that
// fork() makes writes its lines itself again, and none of its parent's.
void WriteInBackground();
inline constexpr std::chrono::milliseconds kFlushPatience{1000};
// Waits until all lines that were logged before are written. For the ends of a process that skip exit() (which does it
// itself): _exit, exec, a fatal signal. False: standard error did not take them in that time. Async-signal-safe.
bool Flush(std::chrono::milliseconds patience = kFlushPatience);
// Lines that WriteInBackground's thread could not write, since it began.
uint64_t DroppedLines();

// One line. Without pairs the message stands alone; with pairs it is quoted and each follows as key=value. Info lines
// are written when LogEnabled(v, file); warnings and errors always. Directories of file are left out. Lines longer than
// 30,000 bytes are cut and say so.
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
