#include "telemetry/profile/symbol_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "telemetry/profile/code_symbols.h"

namespace berth::profile {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

namespace local {
__attribute__((noinline)) int NotExported(int n) { return n * 3 + getpid(); }
}  // namespace local

TEST(Symbols, NameFunctionsOfTheProgramAndOfLibraries) {
  Symbols symbols;
  EXPECT_THAT(symbols.NameOf(reinterpret_cast<uint64_t>(&local::NotExported)), HasSubstr("local::NotExported(int)"));
  EXPECT_THAT(symbols.PlaceOf(reinterpret_cast<uint64_t>(&local::NotExported) + 1), HasSubstr("NotExported(int)+0x1"));
  EXPECT_EQ(symbols.NameOf(1), "");
  EXPECT_EQ(symbols.PlaceOf(1), "");
  EXPECT_NE(local::NotExported(1), 0);
}

struct TemporaryFile {
  explicit TemporaryFile(const std::string& bytes) {
    path = testing::TempDir() + "symbol_table_test." + std::to_string(getpid());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

TEST(SymbolTable, HasNoFunctionsOfAFileThatIsNoElfFile) {
  EXPECT_EQ(SymbolTable("/nonexistent").Find(0), nullptr);
  for (const std::string& bytes : {std::string(), std::string("\177ELF"), std::string(5000, '\377')}) {
    const TemporaryFile file(bytes);
    EXPECT_EQ(SymbolTable(file.path).Find(0), nullptr);
  }
}

// The table is read from files that may be cut or damaged while they are read.
TEST(SymbolTable, ReadsDamagedFilesWithoutLeavingThem) {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  ASSERT_THAT(bytes, StartsWith("\177ELF"));
  for (size_t i = 16; i < 64; ++i) {  // each byte of the header
    std::string damaged = bytes.substr(0, 100'000);
    damaged[i] = static_cast<char>(damaged[i] ^ 0x7f);
    const TemporaryFile file(damaged);
    const SymbolTable table(file.path);
    if (const SymbolTable::Entry* entry = table.Find(0x1000)) table.NameOf(*entry);
  }
}

}  // namespace
}  // namespace berth::profile
