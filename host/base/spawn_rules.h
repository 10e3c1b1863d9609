// How programs are started beside this one: default signals, a process group of their own, so that they can be ended
// with their children, and no descriptor but the standard three. Thread: any. Ownership: the descriptors are the
// caller's.
#pragma once

#include <spawn.h>

namespace berth::base {

class SpawnRules {
 public:
  // What becomes the program's standard input, output and error; in -1: it reads nothing.
  SpawnRules(int in, int out, int err);
  SpawnRules(const SpawnRules&) = delete;
  ~SpawnRules();

  // For posix_spawn.
  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace berth::base
