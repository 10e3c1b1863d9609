#include "crash/stack/stack.h"

#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "plugin/loader/mapping.h"

namespace berth::crash {
namespace {

struct Module {
  uint64_t begin, end, base;
  std::string file;
};

// Published complete and never changed.
struct Modules {
  unsigned long long adds = 0;
  std::vector<Module> list;
};
std::atomic<const Modules*> g_modules{nullptr};  // without a lock: a signal handler reads it

Module ModuleOf(const dl_phdr_info& info) {
  Module module{UINT64_MAX, 0, info.dlpi_addr, info.dlpi_name};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    module.begin = std::min<uint64_t>(module.begin, info.dlpi_addr + segment.p_vaddr);
    module.end = std::max<uint64_t>(module.end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  return module;
}

// The dynamic linker has names of staged libraries that are unknown to the next process.
void NameLibraries(std::vector<Module>& list) {
  for (const loader::Mapping* mapping : loader::Mappings()) {
    const auto at = reinterpret_cast<uint64_t>(mapping->entry);
    for (Module& module : list) {
      if (at >= module.begin && at < module.end) module.file = mapping->path;
    }
  }
}

unsigned long long Adds() {
  unsigned long long adds = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<unsigned long long*>(out) = info->dlpi_adds;
        return 1;  // the first module is enough
      },
      &adds);
  return adds;
}

}  // namespace

void NoteModules() {
  static base::Mutex mutex;
  static std::vector<std::unique_ptr<const Modules>> kept GUARDED_BY(mutex);
  base::MutexLock lock(mutex);
  const Modules* now = g_modules.load();
  const unsigned long long adds = Adds();
  if (now != nullptr && now->adds == adds) return;
  auto modules = std::make_unique<Modules>();
  modules->adds = adds;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        static_cast<std::vector<Module>*>(out)->push_back(ModuleOf(*info));
        return 0;
      },
      &modules->list);
  std::error_code error;
  if (!modules->list.empty() && modules->list.front().file.empty()) {
    modules->list.front().file = std::filesystem::read_symlink("/proc/self/exe", error).string();
  }
  NameLibraries(modules->list);
  g_modules.store(modules.get());
  kept.push_back(std::move(modules));
}

void PrepareStacks() {
  void* frame[1];
  backtrace(frame, 1);
  NoteModules();
}

void TakeStack(CrashRecord& record, uint64_t from) {
  void* addresses[kMostFrames];
  const int n = std::max(backtrace(addresses, static_cast<int>(kMostFrames)), 0);
  void** begin = std::find(addresses, addresses + n, reinterpret_cast<void*>(from));
  if (begin == addresses + n) begin = addresses;
  record.n_frames = static_cast<uint32_t>(addresses + n - begin);
  const Modules* modules = g_modules.load();
  size_t used = 0;
  for (uint32_t i = 0; i < record.n_frames; ++i) {
    CrashRecord::Frame& frame = record.frames[i];
    frame = {reinterpret_cast<uint64_t>(begin[i]), 0, kNoModule};
    if (modules == nullptr) continue;
    for (const Module& module : modules->list) {
      if (frame.address < module.begin || frame.address >= module.end) continue;
      frame.offset = frame.address - module.base;
      size_t at = 0;
      while (at < used && strncmp(record.modules[at].data(), module.file.c_str(), record.modules[at].size() - 1) != 0)
        ++at;
      if (at == kMostModules) break;
      if (at == used) strncpy(record.modules[used++].data(), module.file.c_str(), record.modules[at].size() - 1);
      frame.module = static_cast<uint16_t>(at);
      break;
    }
  }
}

}  // namespace berth::crash
