// The watched files at one moment, without their content: cheap enough for every event. Without events, it shows
// whether files are still being written. Thread: the watcher's; at start, any.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "os/file/path_walker.h"

namespace berth::reload {

struct WatchedPaths {
  std::vector<std::string> files;        // configuration; libraries that are bound by path. They may be missing.
  std::vector<std::string> directories;  // of plugins. They may be missing, too.

  // Makes relative paths absolute, from the current directory.
  WatchedPaths Absolute() const;
  bool operator==(const WatchedPaths&) const = default;
};

// "*.so" without a leading dot, which the loader treats as a plugin in a directory; and "*.so.sig", its
// signature.
bool IsLibraryName(std::string_view name);

// Identifies a file and the state of its content, as far as the file system can.
struct FileId {
  uint64_t device = 0, inode = 0;
  int64_t size = 0;  // bytes
  int64_t mtime_ns = 0, ctime_ns = 0;
  uint32_t owner = 0, mode = 0;
  static FileId Of(const struct stat& status);
  auto operator<=>(const FileId&) const = default;
};

struct FileSighting {
  std::string path;      // as it is watched
  std::string resolved;  // where its links lead
  int error = 0;         // errno; the id is empty then
  FileId id;
  bool operator==(const FileSighting&) const = default;
};

struct DirectorySighting {
  std::string path, resolved;
  int error = 0;                        // why it cannot be listed
  std::vector<FileSighting> libraries;  // by path
  bool operator==(const DirectorySighting&) const = default;
};

struct FileSnapshot {
  std::vector<FileSighting> files;
  std::vector<DirectorySighting> directories;
  bool operator==(const FileSnapshot&) const = default;
};

// The paths are absolute. The listener may be null.
FileSnapshot TakeFileSnapshot(const WatchedPaths& paths, os::PathListener* listener = nullptr);

}  // namespace berth::reload
