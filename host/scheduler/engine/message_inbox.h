// The inbox of the scheduling thread, which a step reads for a limited time, so that many messages do not stop
// scheduling.
// Thread: Post, WaitFor and Wake from any thread; everything else from the scheduling thread.
// Ownership: owns the messages; the clock outlives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/inbox.h"
#include "scheduler/engine/messages.h"

namespace berth::engine {

class MessageInbox {
 public:
  // slice_ns: see EngineOptions::inbox_slice_ns.
  MessageInbox(const base::Clock& clock, int64_t slice_ns) : clock_(clock), slice_ns_(slice_ns) {}

  void Post(Message message) { inbox_.Push(std::move(message)); }
  void WaitFor(int64_t ns) { inbox_.WaitFor(ns); }  // until a message or Wake comes, at most ns
  void Wake() { inbox_.Wake(); }

  // Calls handle(Message&) for each message, for the time of one slice. Takes newer messages out of the inbox only
  // after it has read all that it took before. false: there was no message.
  template <class Handle>
  bool Read(Handle&& handle) {
    if (next_ == taken_.size()) {
      inbox_.Drain(taken_);
      next_ = 0;
    }
    if (taken_.empty()) return false;
    ReadTaken(NextSlice(), handle);
    return true;
  }

  // Calls handle(Message&) for each message that is there now.
  template <class Handle>
  void ReadAll(Handle&& handle) {
    ReadTaken(INT64_MAX, handle);
    inbox_.Drain(taken_);
    ReadTaken(INT64_MAX, handle);
  }

  size_t size() const { return taken_.size() - next_ + inbox_.size(); }  // messages that are not read yet

  // Drops all messages.
  void Clear() {
    inbox_.Drain(taken_);
    taken_.clear();
    next_ = 0;
  }

 private:
  // INT64_MAX: without a limit.
  int64_t NextSlice() const;

  template <class Handle>
  void ReadTaken(int64_t slice_ns, Handle& handle) {
    constexpr size_t kBetweenLooks = 16;  // messages; reading the clock costs as much as a cheap message
    const bool all = slice_ns == INT64_MAX;
    const int64_t began = all ? 0 : clock_.MonoNs();
    for (size_t read = 0; next_ < taken_.size(); ++read) {
      if (!all && read % kBetweenLooks == kBetweenLooks - 1 && clock_.MonoNs() - began >= slice_ns) break;
      Message message = std::move(taken_[next_++]);  // so that what it holds is freed now
      handle(message);
    }
    if (next_ == taken_.size()) {
      taken_.clear();
      next_ = 0;
    }
    if (!all) read_ended_mono_ns_ = clock_.MonoNs();
  }

  const base::Clock& clock_;
  const int64_t slice_ns_;
  base::Inbox<Message> inbox_;
  std::vector<Message> taken_;  // out of the inbox; the first next_ have been read
  size_t next_ = 0;
  int64_t read_ended_mono_ns_ = 0;
};

}  // namespace berth::engine
