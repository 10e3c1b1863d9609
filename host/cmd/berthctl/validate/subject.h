// The subject of a rule: a library, or one plugin of it. The validator makes it; the child process of the rule opens
// the library. Thread: main.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "codec/json/value.h"
#include "plugin/loader/library.h"
#include "plugin/loader/note.h"

namespace berth::validate {

struct Subject {
  std::string path;
  std::string plugin;        // empty: the library as a whole
  loader::Note note;         // of the library
  json::Value given_args;    // from the user, or else the sample args of the note; null: none
  uint64_t seed = 0;         // of random clusters and pods
  int64_t fuzz_seconds = 0;  // 0: no fuzzing

  const loader::NotedPlugin& noted() const { return *note.Find(plugin); }
};

// Maps the library into this process. Throws std::runtime_error with "<path>: BP-40: ..." if this fails.
std::shared_ptr<const loader::Library> Open(const Subject& subject);
std::shared_ptr<const loader::Library> Open(const std::string& path);

// Whether the plugin sets BERTH_F_SERIAL_ONLY.
bool IsSerialOnly(const loader::Library& library, const std::string& plugin);

}  // namespace berth::validate
