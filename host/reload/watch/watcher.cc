#include "reload/watch/watcher.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

#include "os/crypto/digest.h"
#include "telemetry/log/log.h"

namespace berth::reload {
namespace {

using Clock = std::chrono::steady_clock;

// The time between two reads of events: a process that writes 1,000 times a second causes fifty surveys, not 1,000.
constexpr std::chrono::milliseconds kDeaf{20};

// Until the next try when the system gives no thread.
constexpr std::chrono::seconds kNoThread{1};

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

Watcher::Watcher(const WatchedPaths& paths, Fingerprint reported, Changed changed, const WatcherOptions& options)
    : options_(options),
      changed_(std::move(changed)),
      paths_(paths.Absolute()),
      reported_(std::move(reported)),
      settling_(options.times),
      number_(keeper_->AddAwaiting([this] { Begin(); })) {
  if (options_.inotify) inotify_.emplace();
  Begin();  // looks for changes since the reported fingerprint
}

Watcher::~Watcher() {
  keeper_->Remove(number_);
  thread_.Stop();
}

void Watcher::Begin() {
  const auto posted = thread_.Post([this] { Work(); });
  if (posted == base::TaskThreads::Posted::kNoThread) keeper_->Await(number_, kNoThread, -1);
}

void Watcher::Poke() {
  {
    base::MutexLock lock(mutex_);
    poked_ = true;
  }
  Begin();
}

void Watcher::Watch(const WatchedPaths& paths) {
  WatchedPaths absolute = paths.Absolute();
  {
    base::MutexLock lock(mutex_);
    to_watch_ = std::move(absolute);
  }
  Begin();
}

void Watcher::Work() {
  Hear();
  if (TakeOrders()) LookAtOnce();
  const Time now = Clock::now();
  if (settling_.waiting()) {
    if (now >= settling_.Due(being_written())) LookAfterChanges(now);
  } else if (now >= next_look_) {
    LookForMissed();
  }
  AwaitMore(settling_.waiting() ? settling_.Due(being_written()) : next_look_);
}

void Watcher::AwaitMore(Time when) {
  const bool listens = inotify_ && inotify_->valid();
  const bool deaf = listens && Clock::now() < deaf_until_;
  const auto left = (deaf ? std::min(when, deaf_until_) : when) - Clock::now();
  keeper_->Await(number_, left, listens && !deaf ? inotify_->fd() : -1);
}

void Watcher::Hear() {
  if (!inotify_ || !inotify_->valid() || Clock::now() < deaf_until_) return;
  const Inotify::Heard heard = inotify_->Read();
  if (heard == Inotify::Heard::kNothing) return;
  deaf_until_ = Clock::now() + kDeaf;
  if (heard != Inotify::Heard::kRelevant) return;
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
