// The content of the watched files, as a value: digests, or why there is none. Two fingerprints are equal if nothing
// that affects the scheduler has changed: content, readability, owner and mode (security.checkOwner). The targets of
// links are kept but not compared: the links of a ConfigMap volume change when any of its files changes.
// Called by the watcher's thread, and at start before the files are read for use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reload/watch/file_snapshot.h"

namespace berth::reload {

struct FileState {
  std::string path;      // as it is watched, absolute
  std::string resolved;  // without links
  std::string digest;    // SHA-256, 64 hex digits; empty when there is an error
  std::string error;     // "does not exist", "cannot be opened: Permission denied": follows the path
  uint32_t owner = 0, mode = 0;
  bool operator==(const FileState& other) const;
};

struct DirectoryState {
  std::string path, resolved;
  std::string error;                 // as that of a file
  std::vector<FileState> libraries;  // by path
  bool operator==(const DirectoryState& other) const;
};

struct Fingerprint {
  std::vector<FileState> files;
  std::vector<DirectoryState> directories;
  bool operator==(const Fingerprint&) const = default;
};

// What has changed, one short sentence without a full stop for each file: "/etc/berth/config.yaml has new content
// (sha256 0123456789ab, was ba9876543210)". Empty when they are equal.
std::vector<std::string> Differences(const Fingerprint& before, const Fingerprint& after);

// Takes fingerprints. Digests of libraries are kept by identity, size and times of the file; other files are small and
// read each time. One thread at a time.
class Fingerprinter {
 public:
  struct Taken {
    Fingerprint fingerprint;
    bool settled = true;  // false: a file was replaced or written in the meantime; try again
  };
  Taken Take(const FileSnapshot& survey);
  // A survey and its fingerprint; tried up to three times while files change.
  Fingerprint TakeNow(const WatchedPaths& paths);

  uint64_t files_read() const { return files_read_; }

 private:
  FileState StateOf(const FileSighting& sight, bool library);
  void Read(const FileSighting& sight, bool library, FileState& state);

  std::map<FileId, std::string> digests_, used_;  // known before this Take; known to this Take
  bool settled_ = true;
  uint64_t files_read_ = 0;
};

}  // namespace berth::reload
