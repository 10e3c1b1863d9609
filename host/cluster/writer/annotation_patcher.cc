#include "cluster/writer/annotation_patcher.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "client/requests/api_status.h"
#include "cluster/writer/pod_paths.h"
#include "codec/json/value.h"
#include "telemetry/log/log.h"

namespace berth::writer {
namespace {

std::string BodyOf(const api::Pod& pod, const engine::Annotations& annotations) {
  json::Value members{json::Object()};
  for (const auto& [key, value] : annotations) members.Set(key, value ? json::Value(*value) : json::Value(nullptr));
  json::Value metadata = json::Value::MakeObject({{"uid", pod.uid()}});  // protects a newer pod with the same name
  metadata.Set("annotations", std::move(members));
  return json::Dump(json::Value::MakeObject({{"metadata", std::move(metadata)}}));
}

}  // namespace

void AnnotationPatcher::Patch(const api::PodRef& pod, engine::MakeAnnotations make) {
  {
    base::MutexLock lock(mutex_);
    if (closed_) return;
    const auto same = [&](const Entry& entry) { return entry.pod->uid() == pod->uid(); };
    const auto it = std::find_if(waiting_.begin(), waiting_.end(), same);
    if (it != waiting_.end()) {
      it->make = std::move(make);
      return;
    }
    if (waiting_.size() >= kMostWaiting) {
      log::V(2, "Too many pods wait for their annotations; the annotations are not written",
             {{"pod", log::KObj(pod->key())}});
      return;
    }
    waiting_.push_back({pod, std::move(make)});
    if (std::exchange(under_way_, true)) return;
  }
  Enqueue();
}

void AnnotationPatcher::Close() {
  base::MutexLock lock(mutex_);
  closed_ = true;
  waiting_.clear();
}

void AnnotationPatcher::Enqueue() {
  queue_.Post([this] { return Next(); }, [this](const http::Reply& reply) { OnReply(reply); });
}

std::optional<AnnotationPatcher::Entry> AnnotationPatcher::TakeFirst() {
  const bool may_write = !may_write_ || may_write_();
  base::MutexLock lock(mutex_);
  if (!may_write) waiting_.clear();
  if (waiting_.empty()) return std::nullopt;
  Entry entry = std::move(waiting_.front());
  waiting_.pop_front();
  sent_ = entry.pod->key();
  return entry;
}

std::optional<http::Request> AnnotationPatcher::Next() {
  const std::optional<Entry> entry = TakeFirst();
  if (!entry) return std::nullopt;
  const std::string_view ns = entry->pod->ns();
  http::Request request;
  request.method = "PATCH";
  request.path = PodPath(ns, entry->pod->name());
  request.content_type = "application/merge-patch+json";
  request.accept = queue_.accept();
  request.body = BodyOf(*entry->pod, entry->make());
  return request;
}

void AnnotationPatcher::OnReply(const http::Reply& reply) {
  const bool stopped = queue_.stopped();
  {
    base::MutexLock lock(mutex_);
    const std::string pod = std::exchange(sent_, "");
    if (!pod.empty() && !reply.ok()) {
      const requests::ApiStatus status = requests::StatusOf(reply, "patch annotations of pod " + pod);
      log::V(2, "Failed to patch the annotations of the pod", {{"pod", log::KObj(pod)}, {"err", status.message}});
    }
    if (stopped) waiting_.clear();
    under_way_ = !waiting_.empty();
    if (!under_way_) return;
  }
  Enqueue();
}

}  // namespace berth::writer
