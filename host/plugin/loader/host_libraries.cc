#include "plugin/loader/host_libraries.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace berth::loader {
namespace {

// One loaded image. glibc has turned the addresses of its dynamic section into pointers, save for the kernel's vDSO.
class LoadedImage {
 public:
  explicit LoadedImage(const dl_phdr_info& info) : base_(info.dlpi_addr) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
      dynamic_ = reinterpret_cast<const Elf64_Dyn*>(base_ + info.dlpi_phdr[i].p_vaddr);
    }
  }

  std::string Soname() const {
    const Elf64_Dyn* entry = Entry(DT_SONAME);
    return entry == nullptr ? std::string() : Text(entry->d_un.d_val);
  }
  std::set<std::string> Versions() const {
    std::set<std::string> names;
    const Elf64_Dyn* table = Entry(DT_VERDEF);
    const Elf64_Dyn* count = Entry(DT_VERDEFNUM);
    if (table == nullptr || count == nullptr) return names;
    const char* at = Pointer(table);
    for (uint64_t i = 0; i < count->d_un.d_val; ++i) {
      const auto* definition = reinterpret_cast<const Elf64_Verdef*>(at);
      names.insert(Text(reinterpret_cast<const Elf64_Verdaux*>(at + definition->vd_aux)->vda_name));
      at += definition->vd_next;
    }
    return names;
  }

 private:
  const Elf64_Dyn* Entry(int64_t tag) const {
    for (const Elf64_Dyn* entry = dynamic_; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == tag) return entry;
    }
    return nullptr;
  }
  const char* Pointer(const Elf64_Dyn* entry) const {
    const uint64_t value = entry->d_un.d_ptr;
    return reinterpret_cast<const char*>(value < base_ ? value + base_ : value);
  }
  std::string Text(uint64_t index) const {
    const Elf64_Dyn* table = Entry(DT_STRTAB);
    return table == nullptr ? std::string() : Pointer(table) + index;
  }

  uint64_t base_;
  const Elf64_Dyn* dynamic_ = nullptr;
};

int Collect(dl_phdr_info* info, size_t, void* out) {
  const LoadedImage image(*info);
  const std::string soname = image.Soname();
  if (!soname.empty()) (*static_cast<HostLibraries::Versions*>(out))[soname] = image.Versions();
  return 0;
}

// "GLIBC_2.34" -> {"GLIBC_", {2, 34}}
std::pair<std::string_view, std::vector<int>> SplitVersion(std::string_view version) {
  const size_t digits = std::min(version.find_first_of("0123456789"), version.size());
  std::vector<int> numbers;
  for (std::string_view rest = version.substr(digits); !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    int number = 0;
    std::from_chars(part.data(), part.data() + part.size(), number);
    numbers.push_back(number);
  }
  return {version.substr(0, digits), numbers};
}

}  // namespace

const HostLibraries& HostLibraries::OfThisProcess() {
  static const auto* libraries = [] {
    Versions versions;
    dl_iterate_phdr(Collect, &versions);
    return new HostLibraries(std::move(versions));
  }();
  return *libraries;
}

bool HostLibraries::Defines(const std::string& library, const std::string& version) const {
  const auto found = versions_.find(library);
  return found != versions_.end() && found->second.contains(version);
}

std::string HostLibraries::HighestLike(const std::string& library, std::string_view version) const {
  const auto found = versions_.find(library);
  if (found == versions_.end()) return {};
  const auto kind = SplitVersion(version).first;
  std::string highest;
  std::vector<int> highest_numbers;
  for (const std::string& one : found->second) {
    auto [one_kind, numbers] = SplitVersion(one);
    if (one_kind != kind || numbers.empty() || numbers <= highest_numbers) continue;
    highest = one;
    highest_numbers = std::move(numbers);
  }
  return highest;
}

bool IsSanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

}  // namespace berth::loader
