// The tables that all objects of a process share: the intern table, the block table, and the ids of texts that the code
// compares with. One per process, created by main (or by a test). Outlives every object. Thread: any.
#pragma once

#include "api/block.h"
#include "base/intern.h"

namespace berth::api {

struct InternTables {
  InternTables();
  InternTables(const InternTables&) = delete;

  base::InternTable ids;
  BlockTable blocks{ids};

  // Never released.
  base::Id cpu, memory, ephemeral_storage, pods;                                    // resource names
  base::Id no_schedule, no_execute, prefer_no_schedule;                             // taint effects
  base::Id op_in, op_not_in, op_exists, op_does_not_exist, op_gt, op_lt, op_equal;  // operators
  // the only field that node field selectors support
  base::Id metadata_name;
};

}  // namespace berth::api
