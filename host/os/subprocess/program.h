// A program that runs in a child process: start it, read its output, wait for it, kill it. Thread: one at a time; all
// functions except Start block up to their limits. Ownership: a Program owns its process and the pipes; its destructor
// kills the process and everything that it has started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/fd/file_descriptor.h"
#include "os/subprocess/child_end.h"

namespace berth::os {

struct ProgramOptions {
  std::string path;
  std::vector<std::string> arguments;     // the first is the program's name
  std::vector<std::string> environment;   // "NAME=value", the complete environment
  std::optional<std::string_view> input;  // the text of its standard input; nullopt: /dev/null
  size_t error_bytes = 4096;              // of the end of its standard error that are kept
  size_t line_bytes = size_t{4} << 20;    // the longest line that ReadLines accepts
};

// Why a program did not start.
struct StartError {
  std::string step;  // such as "no pipe"; "" when the system cannot execute the program
  int error = 0;     // errno
};

class Program {
 public:
  using Clock = std::chrono::steady_clock;
  struct Limits {
    Clock::time_point deadline;
    std::stop_token stop{};  // noticed within 50 ms
  };
  // kClosed: the program has closed the output. kEnough: the caller's function returned false.
  enum class ReadEnd : uint8_t { kClosed, kEnough, kDeadline, kStopped };
  using Listener = std::function<bool(std::string_view)>;

  // The program gets its own process group, default actions for all signals, and no descriptors but the standard
  // three.
  static tl::expected<Program, StartError> Start(const ProgramOptions& options);
  Program(Program&& other) noexcept;
  ~Program() { Kill(); }

  // Calls bytes for each piece of standard output. Standard error is read at the same time, so that the program does
  // not wait for a reader.
  ReadEnd ReadOutput(const Limits& limits, const Listener& bytes);
  // Calls line for each complete line of standard output, without the line end. A line longer
  // than line_bytes counts as kEnough. The next call starts with the line for which line returned false, as soon as the
  // program writes more.
  ReadEnd ReadLines(const Limits& limits, const Listener& line);
  // Reads standard error until it is closed. Standard output is closed already.
  ReadEnd ReadErrors(const Limits& limits) { return Read(limits, {}, err_); }

  // False when a limit ended the wait and the program still runs.
  bool WaitForEnd(const Limits& limits) const;
  // Sends a signal to the program, but not to its children.
  void Signal(int number) const;
  // The process group of the program and its children; -1 after Release or Kill.
  pid_t group() const { return child_; }
  // After WaitForEnd: what the program left running stays alive.
  ChildEnd Release();
  // Kills the program and everything that it has started. Does nothing after Release or Kill.
  ChildEnd Kill();

  // The end of what the program has written to standard error so far; at most error_bytes.
  const std::string& Errors();

 private:
  Program(pid_t child, FileDescriptor out, FileDescriptor err, const ProgramOptions& options);
  ReadEnd Read(const Limits& limits, const Listener& bytes, const FileDescriptor& until);
  void DrainErrors();

  pid_t child_ = -1;  // -1: reaped
  FileDescriptor out_, err_;
  size_t error_bytes_, line_bytes_;
  std::string partial_line_, errors_;
};

}  // namespace berth::os
