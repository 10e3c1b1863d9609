#include "reload/canary/file_view.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <utility>

#include "os/fd/file_descriptor.h"

namespace berth::canary {
namespace {

namespace fs = std::filesystem;
using os::FileDescriptor;

// Linux 6.2 and 5.19; not in every system's headers.
constexpr uint64_t kTruncate = uint64_t{1} << 14, kRefer = uint64_t{1} << 13;
constexpr uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE;
constexpr uint64_t kReadAll = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kFirstVersion = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // all rights of Landlock's first version

// Rights that this kernel knows; 0: it has no Landlock, or has turned it off.
uint64_t KnownRights() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return 0;
  return kFirstVersion | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0);
}

class Rules {
 public:
  explicit Rules(uint64_t known) : known_(known) {
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = known;
    fd_ = FileDescriptor(
        static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0)));
  }
  bool valid() const { return fd_.valid(); }

  // Adds the path and everything below it, but not the target of a link. Other paths stay inaccessible.
  void Allow(const fs::path& path, uint64_t rights) {
    const FileDescriptor file(open(path.c_str(), O_PATH | O_CLOEXEC | O_NOFOLLOW));
    struct stat status;
    if (!file.valid() || fstat(file.get(), &status) != 0 || S_ISLNK(status.st_mode)) return;
    if (!S_ISDIR(status.st_mode)) rights &= kReadFile;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = rights & known_;
    rule.parent_fd = file.get();
    syscall(SYS_landlock_add_rule, fd_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  bool Enforce() const { return syscall(SYS_landlock_restrict_self, fd_.get(), 0) == 0; }

 private:
  const uint64_t known_;
  FileDescriptor fd_;
};

std::set<fs::path> RealPathsOf(const std::vector<std::string>& paths) {
  std::set<fs::path> real;
  for (const std::string& path : paths) {
    std::error_code not_there;
    const fs::path one = fs::canonical(path, not_there);
    if (!not_there) real.insert(one);
  }
  return real;
}

bool IsAbove(const fs::path& directory, const fs::path& path) {
  return std::mismatch(directory.begin(), directory.end(), path.begin(), path.end()).first == directory.end();
}

// Rules can only allow: there is no rule for a directory that contains a hidden path, but one for each other entry of
// the directory.
void AllowAllBut(Rules& rules, const std::set<fs::path>& hidden, const fs::path& path) {
  if (hidden.contains(path)) return;
  const bool holds_hidden =
      std::any_of(hidden.begin(), hidden.end(), [&](const fs::path& one) { return IsAbove(path, one); });
  if (!holds_hidden) return rules.Allow(path, kReadAll);
  std::error_code error;
  for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    AllowAllBut(rules, hidden, entry->path());
  }
}

}  // namespace

base::Result<void> Restrict(const FileView& view) {
  const uint64_t known = KnownRights();
  if (known == 0) return base::Fail("this kernel offers no Landlock");
  Rules rules(known);
  if (!rules.valid()) return base::Fail(os::SystemText("Landlock", errno));
  rules.Allow("/", LANDLOCK_ACCESS_FS_READ_DIR);
  AllowAllBut(rules, RealPathsOf(view.hidden), "/");
  if (!view.writable.empty()) {
    rules.Allow(view.writable, kReadAll | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE);
  }
  if (!rules.Enforce()) return base::Fail(os::SystemText("Landlock", errno));
  return {};
}

}  // namespace berth::canary
