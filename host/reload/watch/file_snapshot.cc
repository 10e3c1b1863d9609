#include "reload/watch/file_snapshot.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/clock.h"

namespace berth::reload {
namespace {

namespace fs = std::filesystem;

int64_t Nanoseconds(const timespec& time) { return int64_t{time.tv_sec} * base::kSecond + time.tv_nsec; }

FileSighting Look(const std::string& path, os::PathListener* listener) {
  os::PathEnd end = os::WalkPath(path, listener);
  FileSighting sight{.path = path, .resolved = std::move(end.resolved), .error = end.error};
  if (end.error == 0) sight.id = FileId::Of(end.status);
  return sight;
}

DirectorySighting LookInto(const std::string& path, os::PathListener* listener) {
  os::PathEnd end = os::WalkPath(path, listener);
  DirectorySighting sight{.path = path, .resolved = std::move(end.resolved), .error = end.error};
  if (sight.error == 0 && !S_ISDIR(end.status.st_mode)) sight.error = ENOTDIR;
  if (sight.error != 0) return sight;
  if (listener != nullptr) listener->Lists(sight.resolved);
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator entry(sight.resolved, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (IsLibraryName(name)) names.push_back(std::move(name));
  }
  sight.error = error.value();
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) sight.libraries.push_back(Look(path + "/" + name, listener));
  return sight;
}

}  // namespace

WatchedPaths WatchedPaths::Absolute() const {
  WatchedPaths absolute = *this;
  for (std::string& file : absolute.files) file = fs::absolute(file).string();
  for (std::string& directory : absolute.directories) directory = fs::absolute(directory).string();
  return absolute;
}

bool IsLibraryName(std::string_view name) {
  return !name.starts_with('.') && (name.ends_with(".so") || name.ends_with(".so.sig"));
}

FileId FileId::Of(const struct stat& status) {
  return {status.st_dev, status.st_ino, status.st_size, Nanoseconds(status.st_mtim), Nanoseconds(status.st_ctim),
          status.st_uid, status.st_mode};
}

FileSnapshot TakeFileSnapshot(const WatchedPaths& paths, os::PathListener* listener) {
  FileSnapshot survey;
  for (const std::string& file : paths.files) survey.files.push_back(Look(file, listener));
  for (const std::string& directory : paths.directories) survey.directories.push_back(LookInto(directory, listener));
  return survey;
}

}  // namespace berth::reload
