// Decodes the objects of one kind, and passes them to the loop. Thread: any that the reflector uses, one call at a
// time. Ownership: post outlives the feed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cluster/reflector/object_feed.h"
#include "controllers/rules/pod_facts.h"

namespace berth::reconcile {

// Runs on the thread of the loop.
using Task = std::function<void()>;
using Post = std::function<void(Task)>;

inline reflector::ObjectFeed::Seen SeenOf(const rules::PodFacts& pod) { return {pod.key(), pod.resource_version}; }
template <class Object>
reflector::ObjectFeed::Seen SeenOf(const Object& object) {
  return {object.meta.key(), object.meta.resource_version};
}

template <class Object>
class TableFeed final : public reflector::ObjectFeed {
 public:
  using Read = base::Result<Object> (*)(std::string_view json);
  // What the loop does.
  struct Handlers {
    std::function<void(Object)> set;
    std::function<void(const std::string& key)> gone;
    std::function<void(const base::TextSet* present)> listed;  // null: the first list
  };
  TableFeed(Read read, Post post, Handlers handlers)
      : read_(read), post_(std::move(post)), handlers_(std::make_shared<const Handlers>(std::move(handlers))) {}

  base::Result<Seen> Set(std::string_view json) override {
    auto object = read_(json);
    if (!object) return tl::unexpected(object.error());
    Seen seen = SeenOf(*object);
    post_([handlers = handlers_, object = std::move(*object)]() mutable { handlers->set(std::move(object)); });
    return seen;
  }
  void Gone(const std::string& key) override {
    post_([handlers = handlers_, key] { handlers->gone(key); });
  }
  void Listed(std::shared_ptr<const base::TextSet> present) override {
    post_([handlers = handlers_, present = std::move(present)] { handlers->listed(present.get()); });
  }

 private:
  const Read read_;
  const Post post_;
  const std::shared_ptr<const Handlers> handlers_;
};

}  // namespace berth::reconcile
