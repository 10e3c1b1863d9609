// A sandbox with a watcher, and the reports of the watcher. Thread: the test's, except for the call.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "eventually.h"
#include "reload/watch/watcher.h"
#include "sandbox.h"

namespace berth::reload {

class Watched : public Sandbox {
 protected:
  static constexpr std::chrono::milliseconds kQuiet{60};
  static constexpr std::chrono::hours kNever{1};
  static constexpr std::chrono::seconds kDeadline{30};

  Watched() {
    options_.times = {.quiet = kQuiet, .at_most = std::chrono::seconds(10), .writing = std::chrono::seconds(60)};
    options_.poll = kNever;  // only events can find a change
  }
  ~Watched() override { watcher_.reset(); }

  void Start(const WatchedPaths& paths) { StartFrom(Fingerprinter().TakeNow(paths), paths); }
  void StartFrom(Fingerprint reported, const WatchedPaths& paths) {
    watcher_ = std::make_unique<Watcher>(
        paths, std::move(reported), [this](const Fingerprint& print) { Hear(print); }, options_);
  }
  // Waits until the watcher has made its first survey and events report an edit.
  void StartAndProve(const WatchedPaths& paths, const std::string& file) {
    Start(paths);
    Write(file, "the first words");
    ASSERT_TRUE(TellsThat(Path(file), "the first words") && Compares(1));
    std::lock_guard lock(mutex_);
    reported_.clear();
  }

  // Waits until the last reported fingerprint has this content of a watched file or library; nullptr: the file cannot
  // be read.
  bool TellsThat(const std::string& path, const char* content) {
    const std::string digest = content == nullptr ? "" : Sha256(content);
    std::unique_lock lock(mutex_);
    return arrived_.wait_for(lock, kDeadline,
                             [&] { return !reported_.empty() && DigestOf(reported_.back(), path) == digest; });
  }
  // Waits until the watcher has compared n fingerprints with the last one reported since its start.
  bool Compares(uint64_t n) {
    return Eventually([&] { return watcher_->compared() >= n; }, kDeadline);
  }
  size_t reported() {
    std::lock_guard lock(mutex_);
    return reported_.size();
  }
  std::vector<std::string> DigestsTold(const std::string& path) {
    std::lock_guard lock(mutex_);
    std::vector<std::string> digests;
    for (const Fingerprint& print : reported_) digests.push_back(DigestOf(print, path));
    return digests;
  }
  static std::string DigestOf(const Fingerprint& print, const std::string& path) {
    for (const FileState& file : print.files) {
      if (file.path == path) return file.digest;
    }
    for (const DirectoryState& directory : print.directories) {
      for (const FileState& library : directory.libraries) {
        if (library.path == path) return library.digest;
      }
    }
    return "";
  }

  WatcherOptions options_;
  std::function<void()> during_call_;  // set before Start
  std::unique_ptr<Watcher> watcher_;

 private:
  void Hear(const Fingerprint& print) {
    {
      std::lock_guard lock(mutex_);
      reported_.push_back(print);
    }
    arrived_.notify_all();
    if (during_call_) during_call_();
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Fingerprint> reported_;
};

}  // namespace berth::reload
