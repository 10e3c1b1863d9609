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
  static std::optional<Image> At(const void* address);            // that the address is in
  static std::optional<Image> Named(std::string_view file_name);  // whose file's name begins so: "libstdc++.so"

  bool Holds(const void* address) const;
  // From now on the image calls `function` where it called the import of this name. How many slots there were.
  int Redirect(std::string_view import, void* function) const;

 private:
  explicit Image(const dl_phdr_info& info);
  const ElfW(Phdr) * Find(uint32_t type) const;
  // Of the image's dynamic section: an address in this process; 0: there is none.
  uintptr_t Pointer(int64_t tag) const;
  uint64_t Number(int64_t tag) const;
  int RedirectIn(uintptr_t relocations, uint64_t bytes, std::string_view import, void* function) const;
  void Store(uintptr_t slot, void* function) const;

  uintptr_t base_;
  std::vector<ElfW(Phdr)> headers_;
};

}  // namespace berth::validate
