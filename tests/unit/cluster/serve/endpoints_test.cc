#include "cluster/serve/endpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace berth::serve {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

struct Served {
  metrics::Registry registry;
  std::atomic<bool> synced{false};
  Endpoints endpoints{{.readyz = {{"sched-handler-sync",
                                   [this]() -> std::optional<std::string> {
                                     if (synced) return std::nullopt;
                                     return "handlers are not fully synchronized";
                                   }}}},
                      registry};
  http::Answer Get(std::string_view path, std::string_view query = "") const {
    return endpoints.Get({.path = std::string(path), .query = std::string(query)});
  }
};

TEST(Endpoints, ServesHealthAtThreePaths) {
  Served s;
  EXPECT_EQ(s.Get("/healthz").body, "ok");
  EXPECT_EQ(s.Get("/livez", "verbose").body, "[+]ping ok\nlivez check passed\n");
  EXPECT_EQ(s.Get("/healthz/ping").body, "ok");
  EXPECT_EQ(s.Get("/livez/ping").status, 200);
  EXPECT_EQ(s.Get("/readyz").status, 500);
  EXPECT_EQ(s.Get("/readyz/sched-handler-sync").body, "internal server error: handlers are not fully synchronized\n");
  s.synced = true;
  EXPECT_EQ(s.Get("/readyz").body, "ok");
  EXPECT_EQ(s.Get("/readyz/sched%2Dhandler-sync").body, "ok");
}

TEST(Endpoints, AnswersHaveUpstreamsHeaders) {
  const Served s;
  const auto no_cache = testing::Pair("Cache-Control", "no-cache, private");
  const auto no_sniff = testing::Pair("X-Content-Type-Options", "nosniff");
  for (const char* path : {"/healthz", "/readyz", "/readyz/sched-handler-sync", "/configz", "/nosuch"}) {
    EXPECT_THAT(s.Get(path).headers, UnorderedElementsAre(no_cache, no_sniff)) << path;
  }
  EXPECT_THAT(s.Get("/healthz/ping").headers, UnorderedElementsAre(no_cache)) << "Go guesses the type";
}

TEST(Endpoints, HealthChecksAnswerAllMethods) {
  const Served s;
  for (const char* method : {"HEAD", "POST", "DELETE"}) {
    EXPECT_EQ(s.endpoints.Get({.method = method, .path = "/healthz"}).body, "ok") << method;
    EXPECT_EQ(s.endpoints.Get({.method = method, .path = "/healthz/ping"}).body, "ok") << method;
  }
  EXPECT_EQ(s.endpoints.Get({.method = "PUT", .path = "/admin/v1/plugins"}).status, 405);
}

TEST(Endpoints, OthersAddPaths) {
  Served s;
  s.endpoints.routes().Add({.path = "/metrics/slis", .handler = [](const http::Incoming&) {
                              return http::Answer{.body = "slis", .headers = {{"Cache-Control", "no-store"}}};
                            }});
  EXPECT_EQ(s.Get("/metrics/slis").body, "slis");
  EXPECT_THAT(s.Get("/metrics/slis").headers, UnorderedElementsAre(testing::Pair("Cache-Control", "no-store")));
  EXPECT_THAT(s.endpoints.routes().ListedPaths(), testing::IsSupersetOf({"/configz", "/livez/ping", "/metrics/slis"}));
}

TEST(Endpoints, UnknownPathsAreNotFound) {
  const Served s;
  for (const char* path : {"", "/", "/healthz/", "/healthz/x", "/readyz/ping", "/healthzz", "/metrics/", "/Metrics",
                           "/admin/v1/plugins/x", "/readyz/sched-handler-sync/"}) {
    const http::Answer answer = s.Get(path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.content_type, "text/plain; charset=utf-8");
    EXPECT_EQ(answer.body, "404 page not found\n");
  }
}

