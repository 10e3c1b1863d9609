// Decodes the objects that reflectors receive and passes them to the scheduling thread. Thread: any that the reflector
// uses, one call at a time. Ownership: intern and engine must outlive the feeds.
#pragma once

#include "api/intern_tables.h"
#include "cluster/reflector/object_feed.h"
#include "scheduler/engine/engine.h"
#include "scheduler/objects/store.h"

namespace berth::daemon {

class NodeFeed final : public reflector::ObjectFeed {
 public:
  NodeFeed(api::InternTables& intern, engine::Engine& engine) : intern_(intern), engine_(engine) {}
  void set_keep(api::KeepManifest keep) { keep_ = keep; }  // before the first Set
  base::Result<Seen> Set(std::string_view json) override;
  bool decodes_protobuf() const override { return true; }
  base::Result<Seen> SetProtobuf(std::string_view message) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const base::TextSet> present) override;

 private:
  base::Result<Seen> Post(base::Result<api::NodeRef> node);

  api::InternTables& intern_;
  engine::Engine& engine_;
  api::KeepManifest keep_ = api::KeepManifest::kNo;
};

class PodFeed final : public reflector::ObjectFeed {
 public:
  PodFeed(api::InternTables& intern, engine::Engine& engine) : intern_(intern), engine_(engine) {}
  void set_keep(api::KeepManifest keep) { keep_ = keep; }  // before the first Set
  base::Result<Seen> Set(std::string_view json) override;
  bool decodes_protobuf() const override { return true; }
  base::Result<Seen> SetProtobuf(std::string_view message) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const base::TextSet> present) override;

 private:
  base::Result<Seen> Post(base::Result<api::PodRef> pod);

  api::InternTables& intern_;
  engine::Engine& engine_;
  api::KeepManifest keep_ = api::KeepManifest::kNo;
};

// The feed of one kind that plugins need.
class ObjectsFeed final : public reflector::ObjectFeed {
 public:
  ObjectsFeed(api::InternTables& intern, engine::Engine& engine, objects::KindId kind);
  base::Result<Seen> Set(std::string_view json) override;
  void Gone(const std::string& key) override;
  void Listed(std::shared_ptr<const base::TextSet> present) override;
  objects::KindId kind() const { return kind_; }

 private:
  api::InternTables& intern_;
  engine::Engine& engine_;
  const objects::KindId kind_;
  const std::string resource_;  // for errors
  const bool with_pod_template_;
};

}  // namespace berth::daemon
