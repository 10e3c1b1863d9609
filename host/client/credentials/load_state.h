// The state that a load of the configuration passes on to the next load. Thread: one at a time. Holds secrets.
#pragma once

#include <memory>

#include "client/credentials/exec_source.h"
#include "client/credentials/file_texts.h"

namespace berth::credentials {

struct LoadState {
  FileTexts files;
  // The credential command in use, null for none. A load keeps it and its credentials if the command did not change.
  std::shared_ptr<ExecSource> exec;
  // A complete configuration is in use. A configuration with fallbacks must not replace it, because its file may be
  // incomplete.
  bool strict = false;
  bool guessed = false;  // the load has used a fallback

  // Whether the load may use a fallback; records that it does.
  bool MayGuess() {
    guessed = guessed || !strict;
    return !strict;
  }
};

}  // namespace berth::credentials
