// What leaves a function of the ABI is not even a std::exception.
#include "at_work.h"

namespace {
struct Stone {};
berth_status Filter(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows*, berth_verdict*) { throw Stone(); }
}  // namespace

extern "C" {
AT_WORK_FILTER("FilterThrowsNothingKnown", Filter)
}
