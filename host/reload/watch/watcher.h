// Tells when the configuration or the libraries have changed: edits in place, files renamed over others, ConfigMaps
// whose ..data leads elsewhere, copies under way, directories that vanish and come back. inotify tells at once where
// the kernel knows; a look every few seconds finds the rest (NFS, some FUSE, lower layers of an overlay, new mounts).
// Made by main for the swap's coordinator. Poke and Watch are for any thread, also from inside the call; the call comes
// on the watcher's own thread. Source: kubelet's pkg/volume/util/atomic_writer.go.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "os/fd/file_descriptor.h"
#include "reload/watch/debounce.h"
#include "reload/watch/fingerprint.h"
#include "reload/watch/inotify.h"

namespace berth::reload {

struct WatcherOptions {
  DebounceTimes times;
  std::chrono::milliseconds poll{10'000};  // between looks when nothing is heard; > 0
  bool inotify = true;                     // false: looks only
};

class Watcher {
 public:
  using Changed = std::function<void(const Fingerprint&)>;

  // reported: what is known already, taken (Fingerprinter::TakeNow) before the files were read for use, so that a
  // change in between is found by the first look. changed must not throw, and is called only when the fingerprint
  // differs from the last one reported; what changes while it runs is reported after it. Fails when there is no
  // descriptor left. Without inotify it goes on, by looks, and logs a warning.
  static base::Result<std::unique_ptr<Watcher>> Start(const WatchedPaths& paths, Fingerprint reported, Changed changed,
                                                      const WatcherOptions& options = {});
  // Waits for a call under way; not from inside the call.
  ~Watcher();
  Watcher(const Watcher&) = delete;

  // Look at once, without a quiet period (SIGHUP); what is being written is waited for all the same.
  void Poke();
  // Other paths from now on; looks at once. Other paths make another fingerprint, which is reported.
  void Watch(const WatchedPaths& paths);
  // How many fingerprints have been compared with the last one reported, and reported if they differ. Any thread.
  uint64_t compared() const { return compared_.load(std::memory_order_acquire); }

 private:
  using Time = Debounce::Time;
  Watcher(os::FileDescriptor wake, const WatchedPaths& paths, Fingerprint reported, Changed changed,
          const WatcherOptions& options);
  void Wake();

  // On the thread:
  void Run(const std::stop_token& stop);
  void WaitUntil(Time when);  // or until events or orders come
  void Hear();                // the events that have come
  bool TakeOrders();          // of Poke and Watch; were there any?
  bool being_written() const { return hollow_ || (inotify_ && inotify_->being_written()); }
  FileSnapshot MakeFileSnapshot();  // and watch what it passes
  void LogTrouble();                // of inotify
  void LookAtOnce();                // when ordered
  void LookAfterChanges(Time now);  // when they are due
  void LookForMissed();             // at start, and when nothing was heard for long
  void Tell(Fingerprint fingerprint);

  const WatcherOptions options_;
  const Changed changed_;
  const os::FileDescriptor wake_;  // an eventfd

  base::Mutex mutex_;
  bool poked_ GUARDED_BY(mutex_) = false;
  std::optional<WatchedPaths> to_watch_ GUARDED_BY(mutex_);

  std::atomic<uint64_t> compared_{0};

  // Of the thread:
  WatchedPaths paths_;
  Fingerprint reported_;
  std::optional<Inotify> inotify_;
  Fingerprinter fingerprinter_;
  FileSnapshot survey_;  // the last
  bool hollow_ = false;  // an empty file has come in it, whose content is probably still to come
  Debounce settling_;
  Time next_look_{};   // though nothing is heard
  Time deaf_until_{};  // events that come together are taken together
  std::string logged_trouble_;
  std::jthread thread_;
};

}  // namespace berth::reload
