#include "plugin/loader/rule.h"

#include <algorithm>
#include <cassert>
#include <cctype>

namespace berth::loader {
namespace {

constexpr RuleInfo kRules[] = {
    {Rule::kReadable, Weight::kError, "the file can be read",
     "A plugin is a regular file that the scheduler may read, not empty and of at most 512 MiB. Plugin directories are "
     "searched for names that end in .so; names that begin with a dot are passed over, symbolic links are followed."},
    {Rule::kTrusted, Weight::kError, "nobody else can change the file",
     "A plugin runs with all the rights of the scheduler. If the configuration requires it, the file must lie below an "
     "allowed directory. The file and every directory on its path, symbolic links included, must belong to root or to "
     "the scheduler's user, and nobody else may write to them, because a user who can write to a directory can replace "
     "the directories below it. Others may write to a directory with the sticky bit, such as /tmp, if the next name on "
     "the path belongs to root or to the scheduler's user, and to a directory on a read-only mount, except the "
     "directory of the file itself."},
    {Rule::kStable, Weight::kError, "the file stays the same while it is read",
     "Size, time of change or inode differed before and after reading. Put new versions next to the old one and rename "
     "them into place instead of writing into the file."},
    {Rule::kDigest, Weight::kError, "the file has the digest that is pinned",
     "The SHA-256 of exactly the bytes that would be mapped must equal the sha256 of the binding. When the "
     "configuration "
     "requires digests, a library without one is not loaded at all."},
    {Rule::kElf, Weight::kError, "a 64-bit ELF file for this machine",
     "The file must be a little-endian ELF64 image of the processor that the scheduler runs on."},
    {Rule::kSharedObject, Weight::kError, "a shared object",
     "Only shared objects (ET_DYN, linked with -shared) can be loaded. Programs, object files and core files cannot."},
    {Rule::kExports, Weight::kError, "exports berth_entry_v1 and nothing else",
     "Everything else that a library exports can collide with the scheduler or with another generation of itself. Link "
     "with a version script `{ global: berth_entry_v1; local: *; };`."},
    {Rule::kComplete, Weight::kError, "whole and well-formed",
     "Headers, segments and tables must lie within the file and agree with each other. The usual cause is a copy that "
     "was cut off."},
    {Rule::kUnique, Weight::kError, "no unique symbols",
     "Symbols of binding STB_GNU_UNIQUE exist once per process: two generations of a library would share their static "
     "variables and could never be unloaded. Compile with -fno-gnu-unique and link with the version script of BP-7."},
    {Rule::kFlags, Weight::kError, "no glog and no gflags",
     "gflags ends the process when a flag is registered twice, which is what loading the next generation does; glog "
     "aborts when it is initialised twice. Log through the host's log service."},
    {Rule::kForbiddenImport, Weight::kError, "leaves what belongs to the whole process alone",
     "Signal handlers, the locale, the working directory, the umask, the environment, the floating-point mode and "
     "at-fork or on-exit handlers are shared by everything in the process. A plugin must not import the functions that "
     "change them."},
    {Rule::kDoubtfulImport, Weight::kWarning, "should not end the process, fork or load libraries",
     "exit, abort and their kind take the scheduler down; fork, exec and system are slow and unsafe in a process with "
     "threads; dlopen brings code in that nobody checked. The library is loaded, the finding is reported."},
    {Rule::kNeeded, Weight::kError, "needs the C and C++ runtime only",
     "A plugin may need libc, libm, libstdc++, libgcc_s, libpthread, libdl, librt and the dynamic linker. Link other "
     "libraries statically, their symbols hidden. Sanitizer runtimes are allowed where the scheduler is itself built "
     "with a sanitizer."},
    {Rule::kUnresolved, Weight::kError, "imports nothing that its libraries lack",
     "Every symbol of the runtime carries a version; an import without one comes from no library that the plugin "
     "needs, "
     "and the scheduler exports nothing. Link with -z defs to find out at build time."},
    {Rule::kVersions, Weight::kError, "runs with the runtime of this host",
     "The library was linked against a newer libc or libstdc++ than the one in the scheduler's process. Build it on "
     "the "
     "oldest system it shall run on."},
    {Rule::kStaticTls, Weight::kError, "no static thread-local storage",
     "The initial-exec TLS model takes from a small reserve that is fixed when the process starts; loading a few "
     "generations exhausts it. Leave out -ftls-model=initial-exec."},
    {Rule::kTextRelocations, Weight::kError, "no text relocations",
     "Code that has to be patched while it is loaded needs pages that are writable and executable. Compile with "
     "-fPIC."},
    {Rule::kExecutableStack, Weight::kError, "no executable stack",
     "Loading such a library makes the stacks of the whole process executable. Assembly files need a .note.GNU-stack "
     "section; link with -z noexecstack."},
    {Rule::kRunPath, Weight::kError, "no RPATH or RUNPATH",
     "A plugin is mapped from a sealed copy in memory, where $ORIGIN means nothing, and may bring in no library from a "
     "place of its own."},
    {Rule::kBuildId, Weight::kError, "has a build id",
     "The build id tells generations apart in logs and crash reports, and proves after loading that the mapped code is "
     "that of the file. Link with --build-id=sha1."},
    {Rule::kHardening, Weight::kWarning, "should bind at once and seal its tables",
     "Without -z now and -z relro the function tables of the library stay writable for as long as it is mapped."},
    {Rule::kNotePresent, Weight::kError, "has a Berth note",
     "The ELF note BERTH says which plugins a library holds before any of its code runs. C plugins write it with "
     "BERTH_MANIFEST, C++ plugins get it from BERTH_PLUGIN."},
    {Rule::kNoteWhole, Weight::kError, "exactly one well-formed note",
     "The note's lengths must stay within its segment, its text must be NUL-terminated, and there may be only one."},
    {Rule::kNoteJson, Weight::kError, "the note is JSON",
     "The note's text must be one JSON object; see berth/entry.h."},
    {Rule::kNoteFields, Weight::kError, "the note says what it has to say",
     "abi, sdk, version and plugins are required; each plugin has a name of its own and the points it offers, in "
     "Kubernetes' spelling."},
    {Rule::kAbiMajor, Weight::kError, "the same major version of the plugin ABI",
     "A library and a host of different ABI majors cannot talk to each other. Rebuild the older of the two."},
    {Rule::kMinHost, Weight::kError, "the host is new enough",
     "The library says in minHost which minor version of the ABI it cannot do without."},
    {Rule::kNotUnloadable, Weight::kHint, "can hardly be unloaded",
     "The library imports functions that start threads or leave destructors behind. Its mapping is kept for ever, "
     "which is what happens anyway unless it claims BERTH_F_UNLOADABLE."},
    {Rule::kSignature, Weight::kError, "is signed by whom the configuration trusts",
     "With signatureKeys in security, FILE.sig beside the library must be an ed25519 signature of its bytes by one of "
     "these keys. It is checked against the very bytes that are mapped."},
    {Rule::kStaging, Weight::kError, "the bytes can be staged",
     "A library is mapped from a sealed copy in memory, or, where executable memory files are forbidden "
     "(vm.memfd_noexec=2), from a private staging directory. Neither could be had."},
    {Rule::kOpens, Weight::kError, "the dynamic linker accepts it",
     "dlopen with RTLD_NOW refused the library; the text is the dynamic linker's."},
    {Rule::kNewMapping, Weight::kError, "what is mapped is the file",
     "The dynamic linker answered with code that was mapped before, or with another build id. Nothing is wrong with "
     "the "
     "library: report it as a bug of the scheduler."},
    {Rule::kRehearsal, Weight::kError, "survives being loaded",
     "Static constructors and berth_entry_v1 must return, soon, without throwing, crashing or ending the process. A "
     "rehearsal in a child process finds that out; an exception from berth_entry_v1 is also caught without one."},
    {Rule::kEntryAnswers, Weight::kError, "berth_entry_v1 accepts this host",
     "The library answered NULL: it regards the host's ABI minor as too old."},
    {Rule::kEntryTable, Weight::kError, "the entry table is complete",
     "The table of berth_entry_v1 must have at least the size of ABI 1.0 and none of its functions may be NULL."},
    {Rule::kCount, Weight::kError, "as many plugins as the note names",
     "count() must answer the number of plugins in the note, at most 64, and must not throw."},
    {Rule::kDescriptors, Weight::kError, "descriptors are sound",
     "describe(i) must answer a descriptor of at least ABI 1.0's size for every plugin, with name, version and vendor "
     "in "
     "UTF-8 and, if there is one, a JSON object as schema of the args."},
    {Rule::kNamesAsNoted, Weight::kError, "the plugins that the note names",
     "The names given by describe() must be those of the note: profiles were resolved by the note."},
    {Rule::kGenerations, Weight::kError, "at most 32 versions of a plugin in one process",
     "Code is never unmapped, so each new version costs its size until the program ends. Versions that were mapped "
     "before can always come back; for another new version, restart the program."},
    {Rule::kQuarantined, Weight::kError, "is not in quarantine",
     "These very bytes have brought the scheduler to its end, or failed too often. Install another version, or take "
     "the "
     "digest out of quarantine with `berthctl plugin pardon`."},
    {Rule::kOneOffer, Weight::kError, "one library per plugin name",
     "When two libraries offer the same name, a binding in BerthConfiguration must choose."},
    {Rule::kBinding, Weight::kError, "bindings name what exists",
     "A binding names a library of the plugin directories, by file name or path, and a plugin inside it."},
};

constexpr bool Ascending() {
  return std::is_sorted(std::begin(kRules), std::end(kRules), [](auto& a, auto& b) { return a.rule < b.rule; });
}
static_assert(Ascending());

const RuleInfo* Find(int number) {
  for (const RuleInfo& info : kRules) {
    if (static_cast<int>(info.rule) == number) return &info;
  }
  return nullptr;
}

}  // namespace

std::span<const RuleInfo> AllRules() { return kRules; }

const RuleInfo& InfoOf(Rule rule) {
  const RuleInfo* info = Find(static_cast<int>(rule));
  assert(info != nullptr);
  return *info;
}

const RuleInfo* Explain(std::string_view id) {
  if (id.size() > 3 && std::toupper(id[0]) == 'B' && std::toupper(id[1]) == 'P' && id[2] == '-') id.remove_prefix(3);
  int number = 0;
  for (const char c : id) {
    if (c < '0' || c > '9' || number > 1000) return nullptr;
    number = 10 * number + (c - '0');
  }
  return Find(number);
}

std::string RuleId(Rule rule) { return "BP-" + std::to_string(static_cast<int>(rule)); }

Weight WeightOf(const Finding& finding) { return InfoOf(finding.rule).weight; }

std::string FindingLine(std::string_view file, const Finding& finding) {
  return std::string(file) + ": " + RuleId(finding.rule) + ": " + finding.text;
}

const Finding* FirstError(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (WeightOf(finding) == Weight::kError) return &finding;
  }
  return nullptr;
}

}  // namespace berth::loader
