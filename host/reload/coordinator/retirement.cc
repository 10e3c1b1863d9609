#include "reload/coordinator/retirement.h"

namespace berth::reload {

std::shared_ptr<const framework::ProfileSet> Retirement::Wrap(std::shared_ptr<framework::ProfileSet> set) {
  const framework::ProfileSet* raw = set.get();
  return {raw, [bin = bin_, set = std::move(set)](const framework::ProfileSet*) mutable { bin->Take(std::move(set)); }};
}

// A set that gets no thread, or that the thread leaves behind when it stops, is destroyed on the thread of the caller.
void Retirement::Bin::Take(Retired set) {
  thread.Post([set = std::move(set)]() mutable { set.reset(); });
}

}  // namespace berth::reload
