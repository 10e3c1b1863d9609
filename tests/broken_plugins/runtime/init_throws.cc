// An exception leaves init().
#include <stdexcept>

#include "at_work.h"

namespace {
berth_status Init(berth_plugin*) { throw std::runtime_error("no coffee"); }
berth_status Filter(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows*, berth_verdict*) {
  return BERTH_SUCCESS;
}
}  // namespace

extern "C" {
static const berth_filter table = {sizeof(berth_filter), 0, {0, 0, 0, 0, 0}, Filter};
AT_WORK_LIBRARY_WITH("InitThrows", "filter", BERTH_POINT_FILTER, table, Init)
}
