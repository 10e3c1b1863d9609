// The attributes of a program that posix_spawn starts: default actions for all signals, its own process group so that a
// signal reaches the program and its children, and no descriptors except the standard three. Thread: any. Ownership:
// the caller owns the descriptors.
#pragma once

#include <spawn.h>

namespace berth::os {

class SpawnRules {
 public:
  // The program's standard input, output and error. in -1: the standard input is empty.
  SpawnRules(int in, int out, int err);
  SpawnRules(const SpawnRules&) = delete;
  ~SpawnRules();

  // The arguments of posix_spawn.
  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace berth::os
