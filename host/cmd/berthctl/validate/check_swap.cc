// Rules about generations: BP-140 and BP-141. The ABI: berth/handover.h.
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "berth/handover.h"
#include "cmd/berthctl/validate/batch.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"
#include "cmd/berthctl/validate/walk.h"
#include "os/fd/file_descriptor.h"

namespace berth::validate {
namespace {

using sdk::testing::CallScope;
using sdk::testing::FakePod;
using sdk::testing::Outcome;

constexpr uint32_t kSwapNodes = 12;

void Append(void* text, berth_str part) {
  static_cast<std::string*>(text)->append(part.ptr == nullptr ? "" : part.ptr, part.len);
}

std::string Save(TestHost& rig, const berth_handover& table) {
  std::string saved;
  const CallScope scope(rig.host().checker(), "save", sdk::testing::kSerial);
  table.save(rig.raw(), &Append, &saved);
  return saved;
}

Outcome Load(TestHost& rig, const std::string& version, const std::string& saved) {
  const auto* table = rig.TableOf<berth_handover>(BERTH_POINT_HANDOVER);
  CallScope scope(rig.host().checker(), "load", sdk::testing::kSerial);
  Outcome outcome;
  sdk::testing::Arena arena;
  outcome.code = table->load(rig.raw(), arena.Text(version), arena.Text(saved));
  outcome.reasons = scope.because;
  return outcome;
}

struct WrongState {
  std::string what, version, saved;
};

std::vector<WrongState> WrongStates(const std::string& version, const std::string& saved, uint64_t seed) {
  base::Random random(seed);
  std::string noise(300, '\0');
  for (char& c : noise) c = static_cast<char>(random.Next());
  std::vector<WrongState> all = {{"nothing", version, ""},
                                 {"noise", version, noise},
                                 {"half of it", version, saved.substr(0, saved.size() / 2)},
                                 {"it and more", version, saved + noise},
                                 {"that of another version", "999.0.0", saved},
                                 {"that of no version", "", saved},
                                 {"1 MiB of zeros", version, std::string(1 << 20, '\0')}};
  for (int i = 0; i < 50 && !saved.empty(); ++i) {
    std::string damaged = saved;
    damaged[random.Below(damaged.size())] = static_cast<char>(random.Next());
    all.push_back({"it with one byte changed", version, std::move(damaged)});
  }
  return all;
}

}  // namespace

void CheckHandover(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  TestHost old_one(subject, library);
  old_one.Fill(SampleCluster(kSwapNodes));
  if (!old_one.Started(findings)) return;
  const auto* table = old_one.TableOf<berth_handover>(BERTH_POINT_HANDOVER);
  if (table == nullptr || table->save == nullptr || table->load == nullptr) {
    return findings.NotApplicable("the plugin hands no state over");
  }
  for (const FakePod& pod : SamplePods()) Walk(old_one, pod, findings);
  findings.Step("save");
  const std::string state = Save(old_one, *table);
  if (state.size() > BERTH_HANDOVER_MOST) findings.Fail("saves more than 16 MiB");
  std::vector<WrongState> all = WrongStates(library->version(), state, subject.seed);
  all.insert(all.begin(), {"what was saved", library->version(), state});
  for (const WrongState& one : all) {
    findings.Step("load of " + one.what);
    TestHost new_one(subject, library);
    new_one.Fill(SampleCluster(kSwapNodes));
    if (!new_one.Started(findings)) return;
    const Outcome loaded = Load(new_one, one.version, one.saved);
    if (&one == &all.front() && loaded.code == BERTH_ERROR) {
      findings.Fail("does not load what it has saved itself: " + base::Join(loaded.reasons, "; "));
    }
    findings.Step("work after the load of " + one.what);
    Walk(new_one, SamplePods().front(), findings);
  }
}

// The same library with another digest is another generation, with its own globals.
void CheckGenerations(const Subject& subject, Findings& findings) {
  const auto library = Open(subject);
  const os::FileDescriptor copy(memfd_create("generation", MFD_CLOEXEC));
  const std::string path = "/proc/self/fd/" + std::to_string(copy.get());
  {
    std::ifstream in(subject.path, std::ios::binary);
    std::ofstream out(path, std::ios::binary);
    out << in.rdbuf() << "another generation";
  }
  findings.Step("mapping another generation");
  const auto next = Open(path);
  if (next->entry() == library->entry()) findings.Fail("another generation answers with the entry of this one");
  TestHost old_one(subject, library), new_one(subject, next);
  old_one.Fill(SampleCluster(kSwapNodes));
  new_one.Fill(SampleCluster(kSwapNodes));
  if (!old_one.Started(findings) || !new_one.Started(findings)) return;
  for (const FakePod& pod : SamplePods()) {
    findings.Step("two generations, pod \"" + pod.name() + "\"");
    Walk(old_one, pod, findings);
    Walk(new_one, pod, findings);
  }
  findings.Step("the older generation ends");
  old_one.Stop();
  for (const FakePod& pod : SamplePods()) Walk(new_one, pod, findings);
  findings.FailAll(old_one.Violations(), "beside another generation: ");
  findings.FailAll(new_one.Violations(), "beside another generation: ");
}

}  // namespace berth::validate
