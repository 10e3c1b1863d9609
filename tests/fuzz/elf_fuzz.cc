// Inspection of a whole plugin file: a rule must refuse the bytes, or the result must be valid and must not depend on
// bytes beyond the end of the image that the headers describe.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/loader/inspection.h"
#include "require.h"

namespace {

using berth::loader::Inspection;

bool HasNul(const std::string& text) { return text.find('\0') != std::string::npos; }

void RequireSound(const Inspection& inspection) {
  Require(inspection.sha256.size() == 64, "the digest is there");
  Require(inspection.usable() == inspection.Refusal().empty(), "what is refused has a reason");
  for (const auto& finding : inspection.findings) Require(!finding.text.empty(), "a finding has a text");
  if (inspection.usable()) Require(inspection.note && !inspection.note->plugins.empty(), "usable: it has plugins");
  Require(std::is_sorted(inspection.elf.exports.begin(), inspection.elf.exports.end()), "exports are sorted");
  for (const std::string& name : inspection.elf.exports) Require(!name.empty() && !HasNul(name), "a C name (export)");
  for (const auto& import : inspection.elf.imports) {
    Require(!import.name.empty() && !HasNul(import.name) && !HasNul(import.version), "a C name (import)");
  }
}

std::vector<std::string> TextsOf(const Inspection& inspection) {
  std::vector<std::string> texts = inspection.elf.exports;
  for (const auto& import : inspection.elf.imports) texts.push_back(import.name + "@" + import.version);
  for (const auto& finding : inspection.findings) texts.push_back(finding.text);
  texts.push_back(inspection.elf.build_id);
  return texts;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<std::byte> bytes(size);  // a separate allocation, so that ASan sees its end
  std::transform(data, data + size, bytes.begin(), [](uint8_t byte) { return std::byte{byte}; });
  const Inspection inspection = berth::loader::InspectBytes("fuzz.so", bytes);
  RequireSound(inspection);
  if (!berth::loader::ReadElf(bytes)) return 0;
  bytes.insert(bytes.end(), 64, std::byte{0x41});
  Require(TextsOf(berth::loader::InspectBytes("fuzz.so", bytes)) == TextsOf(inspection), "the rest is not read");
  return 0;
}
