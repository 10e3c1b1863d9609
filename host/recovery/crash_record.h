// What is written when a plugin has brought the process to its end, and what the next one makes of it. The record has a
// fixed size and a place prepared, so that a handler of signals can fill and write it.
//
// Thread: Begin, Describe and Write are async-signal-safe; TakeRecord and the texts are for the start of a program.
// Ownership: a record is a value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/running_call.h"
#include "recovery/place.h"

namespace berth::recovery {

inline constexpr size_t kMostFrames = 48;
inline constexpr size_t kMostModules = 24;
inline constexpr uint16_t kNoModule = UINT16_MAX;

struct CrashRecord {
  std::array<char, 8> magic;  // kMagic
  int64_t unix_ns;
  int32_t pid, thread;
  int32_t signal;          // 0: a call that did not return
  int32_t in_plugin;       // 0: whose fault it is is not known, and what follows up to frames is empty
  int64_t waited_ns;       // of a call that did not return
  uint64_t fault_address;  // of SIGSEGV, SIGBUS, SIGILL, SIGFPE
  uint32_t generation;     // of the library: which one of those that the process had mapped
  uint32_t n_frames;
  // Texts end with NUL, cut when they are longer.
  std::array<char, 128> plugin, profile, point;
  std::array<char, 72> sha256;
  std::array<char, 512> library, pod;
  struct Frame {
    uint64_t address, offset;  // offset: in the module's own addresses
    uint16_t module;           // kNoModule: the address is in no module
  };
  std::array<Frame, kMostFrames> frames;
  std::array<std::array<char, 256>, kMostModules> modules;  // files
  // What follows is empty in records of programs that knew nothing of it: they end here.
  uint64_t policy_generation;         // of policy, in force when it happened; 0: not known
  std::array<char, 128> pod_profile;  // the pod's schedulerName: a call may be about a pod of another profile
};

// ---- in a handler ----

// The one record of this process, for whoever may fill it: see departure.h.
void Begin(CrashRecord& record, int signal, pid_t thread);
void Describe(CrashRecord& record, const plugin::RunningCall& call);
void Write(const CrashRecord& record, int fd);
// A line for standard error, without anything that needs memory.
void WriteLine(const CrashRecord& record);

// ---- at the next start ----

// What the process before has left, be it of this version or of the one before; nothing is left behind.
std::optional<CrashRecord> TakeRecord(const Place& place);

// "signal 11 (Segmentation fault)", "the call did not return for 2.3 s".
std::string WhatHappened(const CrashRecord& record);
// "Mine of profile p, in Filter of pod ns/name, library /x/mine.so, generation 3 of policy"; "" outside of plugins. Of
// a pod of another profile than the plugin's: "pod ns/name of profile q".
std::string WhereItHappened(const CrashRecord& record);
// Innermost first: "filter+0x1b in /x/mine.so"; names as far as the files have them still.
std::vector<std::string> StackOf(const CrashRecord& record);

// Who wants to know of the crash that the process before has ended with. Called by the start of the program.
class CrashListener {
 public:
  virtual ~CrashListener() = default;
  virtual void OnCrash(const CrashRecord& record) = 0;
};

}  // namespace berth::recovery
