#include "reload/watch/watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "base/thread_name.h"
#include "os/crypto/digest.h"
#include "os/fd/file_descriptor.h"
#include "telemetry/log/log.h"

namespace berth::reload {
namespace {

using Clock = std::chrono::steady_clock;

// The time between two reads of events: a process that writes 1,000 times a second causes fifty surveys, not 1,000.
constexpr std::chrono::milliseconds kDeaf{20};

// For poll(2), rounded up so that it does not return too early.
int MillisecondsUntil(Debounce::Time when) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

// The paths of files that were empty in the reported fingerprint.
std::set<std::string> EmptyFiles(const Fingerprint& reported) {
  const std::string empty = crypto::Sha256Hex({});
  std::set<std::string> paths;
  const auto add = [&](const std::vector<FileState>& files) {
    for (const FileState& file : files) {
      if (file.digest == empty) paths.insert(file.path);
    }
  };
  add(reported.files);
  for (const DirectoryState& directory : reported.directories) add(directory.libraries);
  return paths;
}

// Whether a new empty file exists. Between its creation and the first write, no event shows that a process has it open.
bool HasNewEmptyFile(const FileSnapshot& survey, const Fingerprint& reported) {
  std::vector<const FileSighting*> empty;
  const auto add = [&](const std::vector<FileSighting>& files) {
    for (const FileSighting& file : files) {
      if (file.error == 0 && file.id.size == 0 && S_ISREG(file.id.mode)) empty.push_back(&file);
    }
  };
  add(survey.files);
  for (const DirectorySighting& directory : survey.directories) add(directory.libraries);
  if (empty.empty()) return false;
  const std::set<std::string> known = EmptyFiles(reported);
  return std::any_of(empty.begin(), empty.end(), [&](const FileSighting* file) { return !known.contains(file->path); });
}

}  // namespace

base::Result<std::unique_ptr<Watcher>> Watcher::Start(const WatchedPaths& paths, Fingerprint reported, Changed changed,
                                                      const WatcherOptions& options) {
  os::FileDescriptor wake(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake.valid()) return base::Fail(os::SystemText("files cannot be watched: eventfd", errno));
  return std::unique_ptr<Watcher>(
      new Watcher(std::move(wake), paths, std::move(reported), std::move(changed), options));
}

Watcher::Watcher(os::FileDescriptor wake, const WatchedPaths& paths, Fingerprint reported, Changed changed,
                 const WatcherOptions& options)
    : options_(options),
      changed_(std::move(changed)),
      wake_(std::move(wake)),
      paths_(paths.Absolute()),
      reported_(std::move(reported)),
      settling_(options.times) {
  if (options_.inotify) inotify_.emplace();
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

Watcher::~Watcher() {
  thread_.request_stop();
  Wake();
  thread_.join();
}

void Watcher::Wake() { eventfd_write(wake_.get(), 1); }

void Watcher::Poke() {
  {
    base::MutexLock lock(mutex_);
    poked_ = true;
  }
  Wake();
}

void Watcher::Watch(const WatchedPaths& paths) {
  WatchedPaths absolute = paths.Absolute();
  {
    base::MutexLock lock(mutex_);
    to_watch_ = std::move(absolute);
  }
  Wake();
}

void Watcher::Run(const std::stop_token& stop) {
  base::NameThread("file-watcher");
  LookForMissed();  // changes since the reported fingerprint
  while (!stop.stop_requested()) {
    WaitUntil(settling_.waiting() ? settling_.Due(being_written()) : next_look_);
    if (stop.stop_requested()) return;
    Hear();
    if (TakeOrders()) LookAtOnce();
    const Time now = Clock::now();
    if (settling_.waiting()) {
      if (now >= settling_.Due(being_written())) LookAfterChanges(now);
    } else if (now >= next_look_) {
      LookForMissed();
    }
  }
}

void Watcher::WaitUntil(Time when) {
  const bool listens = inotify_ && inotify_->valid();
  const bool deaf = listens && Clock::now() < deaf_until_;
  pollfd fds[2] = {{wake_.get(), POLLIN, 0}, {listens ? inotify_->fd() : -1, POLLIN, 0}};
  poll(fds, deaf || !listens ? 1 : 2, MillisecondsUntil(deaf ? std::min(when, deaf_until_) : when));
  eventfd_t count;
  eventfd_read(wake_.get(), &count);
}

void Watcher::Hear() {
  if (!inotify_ || !inotify_->valid() || Clock::now() < deaf_until_) return;
  const bool relevant = inotify_->Read();
  deaf_until_ = Clock::now() + kDeaf;
  if (!relevant) return;
  survey_ = MakeFileSnapshot();
  settling_.Change(Clock::now(), true);
}

bool Watcher::TakeOrders() {
  base::MutexLock lock(mutex_);
  const bool ordered = std::exchange(poked_, false) || to_watch_;
  if (to_watch_) paths_ = std::move(*to_watch_);
  to_watch_.reset();
  return ordered;
}

FileSnapshot Watcher::MakeFileSnapshot() {
  const bool listens = inotify_ && inotify_->valid();
  if (listens) inotify_->BeginSnapshot();
  FileSnapshot survey = TakeFileSnapshot(paths_, listens ? &*inotify_ : nullptr);
  if (listens) inotify_->EndSnapshot();
  has_new_empty_file_ = HasNewEmptyFile(survey, reported_);
  LogTrouble();
  return survey;
}

void Watcher::LogTrouble() {
  if (!inotify_) return;
  if (inotify_->trouble() != std::exchange(logged_trouble_, inotify_->trouble()) && !logged_trouble_.empty()) {
    log::Warning(
        "Some changes of files are only found by looking for them",
        {{"err", logged_trouble_}, {"secondsBetweenLooks", static_cast<double>(options_.poll.count()) / 1000.0}});
  }
}

void Watcher::LookAtOnce() {
  survey_ = MakeFileSnapshot();
  next_look_ = Clock::now() + options_.poll;
  if (!being_written()) {
    Fingerprinter::Taken taken = fingerprinter_.Take(survey_);
    if (taken.settled) return Tell(std::move(taken.fingerprint));
  }
  settling_.Change(Clock::now(), false);
}

void Watcher::LookAfterChanges(Time now) {
  const bool last = now >= settling_.Limit(being_written());
  FileSnapshot survey = MakeFileSnapshot();
  const bool moving = survey != survey_;
  survey_ = std::move(survey);
  if (moving && !last) return settling_.Change(now, false);
  Fingerprinter::Taken taken = fingerprinter_.Take(survey_);
  if (!taken.settled && !last) return settling_.Change(now, false);
  settling_.Over();
  if (inotify_) inotify_->ForgetWriters();
  next_look_ = Clock::now() + options_.poll;
  Tell(std::move(taken.fingerprint));
}

void Watcher::LookForMissed() {
  survey_ = MakeFileSnapshot();
  next_look_ = Clock::now() + options_.poll;
  const Fingerprinter::Taken taken = fingerprinter_.Take(survey_);
  // A second look after the quiet period shows whether the file is complete.
  if (!taken.settled || !(taken.fingerprint == reported_)) settling_.Change(Clock::now(), false);
}

void Watcher::Tell(Fingerprint fingerprint) {
  if (!(fingerprint == reported_)) {
    reported_ = std::move(fingerprint);
    changed_(reported_);
  }
  compared_.fetch_add(1, std::memory_order_release);
}

}  // namespace berth::reload
