#include "os/subprocess/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

#include "os/subprocess/spawn_rules.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U  // Linux 6.3; not in the headers of older C libraries
#endif

namespace berth::os {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kExitCheck{2};   // between checks whether the program has ended
constexpr milliseconds kStopCheck{50};  // between checks of the stop token
constexpr int kMostPieces = 16;         // read at once; more than a pipe holds

tl::unexpected<StartError> Failed(std::string step, int error) {
  return tl::unexpected<StartError>(StartError{std::move(step), error});
}

// A file in memory with the text: the program reads it at its own pace, and no writer can block.
tl::expected<FileDescriptor, StartError> InputOf(std::string_view text) {
  int fd = memfd_create("berth:input", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  if (fd < 0) fd = memfd_create("berth:input", MFD_CLOEXEC);  // kernels before 6.3
  FileDescriptor input(fd);
  if (!input.valid()) return Failed("memfd_create", errno);
  while (!text.empty()) {
    const ssize_t n = write(input.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Failed("writing to a memfd", errno);
    text.remove_prefix(static_cast<size_t>(n));
  }
  lseek(input.get(), 0, SEEK_SET);
  return input;
}

// For posix_spawn, which does not change the texts. Valid as long as texts.
std::vector<char*> PointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

milliseconds Left(const Program::Limits& limits) {
  return std::chrono::ceil<milliseconds>(limits.deadline - Program::Clock::now());
}

// For how long to wait for output before the limits are checked again.
int PauseOf(const Program::Limits& limits) {
  const milliseconds left = Left(limits);
  return static_cast<int>((limits.stop.stop_possible() ? std::min(left, kStopCheck) : left).count());
}

enum class Piece : uint8_t { kBytes, kNothing, kClosed };

Piece ReadPiece(const FileDescriptor& from, std::string_view& piece, char (&buffer)[8192]) {
  const ssize_t n = read(from.get(), buffer, sizeof buffer);
  if (n > 0) piece = {buffer, static_cast<size_t>(n)};
  if (n > 0) return Piece::kBytes;
  return n < 0 && (errno == EINTR || errno == EAGAIN) ? Piece::kNothing : Piece::kClosed;
}

void AppendEnd(std::string& text, std::string_view more, size_t most) {
  text += more;
  if (text.size() > most) text.erase(0, text.size() - most);
}

}  // namespace

tl::expected<Program, StartError> Program::Start(const ProgramOptions& options) {
  FileDescriptor in;
  if (options.input) {
    auto input = InputOf(*options.input);
    if (!input) return tl::unexpected(input.error());
    in = std::move(*input);
  }
  std::optional<Pipe> out = MakePipe(), err = MakePipe();
  if (!out || !err) return Failed("no pipe", errno);
  fcntl(out->reader.get(), F_SETFL, O_NONBLOCK);
  fcntl(err->reader.get(), F_SETFL, O_NONBLOCK);
  const std::vector<char*> argv = PointersTo(options.arguments), envp = PointersTo(options.environment);
  const SpawnRules rules(in.get(), out->writer.get(), err->writer.get());
  pid_t child = -1;
  const char* path = options.path.c_str();
  const int error = posix_spawn(&child, path, rules.files(), rules.attributes(), argv.data(), envp.data());
  if (error != 0) return Failed("", error);
  return Program(child, std::move(out->reader), std::move(err->reader), options);
}

Program::Program(pid_t child, FileDescriptor out, FileDescriptor err, const ProgramOptions& options)
    : child_(child),
      out_(std::move(out)),
      err_(std::move(err)),
      error_bytes_(options.error_bytes),
      line_bytes_(options.line_bytes) {}

Program::Program(Program&& other) noexcept
    : child_(std::exchange(other.child_, -1)),
      out_(std::move(other.out_)),
      err_(std::move(other.err_)),
      error_bytes_(other.error_bytes_),
      line_bytes_(other.line_bytes_),
      partial_line_(std::move(other.partial_line_)),
      errors_(std::move(other.errors_)) {}

// Reads both pipes until the one of `until` is closed.
Program::ReadEnd Program::Read(const Limits& limits, const Listener& bytes, const FileDescriptor& until) {
  while (until.valid()) {
    if (limits.stop.stop_requested()) return ReadEnd::kStopped;
    if (Left(limits).count() <= 0) return ReadEnd::kDeadline;
    pollfd fds[2] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};  // poll skips those that are -1
    if (poll(fds, 2, PauseOf(limits)) <= 0) continue;
    if (fds[1].revents != 0) DrainErrors();
    if (fds[0].revents == 0) continue;
    char buffer[8192];
    std::string_view piece;
    const Piece got = ReadPiece(out_, piece, buffer);
    if (got == Piece::kClosed) out_ = FileDescriptor();
    if (got == Piece::kBytes && bytes && !bytes(piece)) return ReadEnd::kEnough;
  }
  return ReadEnd::kClosed;
}

Program::ReadEnd Program::ReadOutput(const Limits& limits, const Listener& bytes) { return Read(limits, bytes, out_); }

Program::ReadEnd Program::ReadLines(const Limits& limits, const Listener& line) {
  const auto split = [&](std::string_view bytes) {
    partial_line_ += bytes;
    if (partial_line_.size() > line_bytes_) return false;
    for (size_t end; (end = partial_line_.find('\n')) != std::string::npos; partial_line_.erase(0, end + 1)) {
      if (!line(std::string_view(partial_line_).substr(0, end))) return false;
    }
    return true;
  };
  return Read(limits, split, out_);
}

void Program::DrainErrors() {
  char buffer[8192];
  std::string_view piece;
  for (int i = 0; i < kMostPieces && err_.valid(); ++i) {
    const Piece got = ReadPiece(err_, piece, buffer);
    if (got == Piece::kNothing) return;
    if (got == Piece::kClosed) err_ = FileDescriptor();
    if (got == Piece::kBytes) AppendEnd(errors_, piece, error_bytes_);
  }
}

bool Program::WaitForEnd(const Limits& limits) const {
  while (child_ >= 0 && !HasEnded(child_)) {
    if (limits.stop.stop_requested() || Left(limits).count() <= 0) return false;
    std::this_thread::sleep_for(kExitCheck);
  }
  return true;
}

void Program::Signal(int number) const {
  if (child_ >= 0) kill(child_, number);
}

ChildEnd Program::Release() { return child_ < 0 ? ChildEnd{} : Reap(std::exchange(child_, -1)); }

ChildEnd Program::Kill() {
  if (child_ < 0) return {};
  kill(-child_, SIGKILL);  // the process group
  kill(child_, SIGKILL);   // in case that it has left its group
  return Release();
}

const std::string& Program::Errors() {
  DrainErrors();
  return errors_;
}

}  // namespace berth::os
