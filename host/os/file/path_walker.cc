#include "os/file/path_walker.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <vector>

namespace berth::os {
namespace {

constexpr int kMostLinks = 40;  // as in Linux

// The remaining names in reverse order; the last one is next.
class Names {
 public:
  void Prepend(const std::string& path) {
    size_t end = path.size();
    while (end > 0) {
      const size_t slash = path.rfind('/', end - 1);
      const size_t begin = slash == std::string::npos ? 0 : slash + 1;
      if (begin < end && path.compare(begin, end - begin, ".") != 0) names_.push_back(path.substr(begin, end - begin));
      end = begin == 0 ? 0 : begin - 1;
    }
  }
  bool empty() const { return names_.empty(); }
  std::string Take() {
    std::string name = std::move(names_.back());
    names_.pop_back();
    return name;
  }

 private:
  std::vector<std::string> names_;
};

// Absolute, "" for the root.
void LeaveDirectory(std::string& directory) {
  const size_t slash = directory.rfind('/');
  directory.resize(slash == std::string::npos ? 0 : slash);
}

bool ReadLink(const std::string& path, std::string& target) {
  char text[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), text, sizeof text);
  if (length < 0) return false;
  target.assign(text, static_cast<size_t>(length));
  return true;
}

}  // namespace

PathEnd WalkPath(const std::string& path, PathListener* listener) {
  Names names;
  names.Prepend(path);
  std::string directory, target;
  struct stat status;
  for (int links = 0; !names.empty();) {
    const std::string name = names.Take();
    if (name == "..") {
      LeaveDirectory(directory);
      continue;
    }
    if (listener != nullptr) listener->Passes(directory.empty() ? "/" : directory, name, names.empty());
    const std::string next = directory + "/" + name;
    if (lstat(next.c_str(), &status) != 0) return {next, errno};
    if (S_ISLNK(status.st_mode)) {
      if (++links > kMostLinks) return {next, ELOOP};
      if (!ReadLink(next, target)) return {next, errno};
      if (listener != nullptr) listener->Follows(next, target);
      if (target.starts_with('/')) directory.clear();
      names.Prepend(target);
    } else if (S_ISDIR(status.st_mode)) {
      directory = next;
    } else if (names.empty()) {
      if (listener != nullptr) listener->Reaches(next);
      if (lstat(next.c_str(), &status) != 0) return {next, errno};
      return {next, 0, status};
    } else {
      return {next, ENOTDIR};
    }
  }
  if (directory.empty()) directory = "/";
  if (lstat(directory.c_str(), &status) != 0) return {directory, errno};
  return {directory, 0, status};
}

}  // namespace berth::os
