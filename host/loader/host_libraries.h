// The runtime libraries of this process and the symbol versions they define: what a plugin may ask of libc and
// libstdc++. Read from the mapped images themselves, so it holds for the very copies that a plugin will be linked to.
// Thread: any; the answer is made once and stays.
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

  // Is the library loaded? Of one that is not, nothing can be said before dlopen.
  bool Has(const std::string& library) const { return versions_.contains(library); }
  bool Defines(const std::string& library, const std::string& version) const;
  // The highest version of a kind that a library defines: ("libc.so.6", "GLIBC_2.99") -> "GLIBC_2.36"; "" when none.
  std::string HighestLike(const std::string& library, std::string_view version) const;

 private:
  Versions versions_;
};

// Was this program built with a sanitizer? Then plugins may need its runtime too.
bool IsSanitized();

}  // namespace berth::loader
