#include "kubeconfig/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

#include "base/spawn_rules.h"

namespace berth::kubeconfig {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kComplaintBytes = 4096;
constexpr milliseconds kExitCheck{2};   // between looks at a program that has closed its outputs
constexpr milliseconds kStopCheck{50};  // between looks at whether it is to be stopped

std::string SystemText(int error) { return std::generic_category().message(error); }

struct Pipe {
  int read_end = -1, write_end = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  ~Pipe() {
    CloseWriteEnd();
    CloseReadEnd();
  }
  bool ok() const { return read_end >= 0; }
  void CloseWriteEnd() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
  void CloseReadEnd() {
    if (read_end >= 0) close(read_end);
    read_end = -1;
  }
};

std::vector<char*> Pointers(const std::string* first, const std::vector<std::string>& rest) {
  std::vector<char*> pointers;
  if (first != nullptr) pointers.push_back(const_cast<char*>(first->c_str()));
  for (const std::string& text : rest) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

int Spawn(const Command& command, const Pipe& out, const Pipe& err, pid_t& pid) {
  const base::SpawnRules rules(-1, out.write_end, err.write_end);
  const std::vector<char*> args = Pointers(&command.program, command.args);
  const std::vector<char*> environment = Pointers(nullptr, command.environment);
  return posix_spawn(&pid, command.program.c_str(), rules.files(), rules.attributes(), args.data(), environment.data());
}

// Appends what is there to text; closes the pipe at its end.
void Drain(Pipe& pipe, std::string& text) {
  char piece[8192];
  const ssize_t n = read(pipe.read_end, piece, sizeof piece);
  if (n > 0) text.append(piece, static_cast<size_t>(n));
  if (n == 0 || (n < 0 && errno != EINTR)) pipe.CloseReadEnd();
}

void KeepEnd(std::string& text, size_t size) {
  if (text.size() > size) text.erase(0, text.size() - size);
}

// How long the command may go on.
struct Patience {
  std::chrono::milliseconds limit;
  steady_clock::time_point deadline;
  std::stop_token stop;

  milliseconds Left() const { return std::chrono::ceil<milliseconds>(deadline - steady_clock::now()); }
  bool IsOver() const { return stop.stop_requested() || Left().count() <= 0; }
  std::string Reason() const {
    return stop.stop_requested() ? "is not needed any more"
                                 : "did not end within " + std::to_string(limit.count()) + " ms";
  }
};

// Reads both pipes to their ends. Fails when it takes too long or gets too much.
base::Result<void> ReadAll(Pipe& out, Pipe& err, size_t output_bytes, const Patience& patience,
                           CommandOutcome& outcome) {
  while (out.ok() || err.ok()) {
    pollfd waits[] = {{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}};  // poll skips those that are -1
    if (patience.IsOver()) return base::Fail(patience.Reason());
    const auto pause = std::min(patience.Left(), kStopCheck);
    if (poll(waits, 2, static_cast<int>(pause.count())) <= 0) continue;
    if (waits[0].revents != 0) Drain(out, outcome.output);
    if (waits[1].revents != 0) Drain(err, outcome.complaints);
    KeepEnd(outcome.complaints, kComplaintBytes);
    if (outcome.output.size() > output_bytes) {
      return base::Fail("wrote more than the " + std::to_string(output_bytes) + " bytes allowed");
    }
  }
  return {};
}

// False when patience ended first.
bool WaitForExit(pid_t pid, const Patience& patience, int& status) {
  while (true) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return true;
    if (ended < 0 && errno != EINTR) {  // somebody else has waited for it
      status = 0xff00;
      return true;
    }
    if (patience.IsOver()) return false;
    std::this_thread::sleep_for(kExitCheck);
  }
}

void KillAll(pid_t pid) {
  kill(-pid, SIGKILL);
  int status;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

base::Result<CommandOutcome> RunCommand(const Command& command, const CommandLimits& limits,
                                        const std::stop_token& stop) {
  Pipe out, err;
  if (!out.ok() || !err.ok()) return base::Fail("cannot make a pipe: " + SystemText(errno));
  pid_t pid = 0;
  const Patience patience{limits.time, steady_clock::now() + limits.time, stop};
  if (const int error = Spawn(command, out, err, pid); error != 0) return base::Fail(SystemText(error));
  out.CloseWriteEnd();
  err.CloseWriteEnd();
  CommandOutcome outcome;
  const base::Result<void> read = ReadAll(out, err, limits.output_bytes, patience, outcome);
  int status = 0;
  if (!read || !WaitForExit(pid, patience, status)) {
    KillAll(pid);
    const std::string reason = read ? patience.Reason() : read.error().message;
    return base::Fail(reason + (outcome.complaints.empty() ? "" : ": " + outcome.complaints));
  }
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string FindExecutable(const std::string& command, const std::string& search_path) {
  const auto runs = [](const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
  };
  if (command.find('/') != std::string::npos) return runs(command) ? command : "";
  for (size_t begin = 0; begin < search_path.size();) {
    const size_t end = std::min(search_path.find(':', begin), search_path.size());
    const std::string path = search_path.substr(begin, end - begin) + "/" + command;
    // A relative folder depends on where the daemon was started; Go refuses those too.
    if (path[0] == '/' && end > begin && runs(path)) return path;
    begin = end + 1;
  }
  return "";
}

}  // namespace berth::kubeconfig
