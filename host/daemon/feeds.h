// Objects as reflectors tell of them, decoded and handed to the scheduling thread. Thread: one call at a time, on
// whatever thread the reflector uses. Ownership: words and engine outlive the feeds.
#pragma once

#include "api/vocabulary.h"
#include "engine/engine.h"
#include "source/object_feed.h"

namespace berth::daemon {

class NodeFeed final : public source::ObjectFeed {
 public:
  NodeFeed(api::Vocabulary& words, engine::Engine& engine) : words_(words), engine_(engine) {}
  base::Result<Seen> Set(std::string_view json) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const source::KeySet> present) override;

 private:
  api::Vocabulary& words_;
  engine::Engine& engine_;
};

class PodFeed final : public source::ObjectFeed {
 public:
  PodFeed(api::Vocabulary& words, engine::Engine& engine) : words_(words), engine_(engine) {}
  base::Result<Seen> Set(std::string_view json) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const source::KeySet> present) override;

 private:
  api::Vocabulary& words_;
  engine::Engine& engine_;
};

}  // namespace berth::daemon
