// What an API server and its controllers would make of objects in files: the newest version of everything, admitted and
// expanded, told to a listener in order. Callers: the simulation. Thread: one.
// Ownership: words and listener are the caller's and outlive the loader.
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
#include "json/value.h"

namespace berth::manifests {

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void SetNode(api::NodeRef node) = 0;
  virtual void SetPod(api::PodRef pod) = 0;
  virtual void RemoveNode(std::string_view name) = 0;
  virtual void RemovePod(std::string_view key) = 0;  // "namespace/name"
  // Any other kind, with the name of its kind and the API server's defaults. false: nobody needs the kind.
  virtual bool SetObject(std::string_view /*api_version*/, std::string_view /*kind*/, json::Value) { return false; }
  // key: "namespace/name", or the name of what has no namespace.
  virtual bool RemoveObject(std::string_view /*api_version*/, std::string_view /*kind*/, std::string_view /*key*/) {
    return false;
  }
};

// The state of the cluster at first, or what happens to it later: then an object with a deletionTimestamp goes away at
// once. At first, one that an API server has made is terminating, and holds its room.
enum class Applying : uint8_t { kStart, kStep };

class Loader {
 public:
  // now_unix_ns: creation time of the first object that brings none; later ones get a millisecond more each.
  Loader(api::Vocabulary& words, Listener& listener, int64_t now_unix_ns);
  ~Loader();

  // Whose JSON nodes and pods bring along for extenders; nobody's unless set before the first Apply.
  void set_keep(api::KeepManifest pods, api::KeepManifest nodes);

  // Reads all files, then admits, expands and tells the listener: nodes and other objects first, then claims, then
  // pods, each in document order. A namespace that is used is there, given or not. Paths: files, directories (their
  // *.yaml, *.yml, *.json in name order), "-" for standard input.
  base::Result<void> Apply(const std::vector<std::string>& paths, Applying what);
  // Kind -> how many objects nobody read, over all Apply calls so far.
  const std::map<std::string, size_t>& ignored() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::manifests
