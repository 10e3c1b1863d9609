// Every library of tests/broken_plugins that inspection or the handshake refuses, with the rule and the text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "plugin/loader/host_libraries.h"
#include "plugin/loader/loader.h"
#include "zoo.h"

namespace berth::loader {
namespace {

using zoo::OpenDescriptors;
using zoo::ZooFile;

struct BrokenFile {
  const char* name;
  std::vector<std::string> findings;  // "BP-7: ...", errors first
};
void PrintTo(const BrokenFile& file, std::ostream* out) { *out << file.name; }

std::string SizeOf(const char* name) { return std::to_string(std::filesystem::file_size(ZooFile(name))); }
std::string HighestLibm() { return HostLibraries::OfThisProcess().HighestLike("libm.so.6", "GLIBC_2.99"); }
#if defined(__x86_64__)
const std::string kThisMachine = "x86-64", kOtherMachine = "AArch64";
#else
const std::string kThisMachine = "AArch64", kOtherMachine = "x86-64";
#endif

std::vector<std::string> FindingsOf(const Inspection& inspection) {
  std::vector<std::string> lines;
  for (const Finding& finding : inspection.findings) lines.push_back(RuleId(finding.rule) + ": " + finding.text);
  return lines;
}

class StaticFault : public testing::TestWithParam<BrokenFile> {};

// Inspection finds exactly these faults. Opening fails with the first one and leaves nothing open.
TEST_P(StaticFault, IsFoundWithoutMapping) {
  const std::string path = ZooFile(GetParam().name);
  EXPECT_EQ(FindingsOf(InspectFile(path)), GetParam().findings);
  Loader loader;
  const size_t open_before = OpenDescriptors();
  const size_t mapped_before = Mappings().size();
  const auto library = loader.Open(path);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message, path + ": " + GetParam().findings[0]);
  EXPECT_EQ(OpenDescriptors(), open_before);
  EXPECT_EQ(Mappings().size(), mapped_before);
}

INSTANTIATE_TEST_SUITE_P(
    Files, StaticFault,
    testing::Values(
        BrokenFile{"empty", {"BP-1: is empty"}},
        BrokenFile{"does_not_exist", {"BP-1: cannot be opened: No such file or directory"}},
        BrokenFile{"not_elf", {"BP-5: is not an ELF file"}}, BrokenFile{"elf32", {"BP-5: is not a 64-bit ELF file"}},
        BrokenFile{"big_endian", {"BP-5: is not a little-endian ELF file"}},
        BrokenFile{"other_machine", {"BP-5: is for RISC-V, this host is " + kThisMachine}},
        BrokenFile{"built_elsewhere", {"BP-5: is for " + kOtherMachine + ", this host is " + kThisMachine}},
        BrokenFile{"object_file", {"BP-6: is an object file (ET_REL), not a shared object"}},
        BrokenFile{"program", {"BP-6: is a program (position-independent), not a shared object"}},
        BrokenFile{"truncated",
                   {"BP-8: is damaged or cut off: its headers speak of " + SizeOf("good") + " bytes, the file has " +
                    SizeOf("truncated")}},
        BrokenFile{"no_entry", {"BP-7: exports no symbol; exactly berth_entry_v1 is allowed"}},
        BrokenFile{"exports_too_much",
                   {"BP-7: exports 3 symbols (bar, berth_entry_v1 and foo); exactly berth_entry_v1 is allowed"}},
        BrokenFile{
            "unique_symbol",
            {"BP-9: has symbols of which the process can have only one (STB_GNU_UNIQUE): _ZZ7CountervE7counter"}},
        BrokenFile{"imports_glog",
                   {"BP-10: uses glog or gflags, which end the process when they are set up twice: libglog.so.1 and "
                    "_ZN6google17InitGoogleLoggingEPKc"}},
        BrokenFile{
            "imports_gflags",
            {"BP-10: uses glog or gflags, which end the process when they are set up twice: libgflags.so.2.2 and "
             "_ZN6google14FlagRegistererC1IbEEPKcS3_S3_PT_S5_"}},
        BrokenFile{"imports_sigaction",
                   {"BP-11: imports setenv and sigaction, which changes what belongs to the whole process"}},
        BrokenFile{"needs_stranger", {"BP-13: needs libstranger.so.1; a plugin may need the C and C++ runtime only"}},
        BrokenFile{"undefined_symbol", {"BP-14: imports berth_stand_in, which no library that it needs provides"}},
        BrokenFile{"needs_newer_libm", {"BP-15: needs GLIBC_2.99 of libm.so.6; this host has up to " + HighestLibm()}},
        BrokenFile{"static_tls", {"BP-16: uses static thread-local storage (4096 bytes)"}},
        BrokenFile{"text_relocation", {"BP-17: has text relocations (DT_TEXTREL)"}},
        BrokenFile{"executable_stack", {"BP-18: asks for an executable stack"}},
        BrokenFile{"run_path", {"BP-19: has the run path \"/opt/elsewhere/lib\""}},
        BrokenFile{"no_build_id", {"BP-20: has no build id"}},
        BrokenFile{"no_note", {"BP-22: has no BERTH note, so it is no Berth plugin or was stripped of it"}},
        BrokenFile{"note_twice", {"BP-23: has more than one BERTH note"}},
        BrokenFile{
            "note_not_json",
            {"BP-24: the note is not JSON: line 1, column 14: syntax error while parsing object key - unexpected "
             "end of input; expected string literal"}},
        BrokenFile{"note_without_version", {"BP-25: the note's version must be a text that is not empty"}},
        BrokenFile{"wrong_point",
                   {"BP-25: the note's plugins[0].points names \"prioritize\", which is no extension point"}},
        BrokenFile{"newer_major",
                   {"BP-26: was built for plugin ABI 2.3, which is newer than this host's 1.2; use a newer Berth or "
                    "rebuild the library"}},
        BrokenFile{"older_major",
                   {"BP-26: was built for plugin ABI 0.9, which is older than this host's 1.2; rebuild the library"}},
        BrokenFile{"needs_newer_host",
                   {"BP-27: was built for plugin ABI 1.901 and needs a host of 1.900 or later; this host has 1.2"}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(StaticFaults, ANoteThatIsLongerThanItsSegment) {
  const Inspection inspection = InspectFile(ZooFile("note_too_long"));
  ASSERT_EQ(inspection.findings.size(), 1u);
  EXPECT_THAT(
      inspection.Refusal(),
      testing::MatchesRegex(".*/note_too_long[.]so: BP-23: a note at byte [0-9]+ of its segment claims a name of 6 "
                            "and a text of 100000 bytes, but the segment has [0-9]+"));
}

// The host loads libraries with warnings and hints.
TEST(StaticFaults, WarningsAreReportedAndTheLibraryIsLoaded) {
  Loader loader;
  const auto calls_exit = loader.Open(ZooFile("calls_exit"));
  ASSERT_TRUE(calls_exit) << calls_exit.error().message;
  ASSERT_EQ((*calls_exit)->findings().size(), 2u);
  EXPECT_EQ(FindingLine("x.so", (*calls_exit)->findings()[0]),
            "x.so: BP-12: imports abort and exit, which a plugin should not call");
  EXPECT_EQ(FindingLine("x.so", (*calls_exit)->findings()[1]),
            "x.so: BP-28: imports pthread_key_create, so it stays mapped for ever");
  const auto not_hardened = loader.Open(ZooFile("not_hardened"));
  ASSERT_TRUE(not_hardened) << not_hardened.error().message;
  ASSERT_EQ((*not_hardened)->findings().size(), 1u);
  EXPECT_EQ(FindingLine("x.so", (*not_hardened)->findings()[0]), "x.so: BP-21: was linked without -z now and -z relro");
}

// ---- faults of mapping and the handshake ----

struct LoadFault {
  const char* name;
  const char* error;
};
void PrintTo(const LoadFault& fault, std::ostream* out) { *out << fault.name; }

class LoadFaultTest : public testing::TestWithParam<LoadFault> {};

// Mapped code stays mapped and keeps one descriptor open; the second attempt adds none.
TEST_P(LoadFaultTest, IsRefusedWithThisTextAndMappedOnce) {
  const std::string path = ZooFile(GetParam().name);
  EXPECT_EQ(InspectFile(path).Refusal(), "");
  Loader loader;
  const size_t open_before = OpenDescriptors();
  const size_t mapped_before = Mappings().size();
  const auto first = loader.Open(path);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().message, path + ": " + GetParam().error);
  const size_t mapped = Mappings().size() - mapped_before;
  EXPECT_LE(mapped, 1u);
  EXPECT_EQ(OpenDescriptors() - open_before, mapped);
  Loader other;
  for (Loader* again : {&loader, &other}) {
    const auto second = again->Open(path);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message, first.error().message);
  }
  EXPECT_EQ(Mappings().size() - mapped_before, mapped);
  EXPECT_EQ(OpenDescriptors() - open_before, mapped);
}

INSTANTIATE_TEST_SUITE_P(
    Files, LoadFaultTest,
    testing::Values(
        LoadFault{"undefined_version", "BP-40: cannot be opened: undefined symbol: berth_stand_in, version GLIBC_2.29"},
        LoadFault{"entry_throws", "BP-42: berth_entry_v1(2) threw: no entry today"},
        LoadFault{
            "entry_null",
            "BP-43: berth_entry_v1(2) answered NULL: the library, built for plugin ABI 1.0, finds this host's ABI "
            "1.2 too old"},
        LoadFault{"entry_small", "BP-44: the table of berth_entry_v1 has 32 bytes; ABI 1.0's has 40"},
        LoadFault{"entry_without_create", "BP-44: the table of berth_entry_v1 has no create()"},
        LoadFault{"count_too_many", "BP-45: count() answers 65; a library may hold 64"},
        LoadFault{"count_not_as_noted", "BP-45: count() answers 2, but the note names 1"},
        LoadFault{"count_throws", "BP-45: count() threw: cannot count"},
        LoadFault{"describe_null", "BP-46: the descriptor of plugin 0 is NULL"},
        LoadFault{"descriptor_small", "BP-46: the descriptor of plugin 0 has 32 bytes; ABI 1.0's has 40"},
        LoadFault{"descriptor_not_utf8", "BP-46: the descriptor of plugin 0 has a vendor that is not printable UTF-8"},
        LoadFault{"names_not_as_noted",
                  "BP-47: describes the plugins SomethingElse, but the note names NamesNotAsNoted"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Duplicates, AreFineAloneAndContestedTogether) {
  zoo::PrivateFolder folder;
  folder.Copy("duplicate_a", "a.so");
  folder.Copy("duplicate_b", "b.so");
  Loader loader;
  const Inventory inventory = loader.Scan({folder.path()});
  ASSERT_EQ(inventory.libraries.size(), 2u);
  const auto contested = NameIndex::Build(inventory).Find("Twice");
  ASSERT_FALSE(contested);
  EXPECT_EQ(contested.error().message, "plugin \"Twice\": BP-60: is offered by " + folder.File("a.so") + " and by " +
                                           folder.File("b.so") +
                                           "; bind the name to one of them in BerthConfiguration");
  const auto bound = NameIndex::Build(inventory, {{.name = "Twice", .library = "b.so"}}).Find("Twice");
  ASSERT_TRUE(bound) << bound.error().message;
  const auto library = loader.Open(*bound);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ((*library)->version(), "2.0.0");
}

}  // namespace
}  // namespace berth::loader
