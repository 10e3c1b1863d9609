// The way from the root to a file or directory, name by name and link by link, so that each directory on it can be
// watched, or judged, before the next name is looked up in it. Links are what Kubernetes' volumes are made of:
// config.yaml -> ..data/config.yaml, ..data -> ..2026_07_01_x. Thread: any; nothing is kept.
#pragma once

#include <sys/stat.h>

#include <string>

namespace berth::base {

// Told of each step before it is taken. Directories come without links in them.
class WayListener {
 public:
  virtual ~WayListener() = default;
  // name is about to be looked up in directory; last: it may be the end of the way, not only a step on it.
  virtual void Passes(const std::string& directory, const std::string& name, bool last) {
    (void)directory, (void)name, (void)last;
  }
  // link has been read, the way goes on to target; the listener may send it elsewhere.
  virtual void Follows(const std::string& link, std::string& target) { (void)link, (void)target; }
  // All names of directory are about to be listed.
  virtual void Lists(const std::string& directory) { (void)directory; }
  // The way ends at this file, which is about to be examined.
  virtual void Reaches(const std::string& file) { (void)file; }
};

struct WayEnd {
  std::string resolved;  // without links; where the way broke off when error is set
  int error = 0;         // errno: ENOENT, ENOTDIR, EACCES, ELOOP after 40 links, ...
  struct stat status {};
};

// path is absolute. The listener may be null.
WayEnd FollowWay(const std::string& path, WayListener* listener);

}  // namespace berth::base
