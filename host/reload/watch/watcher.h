// Reports changes of the configuration and the libraries: edits in place, files renamed over others, ConfigMaps whose
// ..data has a new target, incomplete copies, directories that disappear and return. inotify reports changes that the
// kernel sees at once; a look every few seconds finds the others (NFS, some FUSE, lower layers of an overlay, new
// mounts). The coordinator creates it. The housekeeper waits for events and times; a look and the callback run on a
// thread that exists only meanwhile. Any thread may call Poke and Watch, also inside the callback. Source: kubelet's
// pkg/volume/util/atomic_writer.go.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/housekeeper.h"
#include "base/task_threads.h"
#include "base/thread_annotations.h"
#include "reload/watch/debounce.h"
#include "reload/watch/fingerprint.h"
#include "reload/watch/inotify.h"

namespace berth::reload {

struct WatcherOptions {
  DebounceTimes times;
  std::chrono::milliseconds poll{10'000};  // between looks without events; > 0
  bool inotify = true;                     // false: looks only
};

class Watcher {
 public:
  using Changed = std::function<void(const Fingerprint&)>;

  // reported: the known fingerprint, taken (Fingerprinter::TakeNow) before the files were read for use, so that the
  // first look finds a change in between. changed must not throw; it is called only if the fingerprint differs from the
  // last reported one. Changes while it runs are reported afterwards. Without inotify, the watcher logs a warning and
  // finds changes by looks only.
  Watcher(const WatchedPaths& paths, Fingerprint reported, Changed changed, const WatcherOptions& options = {});
  // Waits until a running callback returns; do not call it inside the callback.
  ~Watcher();
  Watcher(const Watcher&) = delete;

  // Looks at once, without a quiet period (SIGHUP), but still waits for files that are being written.
  void Poke();
  // Watches other paths from now on, and looks at once. Other paths give another fingerprint, which is reported.
  void Watch(const WatchedPaths& paths);
  // How many fingerprints have been compared with the last one reported, and reported if they differ. Any thread.
  uint64_t compared() const { return compared_.load(std::memory_order_acquire); }

 private:
  using Time = Debounce::Time;
  void Begin();  // Work on the thread, as soon as possible

  // On the thread:
  void Work();                // what there is to do now
  void AwaitMore(Time when);  // Work again at that time, or when there are events
  void Hear();                // the events that have arrived
  bool TakeOrders();          // of Poke and Watch; returns whether there were any
  bool being_written() const { return has_new_empty_file_ || (inotify_ && inotify_->being_written()); }
  FileSnapshot MakeFileSnapshot();  // and watch what it passes
  void LogTrouble();                // of inotify
  void LookAtOnce();                // when ordered
  void LookAfterChanges(Time now);  // when they are due
  void LookForMissed();             // at start, and after a long time without events
  void Tell(Fingerprint fingerprint);

  const WatcherOptions options_;
  const Changed changed_;

  base::Mutex mutex_;
  bool poked_ GUARDED_BY(mutex_) = false;
  std::optional<WatchedPaths> to_watch_ GUARDED_BY(mutex_);

  std::atomic<uint64_t> compared_{0};

  // Of the thread:
  WatchedPaths paths_;
  Fingerprint reported_;
  std::optional<Inotify> inotify_;
  Fingerprinter fingerprinter_;
  FileSnapshot survey_;              // the last one
  bool has_new_empty_file_ = false;  // it contains a new empty file, whose content is probably not written yet
  Debounce settling_;
  Time next_look_{};   // although there are no events
  Time deaf_until_{};  // events that arrive together are read together
  std::string logged_trouble_;

  const std::shared_ptr<base::Housekeeper> keeper_ = base::Housekeeper::OfProcess();
  const uint64_t number_;  // of Begin
  base::TaskThreads thread_{{.name = "file-watcher", .most = 1, .idle = std::chrono::milliseconds(200)}};
};

}  // namespace berth::reload
