#include "os/subprocess/spawn_rules.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace berth::os {

SpawnRules::SpawnRules(int in, int out, int err) {
  posix_spawn_file_actions_init(&files_);
  if (in < 0) {
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&files_, in, STDIN_FILENO);
  }
  posix_spawn_file_actions_adddup2(&files_, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files_, err, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files_, STDERR_FILENO + 1);
  posix_spawnattr_init(&attributes_);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &all);
  posix_spawnattr_setpgroup(&attributes_, 0);
  posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

SpawnRules::~SpawnRules() {
  posix_spawn_file_actions_destroy(&files_);
  posix_spawnattr_destroy(&attributes_);
}

}  // namespace berth::os
