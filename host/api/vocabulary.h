// What all objects of one process share: the intern table, the block table, and the ids of words that code compares
// with. One per process, made by main (or by a test); outlives every object. Thread: any.
#pragma once

#include "api/block.h"
#include "base/intern.h"

namespace berth::api {

struct Vocabulary {
  Vocabulary();
  Vocabulary(const Vocabulary&) = delete;

  base::InternTable ids;
  BlockTable blocks{ids};

  // Owned for ever.
  base::Id cpu, memory, ephemeral_storage, pods;                                    // resource names
  base::Id no_schedule, no_execute, prefer_no_schedule;                             // taint effects
  base::Id op_in, op_not_in, op_exists, op_does_not_exist, op_gt, op_lt, op_equal;  // operators
  base::Id metadata_name;                                                           // the one node field selectors know
};

}  // namespace berth::api
