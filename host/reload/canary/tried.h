// The libraries that a child process has loaded without a crash, by digest. A file that is replaced between the canary
// and the loading is not loaded. Thread: any. Ownership: shared by the canary, which adds, and the loader.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "plugin/loader/rehearsal.h"

namespace berth::canary {

class TriedLibraries {
 public:
  void Add(const std::vector<std::string>& sha256) {
    base::MutexLock lock(mutex_);
    digests_.insert(sha256.begin(), sha256.end());
  }
  // For loader::LoaderOptions::rehearse.
  std::optional<loader::Finding> Check(const loader::Rehearsal& rehearsal) const {
    base::MutexLock lock(mutex_);
    if (digests_.contains(rehearsal.sha256)) return std::nullopt;
    return loader::Finding{loader::Rule::kRehearsal, "has changed since a child process loaded it"};
  }

 private:
  mutable base::Mutex mutex_;
  std::set<std::string> digests_ GUARDED_BY(mutex_);
};

}  // namespace berth::canary
