#include "telemetry/profile/code_symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace berth::profile {
namespace {

struct FreeText {
  void operator()(char* text) const { std::free(text); }
};

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, FreeText> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
  return text == nullptr ? name : std::string(text.get());
}

std::string Hex(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// The file whose symbol table is that of the mapped code for sure: the program's own, and the copies from which plugins
// are mapped. Other files may have been replaced since. "": none.
std::string TrustedFile(const Dl_info& info) {
  const std::string_view name = info.dli_fname == nullptr ? "" : info.dli_fname;
  if (name.starts_with("/proc/self/fd/")) return std::string(name);
  static const void* const own = [] {
    Dl_info program{};
    dladdr(reinterpret_cast<const void*>(&Hex), &program);
    return program.dli_fbase;
  }();
  return info.dli_fbase == own ? "/proc/self/exe" : "";
}

}  // namespace

Symbols::Found Symbols::Find(uint64_t address) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(address), &info) == 0) return {};
  const auto base = reinterpret_cast<uint64_t>(info.dli_fbase);
  const std::string file = info.dli_fname == nullptr ? "" : info.dli_fname;
  Found found{"", 0, std::filesystem::path(file).filename().string(), address - base};
  const std::string trusted = TrustedFile(info);
  if (!trusted.empty()) {
    const auto at = tables_.try_emplace(trusted, trusted).first;
    if (const SymbolTable::Entry* entry = at->second.Find(found.offset)) {
      found.name = Demangled(at->second.NameOf(*entry));
      found.distance = found.offset - entry->begin;
      return found;
    }
  }
  if (info.dli_sname != nullptr) {
    found.name = Demangled(info.dli_sname);
    found.distance = address - reinterpret_cast<uint64_t>(info.dli_saddr);
  }
  return found;
}

std::string Symbols::NameOf(uint64_t address) { return Find(address).name; }

std::string Symbols::PlaceOf(uint64_t address) {
  const Found found = Find(address);
  if (!found.name.empty()) return found.name + "+" + Hex(found.distance);
  return found.file.empty() ? "" : found.file + "+" + Hex(found.offset);
}

}  // namespace berth::profile
