// Which directories and files the kernel is asked to tell about, and what it reported. It is the listener of a survey:
// what one survey passes is watched from then on, what it no longer passes is forgotten. Owned and used by the
// watcher's thread only.
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
  // Why watching is not possible, or only in part: "" when all is well, and after a survey without failures.
  const std::string& trouble() const { return trouble_; }
  int fd() const { return fd_.get(); }  // readable when there is something to Read

  // Around each survey.
  void BeginSnapshot();
  void EndSnapshot();
  void Passes(const std::string& directory, const std::string& name, bool last) override;
  void Lists(const std::string& directory) override;
  void Reaches(const std::string& file) override;

  // Takes everything that is there, without blocking. Is anything of it about what is watched? Then names and links may
  // lead elsewhere now: make a survey.
  bool Read();

  // Has somebody written to a watched file and not closed it yet?
  bool being_written() const { return !written_.empty(); }
  // Those writers are waited for no more.
  void ForgetWriters() { written_.clear(); }

 private:
  struct Watch {
    std::set<std::string> names;  // that matter in this directory
    bool libraries = false;       // all libraries do
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
