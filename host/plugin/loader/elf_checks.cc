#include "plugin/loader/elf_checks.h"

#include <dlfcn.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "base/text.h"

namespace berth::loader {
namespace {

using Findings = std::vector<Finding>;
using Names = std::span<const std::string_view>;

constexpr const char* kEntrySymbol = "berth_entry_v1";
constexpr std::string_view kRuntime[] = {
    "libc.so.6",  "libm.so.6",  "libstdc++.so.6",       "libgcc_s.so.1",        "libpthread.so.0",
    "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"};
constexpr std::string_view kFlagsLibraries[] = {"libglog.so", "libgflags"};
constexpr std::string_view kSanitizers[] = {"libasan.so.", "libubsan.so.", "libtsan.so.", "liblsan.so."};
constexpr std::string_view kForbidden[] = {"signal",     "sigaction", "sysv_signal",    "__sysv_signal",
                                           "setlocale",  "chdir",     "fchdir",         "chroot",
                                           "umask",      "setenv",    "unsetenv",       "putenv",
                                           "clearenv",   "on_exit",   "pthread_atfork", "__register_atfork",
                                           "fesetround", "fesetenv",  "feenableexcept", "fedisableexcept"};
constexpr std::string_view kDoubtful[] = {"exit",        "_exit",        "_Exit",   "quick_exit", "abort",  "fork",
                                          "vfork",       "_Fork",        "execl",   "execle",     "execlp", "execv",
                                          "execve",      "execvp",       "execvpe", "fexecve",    "system", "popen",
                                          "posix_spawn", "posix_spawnp", "dlopen",  "dlmopen"};
constexpr std::string_view kStayBehind[] = {"pthread_key_create", "__cxa_thread_atexit_impl", "pthread_create"};

bool Contains(Names names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }
bool StartsWithOneOf(std::string_view name, Names starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return name.starts_with(start); });
}

// "a", "a and b", "a, b and c"; a long list is cut, with the number of the rest.
std::string List(const std::vector<std::string>& names) {
  constexpr size_t kShown = 8;
  std::vector<std::string> shown(names.begin(),
                                 names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown)));
  std::string last = names.size() > kShown ? std::to_string(names.size() - kShown) + " more" : shown.back();
  if (names.size() <= kShown) shown.pop_back();
  return shown.empty() ? last : base::Join(shown, ", ") + " and " + last;
}

