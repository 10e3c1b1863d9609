#include "reload/watch/inotify.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "reload/watch/file_snapshot.h"

namespace berth::reload {
namespace {

// Names that appear and disappear, including the directory itself.
constexpr uint32_t kNames = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr uint32_t kContent = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;
// For a directory on the path only: excludes writes to its files, which are frequent in /tmp.
constexpr uint32_t kStep = kNames | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;
constexpr uint32_t kHolder = kStep | kContent;
// The file and its directory: a file that is a mount point, or has a second name, can be written elsewhere.
constexpr uint32_t kFile = kContent | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW;

// The text of errno would be misleading here.
std::string Trouble(const std::string& what, int error) {
  if (error == ENOSPC) return what + ": the user's inotify watches are used up (fs.inotify.max_user_watches)";
  if (error == EMFILE) return what + ": descriptors or inotify instances (fs.inotify.max_user_instances) are used up";
  return os::SystemText(what, error);
}

}  // namespace

Inotify::Inotify() : fd_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (!valid()) trouble_ = Trouble("inotify_init1", errno);
}

void Inotify::BeginSnapshot() {
  coming_.clear();
  trouble_.clear();
}

void Inotify::EndSnapshot() {
  for (const auto& [watch, what] : watches_) {
    if (!coming_.contains(watch)) inotify_rm_watch(fd_.get(), watch);  // may no longer exist
  }
  watches_.swap(coming_);
  std::erase_if(written_, [this](const auto& file) { return !watches_.contains(file.first); });
}

void Inotify::Passes(const std::string& directory, const std::string& name, bool last) {
  if (Watch* watch = Add(directory, last ? kHolder : kStep)) watch->names.insert(name);
}

void Inotify::Lists(const std::string& directory) {
  if (Watch* watch = Add(directory, kHolder)) watch->libraries = true;
}

void Inotify::Reaches(const std::string& file) { Add(file, kFile); }

Inotify::Watch* Inotify::Add(const std::string& path, uint32_t mask) {
  // Two paths may share a directory, and one directory may have two names: the requested events are combined.
  const int watch = inotify_add_watch(fd_.get(), path.c_str(), mask | IN_MASK_ADD);
  if (watch >= 0) return &coming_[watch];
  // The parent directory, which is already watched, reports a path that disappeared in the meantime.
  if (errno != ENOENT && errno != ENOTDIR) trouble_ = Trouble(path, errno);
  return nullptr;
}

Inotify::Heard Inotify::Read() {
  alignas(inotify_event) char buffer[16384];
  Heard heard = Heard::kNothing;
  ssize_t length;
  while ((length = read(fd_.get(), buffer, sizeof buffer)) > 0 || (length < 0 && errno == EINTR)) {
    for (ssize_t at = 0; at < length;) {
      inotify_event event;
      std::memcpy(&event, buffer + at, sizeof event);
      const char* name = event.len == 0 ? "" : buffer + at + sizeof event;
      const bool relevant = Concerns(event.wd, event.mask, name);
      heard = std::max(heard, relevant ? Heard::kRelevant : Heard::kOther);
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
  }
  return heard;
}

bool Inotify::Concerns(int watch, uint32_t mask, const std::string& name) {
  if ((mask & IN_Q_OVERFLOW) != 0) {
    ForgetWriters();  // their close events may be among the lost ones
    return true;
  }
  const auto known = watches_.find(watch);
  if (known == watches_.end()) return false;
  const Watch& what = known->second;
  if (!name.empty() && !what.names.contains(name) && !(what.libraries && IsLibraryName(name))) return false;
  NoteWriter(watch, mask, name);
  if ((mask & IN_IGNORED) != 0) watches_.erase(known);  // the watched path no longer exists, and neither does the watch
  return true;
}

void Inotify::NoteWriter(int watch, uint32_t mask, const std::string& name) {
  if ((mask & IN_MODIFY) != 0) {
    written_.emplace(watch, name);
  } else if ((mask & (IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_IGNORED)) != 0) {
    written_.erase({watch, name});
  }
}

}  // namespace berth::reload
