// What a rule is asked about: a library, or one plugin of it. Made by the validator; the library is opened in the child
// process of the rule. Thread: main.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "json/value.h"
#include "loader/library.h"
#include "loader/note.h"

namespace berth::validate {

struct Subject {
  std::string path;
  std::string plugin;        // empty: the library as a whole
  loader::Note note;         // of the library
  json::Value given_args;    // what the user gave, or else what the library's note offers; null: nothing
  uint64_t seed = 0;         // of what is random
  int64_t fuzz_seconds = 0;  // 0: no fuzzing

  const loader::NotedPlugin& noted() const { return *note.Find(plugin); }
};

// Maps the library into this process. Throws std::runtime_error with "<path>: BP-40: ..." when it cannot be.
std::shared_ptr<const loader::Library> Open(const Subject& subject);
std::shared_ptr<const loader::Library> Open(const std::string& path);

// Does it ask to be called one at a time?
bool IsSerialOnly(const loader::Library& library, const std::string& plugin);

}  // namespace berth::validate