// In the order of the alphabet, because linkers for different machines sort symbols differently.
template <class Fn>
std::vector<std::string> ImportsThat(const ElfFacts& elf, Fn&& picks) {
  std::vector<std::string> names;
  for (const ElfImport& import : elf.imports) {
    if (picks(import)) names.push_back(import.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool IsFlagsLibrary(std::string_view library) { return StartsWithOneOf(library, kFlagsLibraries); }
bool IsFlagsSymbol(std::string_view symbol) {
  return symbol.find("FlagRegisterer") != std::string_view::npos ||
         symbol.find("InitGoogleLogging") != std::string_view::npos;
}

void CheckExports(const ElfFacts& elf, Findings& findings) {
  if (elf.exports == std::vector<std::string>{kEntrySymbol}) return;
  std::string text = "exports ";
  if (elf.exports.empty()) {
    text += "no symbol";
  } else {
    const size_t n = elf.exports.size();
    text += n == 1 ? elf.exports[0] : std::to_string(n) + " symbols (" + List(elf.exports) + ")";
  }
  findings.push_back({Rule::kExports, text + "; exactly berth_entry_v1 is allowed"});
}

void CheckUnique(const ElfFacts& elf, Findings& findings) {
  if (elf.unique_exports.empty()) return;
  findings.push_back({Rule::kUnique, "has symbols of which the process can have only one (STB_GNU_UNIQUE): " +
                                         List(elf.unique_exports)});
}

void CheckFlags(const ElfFacts& elf, Findings& findings) {
  std::vector<std::string> names;
  std::copy_if(elf.needed.begin(), elf.needed.end(), std::back_inserter(names), IsFlagsLibrary);
  const auto symbols = ImportsThat(elf, [](const ElfImport& import) { return IsFlagsSymbol(import.name); });
  names.insert(names.end(), symbols.begin(), symbols.end());
  if (names.empty()) return;
  findings.push_back(
      {Rule::kFlags, "uses glog or gflags, which end the process when they are set up twice: " + List(names)});
}

// Rust's standard library imports abort, for a panic inside of a panic, whatever the plugin does. The one that a C++
// plugin's std::terminate calls is imported by libstdc++.
bool IsDoubtful(const std::string& name, bool rust) { return Contains(kDoubtful, name) && !(rust && name == "abort"); }

void CheckImports(const ElfFacts& elf, bool rust, Findings& findings) {
  const auto forbidden = ImportsThat(elf, [](const ElfImport& import) { return Contains(kForbidden, import.name); });
  if (!forbidden.empty()) {
    findings.push_back(
        {Rule::kForbiddenImport, "imports " + List(forbidden) + ", which changes what belongs to the whole process"});
  }
  const auto doubtful = ImportsThat(elf, [&](const ElfImport& import) { return IsDoubtful(import.name, rust); });
  if (!doubtful.empty())
    findings.push_back({Rule::kDoubtfulImport, "imports " + List(doubtful) + ", which a plugin should not call"});
  const auto staying = ImportsThat(elf, [](const ElfImport& import) { return Contains(kStayBehind, import.name); });
  if (!staying.empty())
    findings.push_back({Rule::kNotUnloadable, "imports " + List(staying) + ", so it stays mapped for ever"});
}

void CheckNeeded(const ElfFacts& elf, bool sanitized, Findings& findings) {
  std::vector<std::string> strangers;
  for (const std::string& library : elf.needed) {
    if (Contains(kRuntime, library) || IsFlagsLibrary(library)) continue;
    if (sanitized && StartsWithOneOf(library, kSanitizers)) continue;
    strangers.push_back(library);
  }
  if (strangers.empty()) return;
  findings.push_back({Rule::kNeeded, "needs " + List(strangers) + "; a plugin may need the C and C++ runtime only"});
}

// Libraries of the runtime version all their symbols; sanitizers do not, and their symbols are in this process.
void CheckUnresolved(const ElfFacts& elf, bool sanitized, Findings& findings) {
  const auto homeless = ImportsThat(elf, [&](const ElfImport& import) {
    if (import.weak || !import.version.empty() || IsFlagsSymbol(import.name)) return false;
    return !sanitized || dlsym(RTLD_DEFAULT, import.name.c_str()) == nullptr;
  });
  const bool has_stranger = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.rule == Rule::kNeeded || finding.rule == Rule::kFlags;  // the symbols can come from there
  });
  if (homeless.empty() || has_stranger) return;
  findings.push_back({Rule::kUnresolved, "imports " + List(homeless) + ", which no library that it needs provides"});
}

void CheckVersions(const ElfFacts& elf, const HostLibraries& host, Findings& findings) {
  for (const ElfVersionNeed& need : elf.version_needs) {
    if (!host.Has(need.library) || host.Defines(need.library, need.version)) continue;
    const std::string highest = host.HighestLike(need.library, need.version);
    findings.push_back({Rule::kVersions, "needs " + need.version + " of " + need.library + "; this host has " +
                                             (highest.empty() ? "no such version" : "up to " + highest)});
  }
}

void CheckHardening(const ElfFacts& elf, Findings& findings) {
  std::vector<std::string> missing;
  if (!elf.bind_now) missing.push_back("-z now");
  if (!elf.relro) missing.push_back("-z relro");
  if (!missing.empty()) findings.push_back({Rule::kHardening, "was linked without " + List(missing)});
}

}  // namespace

void CheckElf(const ElfFacts& elf, const HostLibraries& host, bool sanitized, bool rust, Findings& findings) {
  CheckExports(elf, findings);
  CheckUnique(elf, findings);
  CheckFlags(elf, findings);
  CheckImports(elf, rust, findings);
  CheckNeeded(elf, sanitized, findings);
  CheckUnresolved(elf, sanitized, findings);
  CheckVersions(elf, host, findings);
  if (elf.static_tls) {
    findings.push_back(
        {Rule::kStaticTls, "uses static thread-local storage (" + std::to_string(elf.tls_bytes) + " bytes)"});
  }
  if (elf.text_relocations) findings.push_back({Rule::kTextRelocations, "has text relocations (DT_TEXTREL)"});
  if (elf.executable_stack) findings.push_back({Rule::kExecutableStack, "asks for an executable stack"});
  if (!elf.run_path.empty()) findings.push_back({Rule::kRunPath, "has the run path " + base::Quoted(elf.run_path)});
  // After a broken note there can be a build id that ReadElf did not reach.
  if (elf.build_id.empty() && elf.note_fault.empty()) findings.push_back({Rule::kBuildId, "has no build id"});
  CheckHardening(elf, findings);
}

}  // namespace berth::loader
