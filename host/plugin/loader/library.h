// One open library: its note, its entry table, and its mapping. Immutable. Thread: any.
// Ownership: shared_ptr; the code stays mapped for the life of the process, so tables outlive the Library.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "berth/entry.h"
#include "plugin/loader/handshake.h"
#include "plugin/loader/mapping.h"
#include "plugin/loader/note.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

class Library {
 public:
  // Shared by all openings of the same bytes.
  struct Code {
    Mapping mapping;
    Note note;
    Greeting greeting;
    std::vector<Finding> findings;  // warnings and hints; there are no errors
  };
  Library(std::string path, std::shared_ptr<const Code> code) : path_(std::move(path)), code_(std::move(code)) {}

  const std::string& path() const { return path_; }  // the file as the user named it
  const std::string& sha256() const { return code_->mapping.sha256; }
  const std::string& build_id() const { return code_->mapping.build_id; }
  const std::string& version() const { return code_->note.version; }
  uint32_t generation() const { return code_->mapping.generation; }  // 1, 2, ...; equal bytes, equal generation
  const Mapping& mapping() const { return code_->mapping; }
  const Note& note() const { return code_->note; }
  const berth_entry* entry() const { return code_->greeting.entry; }
  const std::vector<Finding>& findings() const { return code_->findings; }

  std::vector<std::string> PluginNames() const { return note().Names(); }
  // nullptr when the library holds no plugin of that name.
  const berth_descriptor* Describe(std::string_view plugin) const;
  // The extension points that its note names; empty when there is no such plugin.
  std::span<const std::string> PointsOf(std::string_view plugin) const;

 private:
  std::string path_;
  std::shared_ptr<const Code> code_;
};

// A library whose code is linked into the program, for tests, fuzzers and benchmarks: the same handshake, no file.
base::Result<std::shared_ptr<const Library>> LinkedLibrary(std::string name, std::string_view note, EntryFunction entry,
                                                           uint32_t host_minor = BERTH_ABI_MINOR);

}  // namespace berth::loader
