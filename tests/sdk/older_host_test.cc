// A host without a service, or with shorter tables, loads a plugin that uses every function: calls fail with a text
// that names what is missing, and the plugin never reads memory beyond the end of a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "every_point.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Calls every host function that the current call allows.
void UseEverything(const std::string& call, EveryPoint* self, Cycle* cycle, const Pod* pod) {
  if (self == nullptr) return;
  Host& host = self->host;
  const Id id = host.Intern("zone");
  host.Keep(id);
  host.Drop(id);
  (void)host.Text(id);
  host.Info("a line", {{"call", call}, {"id", id}});
  if (auto log = host.V(4)) log.Info("never");
  (void)host.Args().Get("x").AsString();
  (void)host.profile();
  (void)host.name();
  if (call == "Activate") host.OpenColumn(BERTH_NODE_LABEL, id);
  if (call == "init") {
    host.Selectors().Compile(Value(), [](auto, auto) {});
    host.Selectors().CompileNodeAffinity(Value(), [](auto, auto) {});
  }
  host.EachWaiting([](const Pod&) {});
  (void)host.AllowWaiting("uid");
  (void)host.RejectWaiting("uid", "why");
  if (cycle == nullptr) return;
  (void)cycle->Cancelled();
  (void)cycle->Seed();
  (void)cycle->ReasonTexts(cycle->Reasons("why").number);
  (void)cycle->Find<int>();
  (void)host.Requests(*pod);
  const bool serial = call == "PreFilter" || call == "PreScore" || call == "Reserve" || call == "Permit";
  if (serial) cycle->Set<int>(1);
  const bool frozen = serial || call == "Filter" || call == "Score" || call == "AddPod" || call == "RemovePod";
  if (!frozen) return;
  const Snapshot& snap = cycle->snap();
  (void)snap.rows();
  (void)snap.nodes();
  (void)snap.live();
  (void)snap.order();
  (void)snap.RowOf(id);
  (void)snap.Int64(BERTH_NODE_POD_COUNT);
  (void)snap.Float64(BERTH_NODE_ALLOCATABLE_F64, id);
  (void)snap.TaintsOf(0);
  (void)snap.Image(id);
  const uint32_t first[] = {0};
  const berth_rows raw{sizeof(berth_rows), 1, 0, 0, first, snap.live()};
  const berth_node_affinity& affinity = pod->node_affinity();
  (void)host.Selectors().MatchRequired(snap, affinity, Rows(&raw));
  (void)host.Selectors().MatchTerm(snap, {}, Rows(&raw));
  (void)host.Selectors().MatchNode(snap.View(0), affinity);
  (void)host.Selectors().RequiredErrors(affinity);
  (void)host.Selectors().Compile(host.Args(), [](auto, auto) {}).Matches((*pod)->labels);
  for (const uint32_t row : snap.order()) {
    (void)snap.At(row).pods();
    (void)snap.At(row).used_ports();
    (void)snap.At(row).name();
  }
}

class OlderHostTest : public ::testing::Test {
 protected:
  OlderHostTest() { EveryPoint::doing() = UseEverything; }
  ~OlderHostTest() override { EveryPoint::doing() = nullptr; }

  // Starts the plugin and makes every call; returns the texts of all errors, without duplicates.
  static std::set<std::string> Run(PluginUnderTest plugin) {
    std::set<std::string> errors;
    const auto note = [&errors](const std::string&, const Outcome& outcome) {
      if (outcome.code == BERTH_ERROR) errors.insert(outcome.reasons.begin(), outcome.reasons.end());
    };
    plugin.cluster().Add(FakeNode("n1")).Add(FakeNode("n2"));
    plugin.Args(FakeValue::Object({{"x", "y"}}));
    const Outcome started = plugin.Start();
    note("", started);
    if (started.ok()) CallEverything(plugin, note);
    plugin.Stop();
    EXPECT_THAT(plugin.Violations(), IsEmpty());
    return errors;
  }
};

