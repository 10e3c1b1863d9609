// Resolves a path name by name and link by link, so that a listener can watch or check each directory before the next
// name is looked up in it. The volumes of Kubernetes consist of links: config.yaml -> ..data/config.yaml, ..data ->
// ..2026_07_01_x. Thread: any; nothing is kept.
#pragma once

#include <sys/stat.h>

#include <string>

namespace berth::os {

// Called before each step. Directories are paths without links.
class PathListener {
 public:
  virtual ~PathListener() = default;
  // Before name is looked up in directory. last: the path may end at this name.
  virtual void Passes(const std::string& directory, const std::string& name, bool last) {
    (void)directory, (void)name, (void)last;
  }
  // link has been read, and the path continues at target, which the listener may change.
  virtual void Follows(const std::string& link, std::string& target) { (void)link, (void)target; }
  // Before all names of directory are listed.
  virtual void Lists(const std::string& directory) { (void)directory; }
  // The path ends at this file, before it is examined.
  virtual void Reaches(const std::string& file) { (void)file; }
};

struct PathEnd {
  std::string resolved;  // without links; the path up to the failed step when error is set
  int error = 0;         // errno: ENOENT, ENOTDIR, EACCES, ELOOP after 40 links, ...
  struct stat status {};
};

// path is absolute. The listener may be null.
PathEnd WalkPath(const std::string& path, PathListener* listener);

}  // namespace berth::os
