#include "telemetry/profile/sample_pipe.h"

#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

#include "os/machine/interrupted_at.h"

namespace berth::profile {
namespace {

static_assert(sizeof(Sample) <= PIPE_BUF, "a write to a pipe must be whole");

constexpr int kPipeBytes = 1 << 20;  // a record takes a page
constexpr int kHandlerFrames = 8;    // of the handler itself, and of the return from it

struct SamplePipe {
  std::atomic<int> reader{-1}, writer{-1};
  std::atomic<uint32_t> session{0};
};
std::array<SamplePipe, 2> g_pipes;

SamplePipe& PipeOf(Purpose purpose) { return g_pipes[static_cast<size_t>(purpose)]; }

void Record(SamplePipe& pipe, uint32_t session, uint32_t weight, const void* context) {
  void* addresses[kMostFrames + kHandlerFrames];
  const int n = std::max(backtrace(addresses, static_cast<int>(std::size(addresses))), 0);
  void** begin = std::find(addresses, addresses + n, reinterpret_cast<void*>(os::InterruptedAt(context)));
  if (begin == addresses + n) begin = addresses;
  Sample sample;
  sample.thread = gettid();
  sample.weight = weight;
  sample.session = session;
  sample.n_frames = static_cast<uint32_t>(std::min<ptrdiff_t>(addresses + n - begin, kMostFrames));
  for (uint32_t i = 0; i < sample.n_frames; ++i) sample.frames[i] = reinterpret_cast<uint64_t>(begin[i]);
  const ssize_t lost =
      write(pipe.writer.load(), &sample, offsetof(Sample, frames) + sample.n_frames * sizeof(uint64_t));
  static_cast<void>(lost);
}

extern "C" void OnSampleSignal(int, siginfo_t* info, void* context) {
  const int kept = errno;
  const bool timer = info->si_code == SI_TIMER;
  SamplePipe& pipe = PipeOf(timer ? Purpose::kCpuTime : Purpose::kOneStack);
  const uint32_t weight = timer ? 1 + static_cast<uint32_t>(std::max(info->si_overrun, 0)) : 1;
  if (const uint32_t session = pipe.session.load(); session != 0) Record(pipe, session, weight, context);
  errno = kept;
}

bool OpenPipe(SamplePipe& pipe) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC | O_NONBLOCK | O_DIRECT) != 0) return false;  // O_DIRECT: a read returns one record
  fcntl(fds[1], F_SETPIPE_SZ, kPipeBytes);                               // a smaller pipe works, too
  pipe.reader = fds[0];
  pipe.writer = fds[1];
  return true;
}

bool Install() {
  for (SamplePipe& pipe : g_pipes) {
    if (!OpenPipe(pipe)) return false;
  }
  void* frame[1];
  backtrace(frame, 1);  // loads the library that it needs, which a handler must not do
  struct sigaction action {};
  action.sa_sigaction = OnSampleSignal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  return sigaction(SIGPROF, &action, nullptr) == 0;
}

}  // namespace

bool PrepareSampling() {
  static const bool installed = Install();
  return installed;
}

void SetSession(Purpose purpose, uint32_t session) { PipeOf(purpose).session.store(session); }

bool Next(Purpose purpose, uint32_t session, Sample& out) {
  while (true) {
    const ssize_t n = read(PipeOf(purpose).reader.load(), &out, sizeof out);
    if (n < 0 && errno == EINTR) continue;
    if (n < static_cast<ssize_t>(offsetof(Sample, frames))) return false;
    if (out.session == session) return true;
  }
}

}  // namespace berth::profile
