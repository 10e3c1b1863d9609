// Objects as reflectors tell of them, decoded and handed to the scheduling thread. Thread: one call at a time, on
// whatever thread the reflector uses. Ownership: words and engine outlive the feeds.
#pragma once

#include "api/vocabulary.h"
#include "engine/engine.h"
#include "objects/store.h"
#include "source/object_feed.h"

namespace berth::daemon {

class NodeFeed final : public source::ObjectFeed {
 public:
  NodeFeed(api::Vocabulary& words, engine::Engine& engine) : words_(words), engine_(engine) {}
  void set_keep(api::KeepManifest keep) { keep_ = keep; }  // before the first Set
  base::Result<Seen> Set(std::string_view json) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const source::KeySet> present) override;

 private:
  api::Vocabulary& words_;
  engine::Engine& engine_;
  api::KeepManifest keep_ = api::KeepManifest::kNo;
};

class PodFeed final : public source::ObjectFeed {
 public:
  PodFeed(api::Vocabulary& words, engine::Engine& engine) : words_(words), engine_(engine) {}
  void set_keep(api::KeepManifest keep) { keep_ = keep; }  // before the first Set
  base::Result<Seen> Set(std::string_view json) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const source::KeySet> present) override;

 private:
  api::Vocabulary& words_;
  engine::Engine& engine_;
  api::KeepManifest keep_ = api::KeepManifest::kNo;
};

// Of one kind that plugins need.
class ObjectsFeed final : public source::ObjectFeed {
 public:
  ObjectsFeed(api::Vocabulary& words, engine::Engine& engine, objects::KindId kind);
  base::Result<Seen> Set(std::string_view json) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const source::KeySet> present) override;
  objects::KindId kind() const { return kind_; }

 private:
  api::Vocabulary& words_;
  engine::Engine& engine_;
  const objects::KindId kind_;
  const std::string resource_;  // for errors
  const bool with_pod_template_;
};

}  // namespace berth::daemon
