// The record of a crash inside a plugin: a signal handler writes it, and the next process reads it. The record has a
// fixed size and prepared memory, so that a signal handler can fill and write it.
// Thread: Begin, Describe and Write are async-signal-safe; TakeRecord and the texts are for the start of a program.
// Ownership: a record is a value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crash/record/state_dir.h"
#include "plugin/instance/running_call.h"

namespace berth::crash {

inline constexpr size_t kMostFrames = 48;
inline constexpr size_t kMostModules = 24;
inline constexpr uint16_t kNoModule = UINT16_MAX;

struct CrashRecord {
  std::array<char, 8> magic;  // kMagic
  int64_t unix_ns;
  int32_t pid, thread;
  int32_t signal;          // 0: a call that did not return
  int32_t in_plugin;       // 0: the plugin is unknown, and the fields up to frames are empty
  int64_t waited_ns;       // of a call that did not return
  uint64_t fault_address;  // of SIGSEGV, SIGBUS, SIGILL, SIGFPE
  uint32_t generation;     // of the library, among those that the process had mapped
  uint32_t n_frames;
  // Texts end with NUL; longer texts are cut.
  std::array<char, 128> plugin, profile, point;
  std::array<char, 72> sha256;
  std::array<char, 512> library, pod;
  struct Frame {
    uint64_t address, offset;  // offset: in the module's own addresses
    uint16_t module;           // kNoModule: the address is in no module
  };
  std::array<Frame, kMostFrames> frames;
  std::array<std::array<char, 256>, kMostModules> modules;  // files
  // Records of programs without the following fields end here.
  uint64_t policy_generation;         // the published policy at the time of the crash; 0: unknown
  std::array<char, 128> pod_profile;  // the pod's schedulerName: a call may be about a pod of another profile
};

// ---- in a handler ----

// The record of this process; reexec.h decides which thread may fill it.
void Begin(CrashRecord& record, int signal, pid_t thread);
void Describe(CrashRecord& record, const plugin::RunningCall& call);
void Write(const CrashRecord& record, int fd);
// Writes a line to standard error without allocating memory.
void WriteLine(const CrashRecord& record);

// ---- at the next start ----

// Reads and removes the record of the previous process, of this version or the one before.
std::optional<CrashRecord> TakeRecord(const StateDir& place);

// "signal 11 (Segmentation fault)", "the call did not return for 2.3 s".
std::string WhatHappened(const CrashRecord& record);
// "Mine of profile p, in Filter of pod ns/name, library /x/mine.so, generation 3 of policy"; "" outside of plugins. Of
// a pod of another profile than the plugin's: "pod ns/name of profile q".
std::string WhereItHappened(const CrashRecord& record);
// Innermost frame first: "filter+0x1b in /x/mine.so"; with names if the files still have them.
std::vector<std::string> StackOf(const CrashRecord& record);

// Receives the crash that ended the previous process. The program calls it at its start.
class CrashListener {
 public:
  virtual ~CrashListener() = default;
  virtual void OnCrash(const CrashRecord& record) = 0;
};

}  // namespace berth::crash
