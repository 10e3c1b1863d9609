// Writes annotations of pods, with a merge patch and the pod's UID. Nothing waits for them: at most one patch is open,
// at most kMostWaiting pods wait, and a patch that fails is not sent again. The newest annotations of a pod replace
// older ones that wait.
//
// Thread: any. Ownership: as the binder's.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/thread_annotations.h"
#include "client/requests/request_queue.h"
#include "scheduler/engine/writes.h"

namespace berth::writer {

class AnnotationPatcher {
 public:
  static constexpr size_t kMostWaiting = 200;

  // may_write: as in RequestQueueOptions; without the right, what waits is dropped.
  AnnotationPatcher(requests::RequestQueue& queue, std::function<bool()> may_write)
      : queue_(queue), may_write_(std::move(may_write)) {}

  void Patch(const api::PodRef& pod, engine::MakeAnnotations make);
  // Drops what waits, and what comes.
  void Close();

 private:
  struct Entry {
    api::PodRef pod;
    engine::MakeAnnotations make;
  };
  void Enqueue();
  std::optional<http::Request> Next();
  std::optional<Entry> TakeFirst();
  void OnReply(const http::Reply& reply);

  requests::RequestQueue& queue_;
  const std::function<bool()> may_write_;  // may be empty
  base::Mutex mutex_;
  std::deque<Entry> waiting_ GUARDED_BY(mutex_);
  bool under_way_ GUARDED_BY(mutex_) = false;  // a request is queued or open
  bool closed_ GUARDED_BY(mutex_) = false;
  std::string sent_ GUARDED_BY(mutex_);  // the pod of the open patch; "": there is none
};

}  // namespace berth::writer
