#include "swap/watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "crypto/digest.h"
#include "log/log.h"

namespace berth::swap {
namespace {

using Clock = std::chrono::steady_clock;

// Between two readings of events: who writes a thousand times a second makes fifty surveys, not a thousand.
constexpr std::chrono::milliseconds kDeaf{20};

// For poll(2), rounded up so that it does not return just before.
int MillisecondsUntil(Settling::Time when) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

// The paths of files that were empty, and so known to be, when that was told.
std::set<std::string> EmptyFiles(const Fingerprint& told) {
  const std::string empty = crypto::Sha256Hex({});
  std::set<std::string> paths;
  const auto add = [&](const std::vector<FileState>& files) {
    for (const FileState& file : files) {
      if (file.digest == empty) paths.insert(file.path);
    }
  };
  add(told.files);
  for (const DirectoryState& directory : told.directories) add(directory.libraries);
  return paths;
}

// Has an empty file come? No event tells between its creation and the first write that somebody is at it.
bool IsHollow(const Survey& survey, const Fingerprint& told) {
  std::vector<const Sight*> empty;
  const auto add = [&](const std::vector<Sight>& files) {
    for (const Sight& file : files) {
      if (file.error == 0 && file.id.size == 0 && S_ISREG(file.id.mode)) empty.push_back(&file);
    }
  };
  add(survey.files);
  for (const DirectorySight& directory : survey.directories) add(directory.libraries);
  if (empty.empty()) return false;
  const std::set<std::string> known = EmptyFiles(told);
  return std::any_of(empty.begin(), empty.end(), [&](const Sight* file) { return !known.contains(file->path); });
}

}  // namespace

base::Result<std::unique_ptr<Watcher>> Watcher::Start(const WatchedPaths& paths, Fingerprint told, Changed changed,
                                                      const WatcherOptions& options) {
  loader::FileDescriptor wake(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!wake.valid()) return base::Fail(loader::SystemText("files cannot be watched: eventfd", errno));
  return std::unique_ptr<Watcher>(new Watcher(std::move(wake), paths, std::move(told), std::move(changed), options));
}

Watcher::Watcher(loader::FileDescriptor wake, const WatchedPaths& paths, Fingerprint told, Changed changed,
                 const WatcherOptions& options)
    : options_(options),
      changed_(std::move(changed)),
      wake_(std::move(wake)),
      paths_(paths.Absolute()),
      told_(std::move(told)),
      settling_(options.patience) {
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
    std::lock_guard lock(mutex_);
    poked_ = true;
  }
  Wake();
}

void Watcher::Watch(const WatchedPaths& paths) {
  WatchedPaths absolute = paths.Absolute();
  {
    std::lock_guard lock(mutex_);
    to_watch_ = std::move(absolute);
  }
  Wake();
}

void Watcher::Run(const std::stop_token& stop) {
  LookForMissed();  // what changed since told was taken
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
  survey_ = MakeSurvey();
  settling_.Change(Clock::now(), true);
}

bool Watcher::TakeOrders() {
  std::lock_guard lock(mutex_);
  const bool ordered = std::exchange(poked_, false) || to_watch_;
  if (to_watch_) paths_ = std::move(*to_watch_);
  to_watch_.reset();
  return ordered;
}

Survey Watcher::MakeSurvey() {
  const bool listens = inotify_ && inotify_->valid();
  if (listens) inotify_->BeginSurvey();
  Survey survey = TakeSurvey(paths_, listens ? &*inotify_ : nullptr);
  if (listens) inotify_->EndSurvey();
  hollow_ = IsHollow(survey, told_);
  LogTrouble();
  return survey;
}

void Watcher::LogTrouble() {
  if (!inotify_) return;
  if (inotify_->trouble() != std::exchange(logged_trouble_, inotify_->trouble()) && !logged_trouble_.empty()) {
    log::Warning("Some changes of files are only found by looking for them",
                 {{"err", logged_trouble_}, {"secondsBetweenLooks", options_.poll.count() / 1000.0}});
  }
}

void Watcher::LookAtOnce() {
  survey_ = MakeSurvey();
  next_look_ = Clock::now() + options_.poll;
  if (!being_written()) {
    Fingerprinter::Taken taken = fingerprinter_.Take(survey_);
    if (taken.settled) return Tell(std::move(taken.fingerprint));
  }
  settling_.Change(Clock::now(), false);
}

void Watcher::LookAfterChanges(Time now) {
  const bool last = now >= settling_.Limit(being_written());
  Survey survey = MakeSurvey();
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
  survey_ = MakeSurvey();
  next_look_ = Clock::now() + options_.poll;
  const Fingerprinter::Taken taken = fingerprinter_.Take(survey_);
  // Whether it is whole a second look tells, after the quiet period.
  if (!taken.settled || !(taken.fingerprint == told_)) settling_.Change(Clock::now(), false);
}

void Watcher::Tell(Fingerprint fingerprint) {
  if (fingerprint == told_) return;
  told_ = std::move(fingerprint);
  changed_(told_);
}

}  // namespace berth::swap
