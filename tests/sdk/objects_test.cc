// The object service and its extension point through the C++ layer and the fake host.
#include "berth/objects.hpp"

#include <gmock/gmock.h>

#include "berth/testing/fake_quantity.hpp"
#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Shopper {
  static constexpr Info kInfo{.name = "shopper", .vendor = "test"};
  static Shopper*& self() {
    static Shopper* self = nullptr;
    return self;
  }
  explicit Shopper(Host& h) : host(h), objects(h) { self() = this; }
  void Activate() { claims = objects.Need("", "v1", "persistentvolumeclaims"); }
  Status PreFilter(Cycle&, const Pod& pod) {
    const Object claim = objects.Get(claims, host.Text(pod.ns()), pod.name());
    if (!claim) return Status::Unschedulable("no claim");
    seen.push_back(std::string(claim.At("spec", "storageClassName").AsString()));
    for (const Object each : objects.All(claims)) names.push_back(std::string(each.name()));
    return Status::Ok();
  }
  Status Reserve(Cycle&, const Pod& pod, Id) {
    const bool done = objects.Assume(claims, "default", pod.name(), R"({"spec": {"volumeName": "v", "x": null}})");
    return done ? Status::Ok() : Status::Error("not assumed");
  }
  void Unreserve(Cycle&, const Pod& pod, Id) { objects.Revert(claims, "default", pod.name()); }
  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    told.push_back(std::to_string(kind) + ": " + std::string(before ? before.name() : "-") + " -> " +
                   std::string(now ? now.name() : "-"));
  }

  Host& host;
  Objects objects;
  ObjectKind claims = 0;
  std::vector<std::string> seen, names, told;
};

FakeObject Claim(const std::string& name) {
  return FakeObject(name, "default").Spec(R"({"storageClassName": "fast", "x": 1})");
}

TEST(Json, EscapesAreRead) {
  EXPECT_EQ(ParseJson(R"("\u000a\n\"\u00e9\u20aC")").view().AsString(), "\n\n\"\xc3\xa9\xe2\x82\xac");
  EXPECT_THROW(ParseJson(R"("\ud800")"), std::invalid_argument) << "half of a character";
  EXPECT_THROW(ParseJson(R"("\u12")"), std::invalid_argument);
}

TEST(Objects, AreReadInCalls) {
  PluginUnderTest plugin = TestPlugin<Shopper>();
  plugin.Put("v1/persistentvolumeclaims", Claim("p")).Put("v1/persistentvolumeclaims", Claim("a"));
  plugin.cluster().Add(FakeNode("n1"));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_TRUE(plugin.Try(FakePod("p"))->PreFilter().ok());
  EXPECT_EQ(plugin.Try(FakePod("q"))->PreFilter().code, BERTH_UNSCHEDULABLE);
  EXPECT_THAT(Shopper::self()->seen, ElementsAre("fast"));
  EXPECT_THAT(Shopper::self()->names, ElementsAre("a", "p"));
  EXPECT_THAT(plugin.Violations(), IsEmpty());
}

TEST(Objects, ChangesAreTold) {
  PluginUnderTest plugin = TestPlugin<Shopper>();
  plugin.Put("v1/persistentvolumeclaims", Claim("p"));
  ASSERT_TRUE(plugin.Start().ok());
  plugin.Put("v1/persistentvolumeclaims", Claim("p"));
  plugin.Put("v1/services", FakeObject("unasked", "default"));
  plugin.Delete("v1/persistentvolumeclaims", "p", "default");
  EXPECT_THAT(Shopper::self()->told, ElementsAre("1: - -> p", "1: p -> p", "1: p -> -"));
}

TEST(Objects, AreAssumedUntilRevertedOrReplaced) {
  PluginUnderTest plugin = TestPlugin<Shopper>();
  plugin.Put("v1/persistentvolumeclaims", Claim("p"));
  plugin.cluster().Add(FakeNode("n1"));
  ASSERT_TRUE(plugin.Start().ok());
  FakeObjects& objects = plugin.host().objects();
  const auto volume = [&] {
    const auto spec = objects.Find("v1/persistentvolumeclaims", "p", "default")->document.view().Get("spec");
    return std::string(spec.Get("volumeName").AsString()) + (spec.Get("x") ? "+x" : "");
  };
  const auto attempt = plugin.Try(FakePod("p"));
  ASSERT_TRUE(attempt->Reserve("n1").ok());
  EXPECT_EQ(volume(), "v");
  EXPECT_TRUE(objects.Assumed("v1/persistentvolumeclaims", "p", "default"));
  attempt->Unreserve("n1");
  EXPECT_EQ(volume(), "+x");
  ASSERT_TRUE(attempt->Reserve("n1").ok());
  plugin.Put("v1/persistentvolumeclaims", Claim("p"));
  EXPECT_EQ(volume(), "+x");
  EXPECT_EQ(plugin.Try(FakePod("none"))->Reserve("n1").code, BERTH_ERROR);
}

// Calls the service where the ABI does not allow it.
struct Late {
  static constexpr Info kInfo{.name = "late", .vendor = "test"};
  explicit Late(Host& h) : objects(h) {}
  Status PreFilter(Cycle&, const Pod&) { return objects.Need("", "v1", "services"), Status::Ok(); }
  Objects objects;
};
TEST(Objects, KindsAreNeededInActivateOnly) {
  PluginUnderTest plugin = TestPlugin<Late>();
  ASSERT_TRUE(plugin.Start().ok());
  plugin.Try(FakePod("p"))->PreFilter();
  EXPECT_THAT(plugin.Violations(), ElementsAre("objects need() was called in PreFilter, where it must not be"));
}

TEST(Objects, AHostWithoutThemIsNamedInTheError) {
  PluginUnderTest plugin = TestPlugin<Shopper>();
  plugin.host().Without(BERTH_SERVICE_OBJECTS);
  const Outcome outcome = plugin.Start();
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  EXPECT_THAT(outcome.reasons[0], ::testing::HasSubstr("berth.host.objects/1: need"));
}

TEST(FakeQuantity, ReadsWhatKubernetesReads) {
  EXPECT_EQ(ReadQuantity("1Gi", 0), 1 << 30);
  EXPECT_EQ(ReadQuantity("1.5Gi", 0), 3 << 29);
  EXPECT_EQ(ReadQuantity("100m", 3), 100);
  EXPECT_EQ(ReadQuantity("100m", 0), 1);
  EXPECT_EQ(ReadQuantity("2k", 0), 2000);
  EXPECT_EQ(ReadQuantity("12e3", 0), 12000);
  EXPECT_EQ(ReadQuantity("-1", 3), -1000);
  EXPECT_EQ(ReadQuantity("1GiB", 0), std::nullopt);
  EXPECT_EQ(ReadQuantity("", 0), std::nullopt);
}

}  // namespace
}  // namespace berth::sdk::testing
