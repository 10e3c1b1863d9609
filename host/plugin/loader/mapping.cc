#define BOOST_DLL_USE_STD_FS
#include "plugin/loader/mapping.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <deque>
#include <memory>

#include "plugin/loader/elf.h"

namespace berth::loader {
namespace {

namespace dll = boost::dll;

struct Registry {
  base::Mutex mutex;
  std::deque<Mapping> mappings GUARDED_BY(mutex);  // never removed: pointers to them stay valid
  std::vector<std::unique_ptr<dll::shared_library>> handles GUARDED_BY(mutex);  // never closed
};

Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

// RTLD_NOW: a missing symbol must fail the load, not the first call. RTLD_NODELETE has no name in Boost.DLL, which
// passes it on.
tl::expected<std::unique_ptr<dll::shared_library>, Finding> Open(const std::string& linker_path) {
  const auto mode =
      dll::load_mode::rtld_now | dll::load_mode::rtld_local | static_cast<dll::load_mode::type>(RTLD_NODELETE);
  std::error_code error;
  auto library = std::make_unique<dll::shared_library>();
  // glibc for AArch64 passes an exception of a constructor on, and keeps its lock: ends the process here, as glibc for
  // x86-64 does.
  [&]() noexcept { library->load(std::filesystem::path(linker_path), error, mode); }();
  if (!error) return library;
  const char* text = dlerror();  // the code of Boost is always "bad file descriptor"
  std::string reason = text == nullptr ? error.message() : text;
  if (reason.starts_with(linker_path + ": ")) reason.erase(0, linker_path.size() + 2);
  return tl::unexpected(Finding{Rule::kOpens, "cannot be opened: " + reason});
}

struct ImageSearch {
  uint64_t address;
  std::string build_id;
};

// Reads the build id of the image around an address.
int ReadBuildId(dl_phdr_info* info, size_t, void* out) {
  auto* search = static_cast<ImageSearch*>(out);
  const std::span<const Elf64_Phdr> segments(info->dlpi_phdr, info->dlpi_phnum);
  const bool here = std::any_of(segments.begin(), segments.end(), [&](const Elf64_Phdr& segment) {
    const uint64_t start = info->dlpi_addr + segment.p_vaddr;
    return segment.p_type == PT_LOAD && search->address >= start && search->address - start < segment.p_memsz;
  });
  if (!here) return 0;
  std::vector<ElfNote> notes;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_NOTE) continue;
    const auto* bytes = reinterpret_cast<const std::byte*>(info->dlpi_addr + segment.p_vaddr);
    ReadNotes({bytes, segment.p_memsz}, segment.p_align, notes);
  }
  search->build_id = BuildIdOf(notes);
  return 1;
}

std::string MappedBuildId(const void* address) {
  ImageSearch search{reinterpret_cast<uint64_t>(address), ""};
  dl_iterate_phdr(ReadBuildId, &search);
  return search.build_id;
}

std::optional<Finding> Locate(dll::shared_library& library, Mapping& mapping) {
  std::error_code error;
  void* entry = dlsym(library.native(), "berth_entry_v1");
  Dl_info info{};
  if (entry == nullptr || dladdr(entry, &info) == 0) {
    return Finding{Rule::kNewMapping, "has no berth_entry_v1 once it is mapped"};
  }
  mapping.entry = reinterpret_cast<EntryFunction>(entry);
  mapping.base = info.dli_fbase;
  return std::nullopt;
}

// glibc can return an image that it knows by the same path; see staging.h.
std::optional<Finding> CheckNew(const Mapping& mapping, const std::deque<Mapping>& others) {
  for (const Mapping& other : others) {
    if (other.base != mapping.base) continue;
    return Finding{Rule::kNewMapping, "was answered with the code of generation " + std::to_string(other.generation) +
                                          " (" + other.path + ") by the dynamic linker"};
  }
  const std::string mapped = MappedBuildId(reinterpret_cast<const void*>(mapping.entry));
  if (mapped == mapping.build_id) return std::nullopt;
  return Finding{Rule::kNewMapping, "has build id " + mapping.build_id + ", but what the dynamic linker mapped has " +
                                        (mapped.empty() ? "none" : mapped)};
}

}  // namespace

base::Mutex& LoadMutex() {
  static auto* mutex = new base::Mutex;
  return *mutex;
}

const Mapping* FindMapping(const std::string& sha256) {
  Registry& registry = TheRegistry();
  base::MutexLock lock(registry.mutex);
  for (const Mapping& mapping : registry.mappings) {
    if (mapping.sha256 == sha256) return &mapping;
  }
  return nullptr;
}

std::vector<const Mapping*> Mappings() {
  Registry& registry = TheRegistry();
  base::MutexLock lock(registry.mutex);
  std::vector<const Mapping*> all;
  for (const Mapping& mapping : registry.mappings) all.push_back(&mapping);
  return all;
}

tl::expected<const Mapping*, Finding> MapStaged(Staged staged, Mapping wanted) {
  auto library = Open(staged.linker_path());
  if (!library) return tl::unexpected(std::move(library.error()));
  staged.RemoveFile();
  staged.KeepOpen();
  Registry& registry = TheRegistry();
  base::MutexLock lock(registry.mutex);
  dll::shared_library& handle = *registry.handles.emplace_back(std::move(*library));
  if (auto wrong = Locate(handle, wanted)) return tl::unexpected(std::move(*wrong));
  if (auto wrong = CheckNew(wanted, registry.mappings)) return tl::unexpected(std::move(*wrong));
  wanted.generation = static_cast<uint32_t>(registry.mappings.size()) + 1;
  return &registry.mappings.emplace_back(std::move(wanted));
}

}  // namespace berth::loader
