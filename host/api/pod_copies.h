// Copies of pods that use the memory of earlier copies again: the scheduler makes one for every pod that it places, and
// the API server's pod replaces it soon after.
//
//   PodCopies copies(intern);
//   PodRef assumed = copies.WithNodeName(*pod, node_id);
//
// Thread: WithNodeName on one thread at a time; the last reference to a copy may be dropped on any thread. Ownership:
// a copy keeps what it needs of this object; the intern tables outlive both.
#pragma once

#include <cstddef>
#include <memory>

#include "api/pod.h"

namespace berth::api {

class PodCopies {
 public:
  // The memory of at most so many copies is kept, with the capacity of their texts.
  static constexpr size_t kMostSpare = 1024;

  explicit PodCopies(InternTables& intern);
  ~PodCopies();
  PodCopies(const PodCopies&) = delete;

  // As api::WithNodeName. node: the id of the name, which the caller owns; not kNoId.
  PodRef WithNodeName(const Pod& pod, base::Id node);

 private:
  class Copy;
  class Spare;
  InternTables& intern_;
  const std::shared_ptr<Spare> spare_;
};

}  // namespace berth::api
