// Tries actions that the canary's child process must not allow. Then it refuses to start, and reports how each attempt
// ended: "name=OK", "name=EACCES", or "name=<what was read>", separated by one space.
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include <berth/plugin.hpp>

namespace {

using namespace berth::sdk;

struct Args {
  std::string secret, open_file, writable;  // a hidden file; a visible file; a file that this user may write to
  int64_t port = 0;                         // another process listens there

  static Args Read(ArgsReader& in) {
    Args args;
    in.Get("secret", args.secret);
    in.Get("openFile", args.open_file);
    in.Get("writable", args.writable);
    in.Get("port", args.port);
    return args;
  }
};

class Report {
 public:
  void Add(const char* name, const std::string& text) { text_ += (text_.empty() ? "" : " ") + (name + ("=" + text)); }
  // The result of a system call: 0 or more is success.
  void Tell(const char* name, long result) { Add(name, result >= 0 ? "OK" : strerrorname_np(errno)); }
  void Reads(const char* name, const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return Tell(name, -1);
    char buffer[64];
    const ssize_t n = read(fd, buffer, sizeof buffer);
    close(fd);
    std::string text(buffer, n > 0 ? static_cast<size_t>(n) : 0);
    text.resize(std::min(text.find_first_of(std::string_view("\n\0", 2)), text.size()));
    Add(name, text);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void LookAtEnvironment(Report& report) {
  std::string names;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    names += (names.empty() ? "" : ",") + std::string(*one, std::strcspn(*one, "="));
  }
  report.Add("environment", names.substr(0, 300));  // the host cuts off long reasons
}

// The numbers of the open descriptors, except those of libraries.
void LookAtDescriptors(Report& report) {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return report.Tell("descriptors", -1);
  std::string kinds;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.' || std::atoi(entry->d_name) == dirfd(folder)) continue;
    char target[256];
    const ssize_t n = readlinkat(dirfd(folder), entry->d_name, target, sizeof target);
    const std::string kind(target, n > 0 ? static_cast<size_t>(n) : 0);
    if (kind.find("/memfd:berth:") == 0) continue;
    kinds += (kinds.empty() ? "" : ",") + kind.substr(0, kind.find(':'));
  }
  closedir(folder);
  report.Add("descriptors", kinds);
}

void ReachOut(Report& report, int64_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  report.Tell("socket", fd);
  if (fd >= 0) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    report.Tell("connect", connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to));
    close(fd);
  }
  const int local = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  report.Tell("unixSocket", local);
  if (local >= 0) close(local);
  char parameters[256] = {};
  report.Tell("ioUring", syscall(SYS_io_uring_setup, 1, parameters));
}

void ChangeFiles(Report& report, const std::string& path) {
  const auto opened = [&](const char* name, const std::string& file, int flags) {
    const int fd = open(file.c_str(), flags | O_CLOEXEC, 0600);
    report.Tell(name, fd);
    if (fd >= 0) close(fd);
  };
  opened("write", path, O_WRONLY);
  opened("append", path, O_RDWR | O_APPEND);
  opened("truncate", path, O_RDONLY | O_TRUNC);
  opened("create", path + ".new", O_WRONLY | O_CREAT);
  report.Tell("chmod", chmod(path.c_str(), 0777));
  report.Tell("mkdir", mkdir((path + ".d").c_str(), 0700));
  report.Tell("rename", rename(path.c_str(), (path + ".old").c_str()));
  report.Tell("unlink", unlink(path.c_str()));
}

void ReachForTheParent(Report& report) {
  const pid_t parent = getppid();
  report.Reads("parentEnvironment", "/proc/" + std::to_string(parent) + "/environ");
  char byte = 0;
  iovec mine{&byte, 1}, theirs{environ, 1};
  report.Tell("parentMemory", process_vm_readv(parent, &mine, 1, &theirs, 1, 0));
  report.Tell("parentSignal", syscall(SYS_kill, parent, 0));
  const rlimit files{64, 64};
  report.Tell("parentLimit", syscall(SYS_prlimit64, parent, RLIMIT_NOFILE, nullptr, nullptr));
  report.Tell("ownLimit", syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &files, nullptr));
}

void StartPrograms(Report& report) {
  const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) _exit(0);
  report.Tell("fork", child);
  // Executes a program that does not exist: a success would replace this process.
  const char* const argv[] = {"/nowhere/program", nullptr};
  report.Tell("execute", syscall(SYS_execve, argv[0], argv, argv + 1));
}

struct LooksAround {
  static constexpr Info kInfo{.name = "LooksAround", .vendor = "tests"};
  static void CompleteArgs(ArgsReader& in, JsonWriter& out) {
    const Args args = Args::Read(in);
    out.Field("secret", args.secret);
    out.Field("openFile", args.open_file);
    out.Field("writable", args.writable);
    out.Field("port", args.port);
  }
  static void CheckArgs(ArgsReader& in) { Args::Read(in); }

  explicit LooksAround(Host& host) {
    const Args args = ReadArgs<Args>(host);
    Report report;
    LookAtDescriptors(report);
    report.Reads("secret", args.secret);
    report.Reads("openFile", args.open_file);
    report.Reads("oomScore", "/proc/self/oom_score_adj");
    ReachOut(report, args.port);
    ChangeFiles(report, args.writable);
    ReachForTheParent(report);
    StartPrograms(report);
    LookAtEnvironment(report);
    throw std::runtime_error("saw " + report.text() + " end");
  }
  LooksAround(const LooksAround&) = delete;
  int64_t Score(Cycle&, const Pod&, Node) { return 7; }
};

}  // namespace

BERTH_PLUGIN(LooksAround);
