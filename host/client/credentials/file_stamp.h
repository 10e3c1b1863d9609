// Metadata that shows, without reading a file, whether its content may have changed. Thread: values.
#pragma once

#include <cstdint>
#include <string>

namespace berth::credentials {

struct FileStamp {
  uint64_t device = 0, inode = 0;
  int64_t size = 0, modified_ns = 0, changed_ns = 0;  // wall
  bool exists = false;
  bool regular = false;  // another file, such as a pipe, cannot be read twice
  // The file had not changed for two seconds. Otherwise a later change may keep all values above, because the clock of
  // a file system is coarse.
  bool settled = false;

  bool SameFile(const FileStamp& other) const {
    return device == other.device && inode == other.inode && size == other.size && modified_ns == other.modified_ns &&
           changed_ns == other.changed_ns && exists == other.exists;
  }
};

// Follows links.
FileStamp StampOf(const std::string& path);

}  // namespace berth::credentials
