// What tells that a file may have another content, without reading it. Thread: values.
#pragma once

#include <cstdint>
#include <string>

namespace berth::kubeconfig {

struct FileStamp {
  uint64_t device = 0, inode = 0;
  int64_t size = 0, modified_ns = 0, changed_ns = 0;  // wall
  bool exists = false;
  bool regular = false;  // reading anything else, a pipe for instance, may not be done twice
  // It had not been touched for two seconds. Else a change that keeps all of the above may follow: a file system's
  // clock is coarse.
  bool settled = false;

  bool SameFile(const FileStamp& other) const {
    return device == other.device && inode == other.inode && size == other.size && modified_ns == other.modified_ns &&
           changed_ns == other.changed_ns && exists == other.exists;
  }
};

// Follows links.
FileStamp StampOf(const std::string& path);

}  // namespace berth::kubeconfig
