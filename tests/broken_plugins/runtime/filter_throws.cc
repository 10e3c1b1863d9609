// An exception leaves a function of the ABI.
#include <stdexcept>

#include "at_work.h"

namespace {
berth_status Filter(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows*, berth_verdict*) {
  throw std::runtime_error("lost my way");
}
}  // namespace

extern "C" {
AT_WORK_FILTER("FilterThrows", Filter)
}
