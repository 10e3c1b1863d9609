#include "cmd/berthctl/validate/allocations.h"

#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

#include <cerrno>
#include <new>
#include <optional>

#include "cmd/berthctl/validate/image.h"

namespace berth::validate {
namespace {

struct State {
  bool on = false;
  uint32_t nth = 0, made = 0;
};
thread_local State state;  // in an executable: its access allocates nothing

std::optional<Image> plugin_image, runtime_image;

bool Refused() { return state.on && ++state.made == state.nth; }

// Whether, in a call from libstdc++, the nearest frame outside of libstdc++ is the plugin's.
bool IsForPlugin() {
  if (!state.on) return false;
  constexpr int kMostFrames = 32;
  void* frames[kMostFrames];
  const int n = backtrace(frames, kMostFrames);
  bool entered = false;
  for (int i = 0; i < n; ++i) {
    const bool inside = runtime_image->Holds(frames[i]);
    if (entered && !inside) return plugin_image->Holds(frames[i]);
    entered = entered || inside;
  }
  return false;
}
bool RefusedInRuntime() { return IsForPlugin() && Refused(); }

void* OutOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

// ---- malloc and related functions
void* Malloc(size_t bytes) { return Refused() ? OutOfMemory() : malloc(bytes); }
void* Calloc(size_t n, size_t bytes) { return Refused() ? OutOfMemory() : calloc(n, bytes); }
void* Realloc(void* old, size_t bytes) { return Refused() ? OutOfMemory() : realloc(old, bytes); }
void* ReallocArray(void* old, size_t n, size_t bytes) {
  return Refused() ? OutOfMemory() : reallocarray(old, n, bytes);
}
void* AlignedAlloc(size_t alignment, size_t bytes) {
  return Refused() ? OutOfMemory() : aligned_alloc(alignment, bytes);
}
int PosixMemalign(void** out, size_t alignment, size_t bytes) {
  return Refused() ? ENOMEM : posix_memalign(out, alignment, bytes);
}
char* Strdup(const char* text) { return Refused() ? static_cast<char*>(OutOfMemory()) : strdup(text); }
char* Strndup(const char* text, size_t n) { return Refused() ? static_cast<char*>(OutOfMemory()) : strndup(text, n); }

// ---- operator new; the array forms do the same, as in libstdc++
using Judge = bool (*)();
template <Judge refused>
void* New(size_t bytes) {
  if (refused()) throw std::bad_alloc();
  return ::operator new(bytes);
}
template <Judge refused>
void* NewAligned(size_t bytes, std::align_val_t alignment) {
  if (refused()) throw std::bad_alloc();
  return ::operator new(bytes, alignment);
}
template <Judge refused>
void* NewOrNull(size_t bytes, const std::nothrow_t& nothrow) noexcept {
  return refused() ? nullptr : ::operator new(bytes, nothrow);
}
template <Judge refused>
void* NewAlignedOrNull(size_t bytes, std::align_val_t alignment, const std::nothrow_t& nothrow) noexcept {
  return refused() ? nullptr : ::operator new(bytes, alignment, nothrow);
}

template <class Fn>
void Redirect(const Image& image, const char* name, Fn* function) {
  image.Redirect(name, reinterpret_cast<void*>(function));
}
template <Judge refused>
void RedirectNew(const Image& image) {
  for (const char* name : {"_Znwm", "_Znam"}) Redirect(image, name, &New<refused>);
  for (const char* name : {"_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"}) {
    Redirect(image, name, &NewAligned<refused>);
  }
  for (const char* name : {"_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"}) Redirect(image, name, &NewOrNull<refused>);
  for (const char* name : {"_ZnwmSt11align_val_tRKSt9nothrow_t", "_ZnamSt11align_val_tRKSt9nothrow_t"}) {
    Redirect(image, name, &NewAlignedOrNull<refused>);
  }
}

}  // namespace

void HookAllocations(const loader::Library& library) {
  void* frame = nullptr;
  (void)backtrace(&frame, 1);  // its first call allocates
  plugin_image = Image::At(reinterpret_cast<const void*>(library.mapping().entry));
  runtime_image = Image::Named("libstdc++.so");
  if (!plugin_image) return;
  Redirect(*plugin_image, "malloc", &Malloc);
  Redirect(*plugin_image, "calloc", &Calloc);
  Redirect(*plugin_image, "realloc", &Realloc);
  Redirect(*plugin_image, "reallocarray", &ReallocArray);
  Redirect(*plugin_image, "posix_memalign", &PosixMemalign);
  Redirect(*plugin_image, "strdup", &Strdup);
  Redirect(*plugin_image, "strndup", &Strndup);
  for (const char* name : {"aligned_alloc", "memalign"}) Redirect(*plugin_image, name, &AlignedAlloc);
  RedirectNew<&Refused>(*plugin_image);
  if (runtime_image) RedirectNew<&RefusedInRuntime>(*runtime_image);
}

Hunger::Hunger(uint32_t nth) { state = {true, nth, 0}; }
Hunger::~Hunger() { state.on = false; }
uint32_t Hunger::made() const { return state.made; }

}  // namespace berth::validate
