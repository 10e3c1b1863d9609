// Loads objects from files and turns them into what an API server and its controllers would store: the newest version
// of every object, admitted and expanded. Passes them to a listener in order. Callers: the simulation. Thread: one.
// Ownership: the caller owns intern and listener, which must outlive the loader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/result.h"
#include "codec/json/value.h"

namespace berth::manifests {

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void SetNode(api::NodeRef node) = 0;
  virtual void SetPod(api::PodRef pod) = 0;
  virtual void RemoveNode(std::string_view name) = 0;
  virtual void RemovePod(std::string_view key) = 0;  // "namespace/name"
  // Whether some plugin needs the kind.
  virtual bool NeedsObjects(std::string_view /*api_version*/, std::string_view /*kind*/) { return false; }
  // Sets an object of another kind, or a node or pod if a plugin needs them as objects too, with the API server's
  // defaults. Returns false if no plugin needs the kind.
  virtual bool SetObject(std::string_view /*api_version*/, std::string_view /*kind*/, json::Value) { return false; }
  // key: "namespace/name"; the name if it has no namespace.
  virtual bool RemoveObject(std::string_view /*api_version*/, std::string_view /*kind*/, std::string_view /*key*/) {
    return false;
  }
};

// kStart: the initial state of the cluster. An object with a deletionTimestamp from an API server is terminating and
// still occupies its resources. kStep: a later change. An object with a deletionTimestamp is deleted at once.
enum class Applying : uint8_t { kStart, kStep };

class Loader {
 public:
  // now_unix_ns: creation time of the first object without one; each further one is one millisecond later.
  Loader(api::InternTables& intern, Listener& listener, int64_t now_unix_ns);
  ~Loader();

  // Sets which nodes and pods keep their JSON for extenders. None by default. Call it before the first Apply.
  void set_keep(api::KeepManifest pods, api::KeepManifest nodes);

  // Reads all files, admits and expands the objects, and passes them to the listener: nodes and other objects first,
  // then claims, then pods, each in document order. Creates namespaces that are used but not given. Paths: files,
  // directories (their *.yaml, *.yml, *.json in name order), "-" for standard input.
  base::Result<void> Apply(const std::vector<std::string>& paths, Applying what);
  // Kind -> number of objects that were ignored, in all Apply calls so far.
  const std::map<std::string, size_t>& ignored() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::manifests
