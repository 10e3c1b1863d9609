// The extenders of a configuration: order, traits, and errors.
#include <gmock/gmock.h>

#include "fake_server.h"

namespace berth::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kNowhere[] = "http://127.0.0.1:9";

std::string Failure(const std::string& url, const Change& change = nullptr,
                    const credentials::Environment& environment = {}) {
  const auto made = MakeAll({Config(kNowhere), Config(url, change)}, environment);
  return made ? "made" : made.error().message;
}

TEST(Make, IgnorableExtendersComeLast) {
  const auto ignorable = [](auto& c) { c.ignorable = true; };
  const auto made = MakeAll(
      {Config("http://a", ignorable), Config("http://b"), Config("http://c", ignorable), Config("http://d/x/")});
  ASSERT_TRUE(made) << made.error().message;
  std::vector<std::string> names;
  for (const auto& extender : *made) names.push_back(extender->name());
  EXPECT_THAT(names, ElementsAre("http://b", "http://d/x/", "http://a", "http://c"));
  EXPECT_FALSE((*made)[1]->ignorable());
  EXPECT_TRUE((*made)[2]->ignorable());
}

TEST(Make, Traits) {
  const auto all = MakeOne(kNowhere);
  EXPECT_TRUE(all->has_filter() && all->has_prioritize() && all->has_bind() && all->has_preempt());
  EXPECT_FALSE(all->needs_manifests());
  EXPECT_EQ(all->weight(), 3);
  const auto none = MakeOne(kNowhere, [](config::Extender& c) { c = {.url_prefix = kNowhere}; });
  EXPECT_FALSE(none->has_filter() || none->has_prioritize() || none->has_bind() || none->has_preempt());
  EXPECT_TRUE(none->needs_manifests());
}

TEST(Make, WithoutExtendersThereAreNone) {
  const auto made = Make({}, Tables());
  ASSERT_TRUE(made);
  EXPECT_THAT(*made, IsEmpty());
}

TEST(Make, InvalidUrls) {
  EXPECT_EQ(Failure("extender:8888"),
            "couldn't build extenders: extenders[1].urlPrefix: parse server URL \"extender:8888\": missing protocol "
            "scheme");
  EXPECT_EQ(Failure("http://me:secret@extender"),
            "couldn't build extenders: extenders[1].urlPrefix: parse server URL: user and password are not allowed");
  EXPECT_NE(Failure("http://extender?x=1"), "made");
}

TEST(Make, WhyNoServerReturnsTheErrorOfTheUrl) {
  EXPECT_EQ(WhyNoServer("http://extender:8888/x//"), "");
  EXPECT_EQ(WhyNoServer("extender:8888"), "parse server URL \"extender:8888\": missing protocol scheme");
  EXPECT_EQ(WhyNoServer("http://me:secret@extender"), "parse server URL: user and password are not allowed");
  EXPECT_NE(WhyNoServer(""), "");
}

TEST(Make, InvalidTls) {
  const auto with = [](const std::function<void(config::ExtenderTls&)>& set) {
    return Failure("https://127.0.0.1:9", [&](config::Extender& c) { set(c.tls.emplace()); });
  };
  const std::string path = "couldn't build extenders: extenders[1].tlsConfig.";
  EXPECT_EQ(with([](auto& t) { t.ca_file = "/missing/ca"; }),
            path + "caFile: open /missing/ca: no such file or directory");
  EXPECT_EQ(with([](auto& t) { t.ca_data = "junk"; }), path + "caData: holds no PEM certificate");
  EXPECT_EQ(with([](auto& t) { t.cert_file = "/missing/c", t.key_file = "/missing/k"; }),
            path + "certFile: open /missing/c: no such file or directory");
  EXPECT_EQ(with([](auto& t) { t.insecure = true, t.ca_data = "junk"; }),
            path + "insecure: specifying a root certificates file with the insecure flag is not allowed");
  // As in kube-scheduler, a certificate without a key is ignored.
  EXPECT_EQ(with([](auto& t) { t.cert_file = "/missing/c"; }), "made");
  EXPECT_EQ(with([](auto&) {}), "made");
}

TEST(Make, UsesTheProxyOfTheEnvironment) {
  EXPECT_EQ(Failure("http://extender", nullptr, {{"HTTP_PROXY", "socks5://p:1"}}),
            "couldn't build extenders: extenders[1].urlPrefix: environment variable HTTP_PROXY: socks5 proxies are not "
            "supported, http proxies are");
  const FakeServer proxy(R"({"NodeNames":["node2"]})");
  const auto extender = MakeOne("http://extender.example:8888/x", nullptr, {{"HTTP_PROXY", proxy.url()}});
  const auto filtered = extender->Filter(kPod, kTwoNodes);
  ASSERT_TRUE(filtered) << filtered.error().message;
  EXPECT_THAT(filtered->passed, ElementsAre(1));
  EXPECT_EQ(proxy.only().line(), "POST http://extender.example:8888/x/filter HTTP/1.1");
}

TEST(IgnoredResources, OfAllExtenders) {
  config::Configuration configuration;
  EXPECT_THAT(IgnoredResources(configuration), IsEmpty());
  configuration.extenders = {Config(kNowhere), Config(kNowhere)};
  configuration.extenders[0].managed_resources = {{"example.com/a", true}, {"example.com/b", false}};
  configuration.extenders[1].managed_resources = {{"example.com/c", true}};
  EXPECT_THAT(IgnoredResources(configuration), ElementsAre("example.com/a", "example.com/c"));
}

}  // namespace
}  // namespace berth::extender