TEST(Endpoints, ServesCurrentMetrics) {
  Served s;
  const metrics::Counter counter = s.registry.MakeCounter({"c_total", "Cs."});
  counter.Increment();
  EXPECT_EQ(s.Get("/metrics").content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(s.Get("/metrics").body, HasSubstr("c_total 1\n"));
  counter.Increment();
  EXPECT_THAT(s.Get("/metrics").body, HasSubstr("c_total 2\n"));
}

TEST(Endpoints, ServesResultsOfHealthChecksAndResources) {
  metrics::Registry registry, slis;
  metrics::HealthMetrics health(slis);
  const Endpoints endpoints({.readyz = {{"broken", [] { return std::optional<std::string>("why"); }}}}, registry,
                            {.health = &health, .slis = &slis, .resources = [] { return http::Answer{.body = "rs"}; }});
  const auto get = [&](const char* path) { return endpoints.Get({.path = path}); };
  get("/readyz");
  get("/readyz/broken");  // upstream does not count single checks
  get("/livez");
  const std::string text = get("/metrics/slis").body;
  EXPECT_THAT(text, HasSubstr("kubernetes_healthcheck{name=\"broken\",type=\"readyz\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("kubernetes_healthcheck{name=\"ping\",type=\"livez\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("kubernetes_healthchecks_total{name=\"broken\",status=\"error\",type=\"readyz\"} 1\n"));
  EXPECT_EQ(get("/metrics/resources").body, "rs");
  EXPECT_EQ(Served().Get("/metrics/slis").status, 404);
}

TEST(Endpoints, ServesTheConfigurationAsAComponentConfig) {
  Served s;
  EXPECT_EQ(s.Get("/configz").body, "{}");
  s.endpoints.SetConfiguration(json::Value::MakeObject({{"kind", "KubeSchedulerConfiguration"}, {"parallelism", 16}}));
  EXPECT_EQ(s.Get("/configz").content_type, "application/json");
  EXPECT_EQ(s.Get("/configz").body, R"({"componentconfig":{"kind":"KubeSchedulerConfiguration","parallelism":16}})");
}

TEST(Endpoints, PluginsAreListed) {
  Served s;
  EXPECT_EQ(s.Get("/admin/v1/plugins").body,
            "{\"apiVersion\":\"berth.dev/v1alpha1\",\"kind\":\"PluginList\",\"plugins\":[]}\n");
  s.endpoints.SetPlugins({{.name = "NodeName",
                           .library = "/p/node_name.so",
                           .version = "0.1.0",
                           .digest = "sha256:ab",
                           .generation = 3,
                           .state = "active"}});
  EXPECT_EQ(s.Get("/admin/v1/plugins").content_type, "application/json");
  EXPECT_EQ(s.Get("/admin/v1/plugins").body,
            R"({"apiVersion":"berth.dev/v1alpha1","kind":"PluginList","plugins":[{"name":"NodeName",)"
            R"("library":"/p/node_name.so","version":"0.1.0","digest":"sha256:ab","generation":3,"state":"active"}]})"
            "\n");
}

TEST(Endpoints, RecognizesPathsOfHealthChecks) {
  const Served s;
  for (const char* path : {"/healthz", "/livez", "/readyz", "/readyz/shutdown", "/livez/", "/%68ealthz"}) {
    EXPECT_TRUE(s.endpoints.IsHealth(path)) << path;
  }
  for (const char* path : {"/metrics", "/configz", "/admin/v1/plugins", "/", "", "/livezz", "/x/livez"}) {
    EXPECT_FALSE(s.endpoints.IsHealth(path)) << path;
  }
}

TEST(Endpoints, ReplacesTextsDuringReads) {
  Served s;
  std::atomic<bool> over{false};
  std::thread writer([&] {
    for (int i = 0; i < 500; ++i) {
      s.synced = i % 2 == 0;
      s.endpoints.SetPlugins({{.name = std::string(100, static_cast<char>('a' + i % 26)), .generation = 0}});
    }
    over = true;
  });
  int reads = 0, whole = 0;
  do {
    const int status = s.Get("/readyz").status;
    whole += s.Get("/admin/v1/plugins").body.ends_with("]}\n") && (status == 200 || status == 500) ? 1 : 0;
    ++reads;
  } while (!over);
  writer.join();
  EXPECT_EQ(whole, reads);
}

}  // namespace
}  // namespace berth::serve
