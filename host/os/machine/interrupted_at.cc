#include "os/machine/interrupted_at.h"

#include <ucontext.h>

namespace berth::os {

uint64_t InterruptedAt(const void* context) {
#if defined(__x86_64__)
  return static_cast<uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return context == nullptr ? 0 : 0;
#endif
}

}  // namespace berth::os
