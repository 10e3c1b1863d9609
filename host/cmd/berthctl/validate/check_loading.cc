// Rules about a mapped library without an instance: BP-70 to BP-73.
#include <chrono>
#include <cstring>
#include <string>

#include "base/text.h"
#include "berth/testing/fake_host.hpp"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/process_state.h"
#include "plugin/loader/handshake.h"
#include "plugin/loader/loader.h"

namespace berth::validate {

void CheckProcessAfterLoading(const Subject& subject, Findings& findings) {
  const ProcessState before = ProcessState::Now();
  const auto library = Open(subject);
  findings.FailAll(ProcessState::Now().ChangesSince(before));
}

void CheckHostMinors(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  for (const uint32_t minor : {0u, BERTH_ABI_MINOR, BERTH_ABI_MINOR + 7}) {
    const std::string call = "berth_entry_v1(" + std::to_string(minor) + ")";
    findings.Step(call);
    const auto greeting = loader::Greet(library->mapping().entry, subject.note, minor);
    if (greeting) continue;
    // The library may refuse a host that is older than the note's minHost.
    if (greeting.error().rule == loader::Rule::kEntryAnswers && minor < subject.note.min_host) continue;
    findings.Fail("to a host of minor " + std::to_string(minor) + ": " + greeting.error().text);
  }
}

void CheckDescribe(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  const berth_entry* entry = library->entry();
  const uint32_t count = entry->count();
  for (const uint32_t i : {count, count + 1, count + 1000, 0x7fffffffu, 0xffffffffu}) {
    findings.Step("describe(" + std::to_string(i) + ")");
    if (entry->describe(i) != nullptr) {
      findings.Fail("describe(" + std::to_string(i) + ") is not NULL, and there are " + std::to_string(count) +
                    " plugins");
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (entry->describe(i) != entry->describe(i)) {  // NOLINT(misc-redundant-expression): two calls
      findings.Fail("describe(" + std::to_string(i) + ") answers another descriptor each time");
    }
  }
  const auto begin = std::chrono::steady_clock::now();
  entry->describe(0);
  if (std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(1)) {
    findings.Warn("describe(0) takes longer than 1 ms");
  }
}

namespace {

// create() with an unknown name, and the tables that need no instance.
void CheckStrangeName(const loader::Library& library, const std::string& name, const berth_host* host,
                      Findings& findings) {
  const std::string shown = base::Quoted(name.substr(0, 40));
  findings.Step("create(" + shown + ")");
  if (library.entry()->create(name.c_str(), host) != nullptr) {
    findings.Fail("create(" + shown + ") makes a plugin, though the library has none of that name");
  }
  if (library.entry()->extension(name.c_str(), BERTH_LIBRARY_ARGS) != nullptr) {
    findings.Fail("extension(" + shown + ", \"" BERTH_LIBRARY_ARGS "\") is not NULL, though there is no such plugin");
  }
}

}  // namespace

void CheckCreate(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  sdk::testing::FakeHost host;
  const sdk::testing::CallScope scope(host.checker(), "create", sdk::testing::kCreating);
  for (const std::string& name : subject.note.Names()) {
    for (const std::string& strange : {name + " ", name + "x", " " + name, name.substr(0, name.size() - 1)}) {
      if (subject.note.Find(strange) == nullptr) CheckStrangeName(*library, strange, host.raw(), findings);
    }
    for (const char* id : {"", "no.such/1", "berth.library.args/999"}) {
      findings.Step(std::string("extension(..., \"") + id + "\")");
      if (library->entry()->extension(name.c_str(), id) != nullptr) {
        findings.Fail("extension(" + base::Quoted(name) + ", \"" + id + "\") is not NULL");
      }
    }
    findings.Step("create(" + base::Quoted(name) + ")");
    berth_plugin* plugin = library->entry()->create(name.c_str(), host.raw());
    const sdk::testing::CallScope ending(host.checker(), "destroy", sdk::testing::kEnding);
    if (plugin != nullptr && plugin->destroy != nullptr) plugin->destroy(plugin);
  }
  CheckStrangeName(*library, "", host.raw(), findings);
  CheckStrangeName(*library, "\xff\xfe%s%n", host.raw(), findings);
  CheckStrangeName(*library, std::string(1 << 16, 'a'), host.raw(), findings);
  findings.FailAll(host.checker().Violations());
}

}  // namespace berth::validate
