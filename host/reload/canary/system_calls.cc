#include "reload/canary/system_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "os/fd/file_descriptor.h"

namespace berth::canary {
namespace {

// Numbers that are the same for all processors; newer than some systems' headers.
constexpr uint32_t kFchmodat2 = 452, kNewestKnown = 462;  // mseal, Linux 6.10
constexpr uint32_t kX32 = 0x40000000;                     // x86-64: calls of another ABI

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif

constexpr uint32_t kNetwork[] = {SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4};

constexpr uint32_t kChangesFiles[] = {
    SYS_unlinkat,  SYS_renameat2,   SYS_mkdirat,      SYS_linkat,    SYS_symlinkat,    SYS_mknodat,   SYS_fchmod,
    SYS_fchmodat,  kFchmodat2,      SYS_fchown,       SYS_fchownat,  SYS_truncate,     SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fsetxattr, SYS_fremovexattr,
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_unlink  // x86-64 has them in two versions
    SYS_unlink,    SYS_rename,      SYS_mkdir,        SYS_rmdir,     SYS_link,         SYS_symlink,   SYS_mknod,
    SYS_chmod,     SYS_chown,       SYS_lchown,       SYS_utime,     SYS_utimes,       SYS_futimesat, SYS_creat,
#endif
};

// Calls that fail with EPERM: other processes, programs, namespaces and mounts, the kernel's own state, memory that
// outlives the process.
constexpr uint32_t kForbidden[] = {
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_kcmp,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_setrlimit,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_sched_setaffinity,
    SYS_sched_setattr,
    SYS_sched_setparam,
    SYS_sched_setscheduler,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_setpgid,
    SYS_setsid,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_open_by_handle_at,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_syslog,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
};

// Calls that fail as if the kernel did not have them: io_uring bypasses this filter, and the others have arguments in
// memory, which a filter cannot read. libc does not need them.
constexpr uint32_t kUnknown[] = {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_clone3,
                                 SYS_openat2};

constexpr uint32_t kWrites = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

// A program for the kernel's packet filter. It has one register, which contains the number of the system call except
// while the program checks an argument.
class Filter {
 public:
  void RefuseOtherAbis() {
    Load(offsetof(seccomp_data, arch));
    SkipIfEqual(kArchitecture, 1);
    Answer(SECCOMP_RET_KILL_PROCESS);
    LoadNumber();
    if (kArchitecture == AUDIT_ARCH_X86_64) AnswerIf(BPF_JGE, kX32, Errno(ENOSYS));
    AnswerIf(BPF_JGT, kNewestKnown, Errno(ENOSYS));
  }
  template <size_t N>
  void Refuse(const uint32_t (&calls)[N], int error) {
    for (const uint32_t call : calls) AnswerIf(BPF_JEQ, call, Errno(error));
  }
  // Applies if the argument has one of the bits.
  void RefuseBits(uint32_t call, int argument, uint32_t bits, int error) {
    OfCall(call, {Argument(argument), Jump(BPF_JSET, bits, 0, 1), Return(Errno(error))});
  }
  void RefuseWithoutBits(uint32_t call, int argument, uint32_t bits, int error) {
    OfCall(call, {Argument(argument), Jump(BPF_JSET, bits, 1, 0), Return(Errno(error))});
  }
  void RefuseEqual(uint32_t call, int argument, uint32_t value, int error) {
    OfCall(call, {Argument(argument), Jump(BPF_JEQ, value, 0, 1), Return(Errno(error))});
  }
  void RefuseUnequal(uint32_t call, int argument, uint32_t value, int error) {
    OfCall(call, {Argument(argument), Jump(BPF_JEQ, value, 1, 0), Return(Errno(error))});
  }
  // Applies if the pointer is not null.
  void RefuseGiven(uint32_t call, int argument, int error) {
    OfCall(call, {Argument(argument), Jump(BPF_JEQ, 0, 0, 2), ArgumentsUpperHalf(argument), Jump(BPF_JEQ, 0, 1, 0),
                  Return(Errno(error))});
  }
  // false: errno says why not.
  bool Install() {
    Answer(SECCOMP_RET_ALLOW);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  static_assert(std::endian::native == std::endian::little);  // the offsets of the halves of an argument

  static uint32_t Errno(int error) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error); }
  static sock_filter Word(size_t offset) { return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offset)}; }
  static sock_filter Argument(int i) { return Word(offsetof(seccomp_data, args) + sizeof(uint64_t) * i); }
  static sock_filter ArgumentsUpperHalf(int i) {
    return Word(offsetof(seccomp_data, args) + sizeof(uint64_t) * i + sizeof(uint32_t));
  }
  static sock_filter Jump(uint16_t test, uint32_t value, uint8_t if_true, uint8_t if_false) {
    return {static_cast<uint16_t>(BPF_JMP | test | BPF_K), if_true, if_false, value};
  }
  static sock_filter Return(uint32_t answer) { return {BPF_RET | BPF_K, 0, 0, answer}; }

  void Load(size_t offset) { code_.push_back(Word(offset)); }
  void LoadNumber() { Load(offsetof(seccomp_data, nr)); }
  void Answer(uint32_t answer) { code_.push_back(Return(answer)); }
  void SkipIfEqual(uint32_t value, uint8_t instructions) { code_.push_back(Jump(BPF_JEQ, value, instructions, 0)); }
  void AnswerIf(uint16_t test, uint32_t value, uint32_t answer) {
    code_.push_back(Jump(test, value, 0, 1));
    Answer(answer);
  }
  void OfCall(uint32_t call, const std::vector<sock_filter>& instructions) {
    code_.push_back(Jump(BPF_JEQ, call, 0, static_cast<uint8_t>(instructions.size() + 1)));
    code_.insert(code_.end(), instructions.begin(), instructions.end());
    LoadNumber();
  }

  std::vector<sock_filter> code_;
};

void RefuseChangesOfFiles(Filter& filter) {
  filter.Refuse(kChangesFiles, EROFS);
  filter.RefuseBits(SYS_openat, 2, kWrites, EROFS);
#ifdef SYS_open
  filter.RefuseBits(SYS_open, 1, kWrites, EROFS);
#endif
}

// Signals to other processes, limits, and children: this process can only start threads.
void RefuseReachingOut(Filter& filter) {
  const auto self = static_cast<uint32_t>(getpid());
  for (const uint32_t call : {SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
    filter.RefuseUnequal(call, 0, self, EPERM);
  }
  filter.RefuseGiven(SYS_prlimit64, 2, EPERM);
  filter.RefuseWithoutBits(SYS_clone, 0, CLONE_THREAD, EPERM);
  filter.RefuseEqual(SYS_prctl, 0, PR_SET_PDEATHSIG, EPERM);
}

}  // namespace

base::Result<void> FilterSystemCalls(Files files) {
  if (kArchitecture == 0) return base::Fail("no filter of system calls for this processor");
  Filter filter;
  filter.RefuseOtherAbis();
  filter.Refuse(kNetwork, EACCES);
  filter.Refuse(kForbidden, EPERM);
  filter.Refuse(kUnknown, ENOSYS);
  if (files == Files::kReadOnly) RefuseChangesOfFiles(filter);
  RefuseReachingOut(filter);
  if (!filter.Install()) return base::Fail(os::SystemText("no filter of system calls", errno));
  return {};
}

}  // namespace berth::canary