constexpr const char* kServices[] = {BERTH_SERVICE_VALUE,     BERTH_SERVICE_CONFIG, BERTH_SERVICE_LOG,
                                     BERTH_SERVICE_SNAPSHOT,  BERTH_SERVICE_CYCLE,  BERTH_SERVICE_REQUESTS,
                                     BERTH_SERVICE_SELECTORS, BERTH_SERVICE_BINDER, BERTH_SERVICE_WAITING,
                                     BERTH_SERVICE_RANDOM};

TEST_F(OlderHostTest, TheWholeHostServesEverything) { EXPECT_THAT(Run(TestPlugin<EveryPoint>()), IsEmpty()); }

TEST_F(OlderHostTest, EachServiceMayBeMissing) {
  for (const char* service : kServices) {
    PluginUnderTest plugin = TestPlugin<EveryPoint>();
    plugin.host().Without(service);
    const auto errors = Run(std::move(plugin));
    if (std::string_view(service) == BERTH_SERVICE_LOG) {
      EXPECT_THAT(errors, IsEmpty()) << "log lines are dropped";
      continue;
    }
    ASSERT_FALSE(errors.empty()) << service;
    for (const std::string& error : errors) {
      EXPECT_THAT(error, HasSubstr(std::string("this host does not offer ") + service)) << service;
    }
  }
}

TEST_F(OlderHostTest, EachTableMayEndAnywhere) {
  for (const char* service : kServices) {
    for (uint32_t size = 8; size <= 112; size += 4) {  // the sizes include half a pointer, which is not a pointer
      PluginUnderTest plugin = TestPlugin<EveryPoint>();
      const berth_host* raw = plugin.host().raw();
      const uint32_t whole = *static_cast<const uint32_t*>(raw->service(raw, service));
      if (size >= whole) break;
      plugin.host().Shorten(service, size);
      const auto errors = Run(std::move(plugin));
      for (const std::string& error : errors) {
        EXPECT_THAT(error, HasSubstr(std::string("this host does not offer ") + service)) << service << " " << size;
      }
      if (std::string_view(service) != BERTH_SERVICE_LOG && size < whole - 8) {
        EXPECT_FALSE(errors.empty()) << service << " " << size;
      }
    }
  }
}

TEST_F(OlderHostTest, TheHostItselfMayEndAnywhere) {
  for (uint32_t size = 16; size < sizeof(berth_host); size += 8) {
    PluginUnderTest plugin = TestPlugin<EveryPoint>();
    plugin.host().ShortenHost(size);
    plugin.cluster().Add(FakeNode("n1"));
    EXPECT_EQ(plugin.Start().code, BERTH_ERROR) << size;
    plugin.Stop();
    for (const std::string& violation : plugin.Violations()) {
      EXPECT_THAT(violation, HasSubstr("without saying why")) << "because() is missing";
    }
  }
}

// ---- needs

struct Needy {
  static constexpr Info kInfo{.name = "needy"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_CYCLE, BERTH_SERVICE_RANDOM};
  Status PreEnqueue(Cycle&, const Pod&) { return Status::Ok(); }
};

TEST(NeedsTest, InitRefusesAHostWithoutThem) {
  PluginUnderTest plugin = TestPlugin<Needy>();
  plugin.host().Without(BERTH_SERVICE_RANDOM);
  EXPECT_EQ(plugin.Start(),
            (Outcome{BERTH_ERROR, {"plugin needy: init threw: this host does not offer berth.host.random/1"}}));
}

TEST(NeedsTest, OffersTellsBeforehand) {
  PluginUnderTest plugin = TestPlugin<Needy>();
  Host host(plugin.host().raw());
  EXPECT_TRUE(host.Offers(BERTH_SERVICE_RANDOM));
  EXPECT_FALSE(host.Offers("berth.host.random/2"));
}

}  // namespace
}  // namespace berth::sdk::testing
