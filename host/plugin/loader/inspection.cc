#include "plugin/loader/inspection.h"

#include "os/crypto/digest.h"
#include "plugin/loader/elf_checks.h"
#include "plugin/loader/file.h"

namespace berth::loader {

std::string Inspection::Refusal() const {
  const Finding* error = FirstError(findings);
  return error == nullptr ? std::string() : FindingLine(path, *error);
}

Inspection InspectBytes(std::string path, std::span<const std::byte> bytes, uint32_t host_minor) {
  Inspection result{.path = std::move(path), .bytes = bytes.size(), .sha256 = crypto::Sha256Hex(bytes)};
  tl::expected<ElfFacts, Finding> elf = ReadElf(bytes);
  if (!elf) {
    result.findings.push_back(std::move(elf.error()));
    return result;
  }
  result.elf = std::move(*elf);
  tl::expected<Note, Finding> note = ReadNote(result.elf, host_minor);
  if (note) {
    result.note = std::move(*note);
  } else {
    result.findings.push_back(std::move(note.error()));
    // The rules below belong to this ABI: a library of another ABI exports another entry.
    if (result.findings.back().rule == Rule::kAbiMajor) return result;
  }
  const bool rust = result.note && result.note->sdk.starts_with("rust/");
  CheckElf(result.elf, HostLibraries::OfThisProcess(), IsSanitized(), rust, result.findings);
  return result;
}

Inspection InspectFile(std::string path, const TrustRules& trust, uint32_t host_minor) {
  const tl::expected<PluginFile, Finding> file = ReadPluginFile(path, trust);
  if (file) return InspectBytes(std::move(path), file->bytes, host_minor);
  return {.path = std::move(path), .findings = {file.error()}};
}

}  // namespace berth::loader
