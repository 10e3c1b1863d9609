// An image in this process (a library, as the dynamic linker has mapped it) and the slots through which it calls other
// images. Thread: main, while nothing else loads libraries. Ownership: a value; images are never unmapped here.
#pragma once

#include <link.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace berth::validate {

class Image {
 public:
  static std::optional<Image> At(const void* address);            // that contains the address
  static std::optional<Image> Named(std::string_view file_name);  // whose file name starts with it: "libstdc++.so"

  bool Holds(const void* address) const;
  // From now on the image calls `function` instead of the import of this name. Returns the number of slots.
  int Redirect(std::string_view import, void* function) const;

 private:
  explicit Image(const dl_phdr_info& info);
  const ElfW(Phdr) * Find(uint32_t type) const;
  // An entry of the image's dynamic section, as an address in this process; 0: there is none.
  uintptr_t Pointer(int64_t tag) const;
  uint64_t Number(int64_t tag) const;
  int RedirectIn(uintptr_t relocations, uint64_t bytes, std::string_view import, void* function) const;
  void Store(uintptr_t slot, void* function) const;

  uintptr_t base_;
  std::vector<ElfW(Phdr)> headers_;
};

}  // namespace berth::validate
