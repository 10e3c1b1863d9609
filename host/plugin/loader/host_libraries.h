// The runtime libraries of this process and the symbol versions that they define, which limit what a plugin can import
// from libc and libstdc++. Reads the mapped images, which are the copies that plugins link to.
// Thread: any. The result is computed once.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace berth::loader {

class HostLibraries {
 public:
  using Versions = std::map<std::string, std::set<std::string>>;  // soname -> the versions it defines

  static const HostLibraries& OfThisProcess();
  explicit HostLibraries(Versions versions) : versions_(std::move(versions)) {}

  // Whether the library is loaded. The versions of others are unknown before dlopen.
  bool Has(const std::string& library) const { return versions_.contains(library); }
  bool Defines(const std::string& library, const std::string& version) const;
  // The highest version of a kind that a library defines: ("libc.so.6", "GLIBC_2.99") -> "GLIBC_2.36"; "" when none.
  std::string HighestLike(const std::string& library, std::string_view version) const;

 private:
  Versions versions_;
};

// Whether this program was built with a sanitizer: plugins may then need its runtime, too.
bool IsSanitized();

}  // namespace berth::loader
