// Throws an object that is not a std::exception out of a function of the ABI.
#include "at_work.h"

namespace {
struct Stone {};
berth_status Filter(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows*, berth_verdict*) { throw Stone(); }
}  // namespace

extern "C" {
AT_WORK_FILTER("FilterThrowsNothingKnown", Filter)
}
