// What a load of the configuration reads from, for the next load to go on with. Thread: one at a time. Holds secrets.
#pragma once

#include <memory>

#include "kubeconfig/exec_source.h"
#include "kubeconfig/file_texts.h"

namespace berth::kubeconfig {

struct Sources {
  FileTexts files;
  // The credential command in use, null for none. A load keeps it, with what it has made, if it is still the same one.
  std::shared_ptr<ExecSource> exec;
  // A configuration that leaves nothing to be guessed is in use, and one that does must not take its place: it may be
  // half written.
  bool strict = false;
  bool guessed = false;

  // Asked before something is guessed.
  bool MayGuess() {
    guessed = guessed || !strict;
    return !strict;
  }
};

}  // namespace berth::kubeconfig
