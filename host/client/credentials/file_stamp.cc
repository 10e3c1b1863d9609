#include "client/credentials/file_stamp.h"

#include <sys/stat.h>

#include "base/clock.h"

namespace berth::credentials {
namespace {

constexpr int64_t kSettled = 2 * base::kSecond;

int64_t Ns(const timespec& time) { return time.tv_sec * base::kSecond + time.tv_nsec; }

}  // namespace

FileStamp StampOf(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {};
  FileStamp stamp;
  stamp.device = status.st_dev;
  stamp.inode = status.st_ino;
  stamp.size = status.st_size;
  stamp.modified_ns = Ns(status.st_mtim);
  stamp.changed_ns = Ns(status.st_ctim);
  stamp.exists = true;
  stamp.regular = S_ISREG(status.st_mode);
  stamp.settled = base::RealClock().WallUnixNs() - stamp.changed_ns > kSettled;
  return stamp;
}

}  // namespace berth::credentials
