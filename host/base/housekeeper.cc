#include "base/housekeeper.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/thread_name.h"

namespace berth::base {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestPoll = std::chrono::hours(1);
constexpr milliseconds kBlindPoll{100};  // without an eventfd

}  // namespace

// What the thread waits for.
struct Housekeeper::Poll {
  std::vector<pollfd> fds;        // first the eventfd
  std::vector<uint64_t> numbers;  // of the entries of the others
  milliseconds time{0};

  void operator()() { poll(fds.data(), fds.size(), static_cast<int>(time.count())); }
};

Housekeeper::Housekeeper(std::string name) : name_(std::move(name)), wake_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

std::shared_ptr<Housekeeper> Housekeeper::OfProcess() {
  static Mutex mutex;
  static std::weak_ptr<Housekeeper> shared GUARDED_BY(mutex);
  const MutexLock lock(mutex);
  std::shared_ptr<Housekeeper> keeper = shared.lock();
  if (keeper == nullptr) shared = keeper = std::make_shared<Housekeeper>("housekeeper");
  return keeper;
}

Housekeeper::~Housekeeper() {
  {
    const MutexLock lock(mutex_);
    quit_ = true;
  }
  Wake();
  if (thread_.joinable()) thread_.join();
  if (wake_ >= 0) close(wake_);
}

void Housekeeper::Wake() const {
  if (wake_ >= 0) eventfd_write(wake_, 1);
}

uint64_t Housekeeper::Add(std::chrono::nanoseconds delay, Task task) {
  const MutexLock lock(mutex_);
  const uint64_t number = AddEntry(std::move(task), true);
  Schedule(number, delay);
  return number;
}

uint64_t Housekeeper::AddAwaiting(std::function<void()> task) {
  const auto run = [task = std::move(task)] {
    task();
    return std::chrono::nanoseconds(0);
  };
  const MutexLock lock(mutex_);
  return AddEntry(run, false);
}

uint64_t Housekeeper::AddEntry(Task task, bool periodic) {
  const uint64_t number = ++last_number_;
  entries_.emplace(number, Entry{std::make_shared<const Task>(std::move(task)), periodic});
  if (!thread_.joinable()) thread_ = std::jthread([this] { Loop(); });
  return number;
}

void Housekeeper::Await(uint64_t number, std::chrono::nanoseconds time, int fd) {
  const MutexLock lock(mutex_);
  const auto at = entries_.find(number);
  if (at == entries_.end()) return;
  due_.erase({at->second.due, number});
  at->second.fd = fd;
  Schedule(number, time);
}

void Housekeeper::Schedule(uint64_t number, std::chrono::nanoseconds delay) {
  Entry& entry = entries_.at(number);
  entry.due = std::chrono::steady_clock::now() + delay;
  const auto at = due_.emplace(entry.due, number).first;
  const bool own = thread_.get_id() == std::this_thread::get_id();
  if (!own && (at == due_.begin() || entry.fd >= 0)) Wake();
}

void Housekeeper::Remove(uint64_t number) {
  std::shared_ptr<const Task> removed;  // destroyed without the lock
  MutexLock lock(mutex_);
  const auto at = entries_.find(number);
  if (at == entries_.end()) return;
  due_.erase({at->second.due, number});
  if (at->second.fd >= 0) Wake();  // so that it is not polled any more
  removed = std::move(at->second.task);
  entries_.erase(at);
  if (thread_.get_id() != std::this_thread::get_id()) {
    ended_.wait(lock, [&]() REQUIRES(mutex_) { return running_ != number; });
  }
  lock.unlock();
}

void Housekeeper::Loop() {
  NameThread(name_);
  MutexLock lock(mutex_);
  while (!quit_) {
    Poll poll = NextPoll();
    lock.unlock();
    poll();
    lock.lock();
    NoteReadable(poll);
    if (quit_ || !HasDue()) continue;
    std::shared_ptr<const Task> task = Begin();
    lock.unlock();
    const std::chrono::nanoseconds pause = (*task)();
    task.reset();  // the last reference if the task has been removed
    lock.lock();
    End(pause);
  }
}

Housekeeper::Poll Housekeeper::NextPoll() const {
  Poll poll{.fds = {{wake_, POLLIN, 0}}, .time = wake_ < 0 ? kBlindPoll : kLongestPoll};
  for (const auto& [due, number] : due_) {
    const Entry& entry = entries_.at(number);
    if (entry.fd < 0) continue;
    poll.fds.push_back({entry.fd, POLLIN, 0});
    poll.numbers.push_back(number);
  }
  if (!due_.empty()) {
    const auto rest = std::chrono::ceil<milliseconds>(due_.begin()->first - std::chrono::steady_clock::now());
    poll.time = std::clamp(rest, milliseconds(0), poll.time);
  }
  return poll;
}

// Those that are readable are due now, after what was due before.
void Housekeeper::NoteReadable(const Poll& poll) {
  const Time now = std::chrono::steady_clock::now();
  if (eventfd_t count; poll.fds[0].revents != 0) eventfd_read(wake_, &count);
  for (size_t i = 0; i < poll.numbers.size(); ++i) {
    const uint64_t number = poll.numbers[i];
    const auto at = entries_.find(number);
    if (poll.fds[i + 1].revents == 0 || at == entries_.end() || at->second.due <= now) continue;
    if (due_.erase({at->second.due, number}) == 0) continue;
    at->second.due = now;
    due_.emplace(at->second.due, number);
  }
}

bool Housekeeper::HasDue() const { return !due_.empty() && due_.begin()->first <= std::chrono::steady_clock::now(); }

std::shared_ptr<const Housekeeper::Task> Housekeeper::Begin() {
  running_ = due_.begin()->second;
  due_.erase(due_.begin());
  Entry& entry = entries_.at(running_);
  entry.fd = -1;
  return entry.task;
}

void Housekeeper::End(std::chrono::nanoseconds pause) {
  const uint64_t number = std::exchange(running_, 0);
  const auto at = entries_.find(number);
  if (at != entries_.end() && at->second.periodic) Schedule(number, pause);
  ended_.notify_all();
}

PeriodicTask::PeriodicTask(std::chrono::nanoseconds every, std::function<void()> fn)
    : number_(keeper_->Add(every, [every, fn = std::move(fn)] {
        fn();
        return every;
      })) {}

}  // namespace berth::base
