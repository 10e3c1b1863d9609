// Log lines in kube-scheduler's formats, text or JSON, on standard error:
//   I1121 15:04:05.123456    4711 engine.cc:47] "Attempting to schedule pod" pod="default/test"
//   {"ts":1795442877228.0374,"caller":"engine/engine.cc:47","msg":"Attempting to schedule pod","v":3,"pod":{...}}
// All code logs through this header, which hides glog. Thread: any; lines are written whole, one after the other.
// Before WriteInBackground, the caller writes the line itself and waits until standard error accepts it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "telemetry/log/format.h"
#include "telemetry/log/log_value.h"
#include "telemetry/log/severity.h"
#include "telemetry/log/source_place.h"
#include "telemetry/log/streams.h"

namespace berth::log {

struct Options {
  std::string program = "berth";
  int verbosity = 0;             // --v: lines up to this verbosity are written
  std::string vmodule;           // --vmodule: "engine=4,plugin*=5", patterns over file names without extension
  bool failure_handler = false;  // write a stack trace if the process dies of a signal; does not change SIGTERM
  Format format = Format::kText;
  Streams streams = {};
};

// Replaces all settings; may be called any number of times. The defaults apply before the first Init. Error: vmodule is
// not a list of pattern=N; the settings then do not change.
base::Result<void> Init(const Options& options);
// Changes --v at run time (/debug/flags/v). A negative value counts as 0.
void SetVerbosity(int verbosity);
int Verbosity();

namespace internal {
inline std::atomic<int> g_verbosity{0};
inline std::atomic<bool> g_has_modules{false};
bool ModuleEnables(int v, std::string_view file);
}  // namespace internal

// Whether verbosity v is enabled, everywhere or for this file. Check it before formatting something expensive.
inline bool LogEnabled(int v, std::string_view file) {
  return v <= internal::g_verbosity.load(std::memory_order_relaxed) ||
         (internal::g_has_modules.load(std::memory_order_relaxed) && internal::ModuleEnables(v, file));
}
inline bool LogEnabled(int v, SourcePlace where = SourcePlace::Here()) {
  return LogEnabled(v, std::string_view(where.file));
}

// Starts a thread that writes the lines, and one for standard output if info lines go there, so logging never waits.
// For each, at most 512 KiB of lines wait, and as many again may be in the process of being written. Lines that do not
// fit are dropped and counted, and a line in their place reports the number. Timestamps are those of the call. A second
// call does nothing. A child process after fork() writes its own lines directly, and none of its parent's.
void WriteInBackground();
inline constexpr std::chrono::milliseconds kFlushTimeout{1000};
// Waits until all lines logged before are written. Call it before the process ends without exit(), which calls it:
// _exit, exec, a fatal signal. Returns false if standard error did not accept them in that time. Async-signal-safe.
bool Flush(std::chrono::milliseconds timeout = kFlushTimeout);
// Lines that the thread of WriteInBackground could not write, since its start.
uint64_t DroppedLines();

// Writes one line. Without pairs the message is written as it is. With pairs it is quoted, and each pair follows as
// key=value. Info lines are written if LogEnabled(v, file); warnings and errors always. The directories of `file` are
// removed. Lines longer than 30,000 bytes are truncated with a remark; as JSON, their texts are.
void Log(Severity severity, int v, std::string_view file, int line, std::string_view message,
         std::span<const Pair> pairs = {});

// log::Info("Sync completed");   log::V(3, "Attempting to schedule pod", {{"pod", log::KObj(pod.key())}});
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
