#include "cluster/reflector/outage.h"

#include <utility>

namespace berth::reflector {

void Outage::Broke(std::string why) {
  base::MutexLock lock(mutex_);
  if (!broken_ || Stands()) {
    broken_ = true;
    since_unix_ns_ = clock_.WallUnixNs();
    since_mono_ns_ = clock_.MonoNs();
  }
  accepted_mono_ns_.reset();
  why_ = std::move(why);
}

void Outage::Accepted() {
  base::MutexLock lock(mutex_);
  accepted_mono_ns_ = clock_.MonoNs();
}

void Outage::Mended() {
  base::MutexLock lock(mutex_);
  broken_ = false;
}

std::optional<Outage::State> Outage::state() const {
  base::MutexLock lock(mutex_);
  if (!broken_ || Stands()) return std::nullopt;
  return State{since_unix_ns_, clock_.MonoNs() - since_mono_ns_, why_};
}

bool Outage::Stands() const { return accepted_mono_ns_ && clock_.MonoNs() - *accepted_mono_ns_ >= base::kSecond; }

}  // namespace berth::reflector
