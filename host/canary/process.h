// The child process as its parent holds it: started, listened to, ended. Thread: one. Ownership: owns the process,
// which ends with this object, and its pipes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "loader/child.h"

namespace berth::canary {

class Process {
 public:
  // program is looked up as a path; input is its standard input. It gets a process group of its own, default actions of
  // all signals, none of them blocked, no descriptors but the three, and this environment ("NAME=value").
  static base::Result<Process> Start(const std::string& program, const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& environment, std::string_view input);
  Process(Process&& other) noexcept;
  ~Process() { End(); }

  using Clock = std::chrono::steady_clock;
  // line(text) for each line it writes to standard output, until one answers false or nothing more will come: true.
  // False when the time is over.
  bool Listen(Clock::time_point until, const std::function<bool(std::string_view)>& line);
  // It has closed standard output: waits for its end and says how that was ("was ended by signal 9 (Killed)"). It is
  // ended when it takes longer.
  std::string WaitForEnd(Clock::time_point until);
  // Asks it for a last word, as Listen does, and ends it.
  void Interrupt(const std::function<bool(std::string_view)>& line);
  void End();

  // The end of what it wrote to standard error, as one line.
  std::string LastWords();

 private:
  Process(pid_t child, loader::FileDescriptor out, loader::FileDescriptor err)
      : child_(child), out_(std::move(out)), err_(std::move(err)) {}
  void Kill();
  bool ReadErrors();
  bool ReadLines(const std::function<bool(std::string_view)>& line);

  pid_t child_;  // -1: has ended and has been waited for
  loader::FileDescriptor out_, err_;
  std::string partial_, errors_;
};

}  // namespace berth::canary
