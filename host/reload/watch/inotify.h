// The inotify watches of directories and files, and the events that the kernel reported. This object is the listener of
// a survey: it watches the paths of the last survey, and drops the watches of all others. Only the watcher's thread
// owns and uses it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "os/fd/file_descriptor.h"
#include "os/file/path_walker.h"

namespace berth::reload {

class Inotify final : public os::PathListener {
 public:
  Inotify();

  bool valid() const { return fd_.valid(); }
  // Why watching is impossible, completely or in part; "" if it is possible, and after a survey without failures.
  const std::string& trouble() const { return trouble_; }
  int fd() const { return fd_.get(); }  // readable when there are events to Read

  // Call these before and after each survey.
  void BeginSnapshot();
  void EndSnapshot();
  void Passes(const std::string& directory, const std::string& name, bool last) override;
  void Lists(const std::string& directory) override;
  void Reaches(const std::string& file) override;

  enum class Heard : uint8_t { kNothing, kOther, kRelevant };
  // Reads all available events without blocking. kRelevant: an event concerns a watched path, so names and links may
  // have other targets now: make a survey. kOther: there were only other events.
  Heard Read();

  // Whether a process has written to a watched file and not closed it yet.
  bool being_written() const { return !written_.empty(); }
  // Stops waiting for those writers.
  void ForgetWriters() { written_.clear(); }

 private:
  struct Watch {
    std::set<std::string> names;  // that matter in this directory
    bool libraries = false;       // all libraries matter
  };
  Watch* Add(const std::string& path, uint32_t mask);
  bool Concerns(int watch, uint32_t mask, const std::string& name);
  void NoteWriter(int watch, uint32_t mask, const std::string& name);

  os::FileDescriptor fd_;
  std::string trouble_;
  std::map<int, Watch> watches_;                   // by watch descriptor
  std::map<int, Watch> coming_;                    // of the survey under way
  std::set<std::pair<int, std::string>> written_;  // the file of that name in that directory; "": the watched file
};

}  // namespace berth::reload
