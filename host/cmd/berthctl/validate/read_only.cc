#include "cmd/berthctl/validate/read_only.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <string_view>

#include "os/fd/file_descriptor.h"
#include "os/subprocess/child_end.h"

namespace berth::validate {
namespace {

constexpr size_t kLine = 64;  // the alignment that the ABI promises for columns

ReadOnly* installed = nullptr;

void TellOfWrite(int signal, siginfo_t* info, void*) {
  if (installed->Shows(info->si_addr)) {
    constexpr std::string_view kText = "a write to what the host has shown, which is read-only\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
  }
  // The faulting instruction runs again and ends the process, as without this handler. A signal that was sent is sent
  // again.
  struct sigaction otherwise {};
  otherwise.sa_handler = SIG_DFL;
  sigaction(signal, &otherwise, nullptr);
  if (info->si_code <= 0) raise(signal);
}

void ListenForWrites() {
  static char stack[16 << 10];  // the plugin's own stack may be used up
  const stack_t other{stack, 0, sizeof stack};
  sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &TellOfWrite;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

char* Mapped(int fd, size_t bytes, int protection) {
  void* at = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (at == MAP_FAILED) throw std::runtime_error(os::SystemText("no memory to show plugins", errno));
  return static_cast<char*>(at);
}

}  // namespace

ReadOnly::ReadOnly() : owner_(getpid()) {
  const os::FileDescriptor memory(memfd_create("shown", MFD_CLOEXEC));
  if (ftruncate(memory.get(), kMost) != 0) {
    throw std::runtime_error(os::SystemText("no memory to show plugins", errno));
  }
  written_ = Mapped(memory.get(), kMost, PROT_READ | PROT_WRITE);
  shown_ = Mapped(memory.get(), kMost, PROT_READ);
}

ReadOnly& ReadOnly::Install() {
  if (installed == nullptr) {
    installed = new ReadOnly;
    sdk::testing::ShownMemory::Installed() = installed;
    ListenForWrites();
  }
  return *installed;
}

// Few sizes, so that returned memory can be used again.
size_t ReadOnly::Rounded(size_t bytes) {
  if (bytes <= kLine) return kLine;
  return bytes <= 4096 ? (bytes + kLine - 1) / kLine * kLine : std::bit_ceil(bytes);
}

ReadOnly::Place ReadOnly::Take(size_t bytes) {
  const size_t size = Rounded(bytes);
  const base::MutexLock lock(mutex_);
  std::vector<size_t>& free = free_[size];
  size_t at = used_;
  if (!free.empty()) {
    at = free.back();
    free.pop_back();
  } else if (size > kMost - used_) {
    throw std::bad_alloc();
  } else {
    used_ += size;
  }
  return {written_ + at, shown_ + at};
}

// A forked process shares the pages with its parent, in which plugins may still use them.
void ReadOnly::GiveBack(const Place& place, size_t bytes) {
  if (getpid() != owner_) return;
  const base::MutexLock lock(mutex_);
  free_[Rounded(bytes)].push_back(static_cast<size_t>(static_cast<char*>(place.write) - written_));
}

}  // namespace berth::validate
