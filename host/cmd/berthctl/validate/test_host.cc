#include "cmd/berthctl/validate/test_host.h"

#include <stdexcept>

#include "base/text.h"
#include "berth/domains.h"
#include "berth/draft/pods.h"
#include "berth/extenders.h"
#include "berth/http.h"
#include "berth/kept.h"
#include "berth/metrics.h"
#include "berth/tasks.h"
#include "cmd/berthctl/validate/plugin_args.h"
#include "cmd/berthctl/validate/samples.h"

namespace berth::validate {
namespace {

using sdk::testing::Outcome;

sdk::testing::FakeReply Accepted(const sdk::testing::FakeRequest&) { return {}; }

}  // namespace

const std::vector<const char*>& AllServices() {
  static const std::vector<const char*> ids = {
      BERTH_SERVICE_VALUE,    BERTH_SERVICE_CONFIG,   BERTH_SERVICE_LOG,       BERTH_SERVICE_SNAPSHOT,
      BERTH_SERVICE_CYCLE,    BERTH_SERVICE_REQUESTS, BERTH_SERVICE_SELECTORS, BERTH_SERVICE_BINDER,
      BERTH_SERVICE_WAITING,  BERTH_SERVICE_RANDOM,   BERTH_SERVICE_OBJECTS,   BERTH_SERVICE_TASKS,
      BERTH_SERVICE_API,      BERTH_SERVICE_MATCHING, BERTH_SERVICE_DOMAINS,   BERTH_SERVICE_POD_SETS,
      BERTH_SERVICE_NOMINATE, BERTH_SERVICE_TRIAL,    BERTH_SERVICE_EXTENDERS, BERTH_SERVICE_METRICS,
      BERTH_SERVICE_PODS,     BERTH_SERVICE_HTTP,     BERTH_SERVICE_JSON,      BERTH_SERVICE_KEPT};
  return ids;
}

TestHost::TestHost(const Subject& subject, std::shared_ptr<const loader::Library> library, const HostShape& shape)
    : library_(std::move(library)),
      face_(library_->entry(), shape),
      plugin_(face_.AsEntry(), subject.plugin, shape.minor),
      nominations_(plugin_.host()),
      pods_(plugin_.host()),
      trials_(plugin_.host(), &nominations_),
      extenders_(plugin_.host()) {
  const CompletedArgs args = CompleteArgs(subject, *library_);
  if (!args.errors.empty()) throw std::invalid_argument("its args are refused: " + base::Join(args.errors, "; "));
  if (!args.args.is_null()) plugin_.Args(ToFake(args.args));
  plugin_.host().api().AnswersBy(&Accepted);
  for (const SampleObject& one : SampleObjects()) plugin_.Put(one.kind, one.object);
}

TestHost::~TestHost() {
  plugin_.Stop();
  (void)plugin_.Violations();  // the rule has read those that it needs
}

Outcome TestHost::Init() {
  face_.AsEntry();  // there may be a newer TestHost
  return plugin_.Init();
}

Outcome TestHost::Start() {
  face_.AsEntry();  // there may be a newer TestHost
  return Begin();
}

Outcome TestHost::StartFrom(TestHost& before, const berth_succession& table) {
  face_.AsEntry();
  std::vector<std::string> refused;
  face_.PreparedBy([&](const berth_host* shown) {
    const sdk::testing::CallScope scope(host().checker(), "prepare", sdk::testing::kAsking);
    berth_plugin* made = table.prepare(before.raw(), shown);
    if (made == nullptr) refused = scope.because;
    return made;
  });
  Outcome outcome = Begin();
  return refused.empty() ? std::move(outcome) : Outcome{BERTH_ERROR, std::move(refused)};
}

Outcome TestHost::Begin() {
  Outcome outcome = plugin_.Init();
  if (outcome.ok()) outcome = plugin_.Activate();
  if (outcome.ok() && Offers(BERTH_POINT_DELTAS)) plugin_.SendState();
  return outcome;
}

bool TestHost::Started(Findings& findings) {
  const Outcome outcome = Start();
  if (!outcome.ok()) findings.Fail("cannot be started: " + base::Join(outcome.reasons, "; "));
  return outcome.ok();
}

}  // namespace berth::validate
