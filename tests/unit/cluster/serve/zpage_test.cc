// The answers are those of k8s.io/apiserver v0.36.3 pkg/server/flagz and statusz to the same requests.
#include "cluster/serve/zpage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/serve/accept.h"
#include "cluster/serve/flagz.h"
#include "cluster/serve/statusz.h"

namespace berth::serve {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Pair;

const std::map<std::string, std::string> kFlags{{"v", "2"},
                                                {"config", "/etc/a b.yaml"},
                                                {"bind-address", "0.0.0.0"},
                                                {"allow-metric-labels", "[]"},
                                                {"quoted", "it's \"x\": <y>\n"}};

constexpr const char* kWarning =
    "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is "
    "for "
    "debugging purposes only.\n";
constexpr const char* kFlagzYaml =
    "apiVersion: config.k8s.io/v1beta1\nflags:\n  allow-metric-labels: '[]'\n  bind-address: 0.0.0.0\n"
    "  config: /etc/a b.yaml\n  quoted: |\n    it's \"x\": <y>\n  v: \"2\"\nkind: Flagz\nmetadata:\n"
    "  name: kube-scheduler\n";
constexpr const char* kErrorYaml =
    "apiVersion: v1\ncode: 406\nkind: Status\nmessage: 'only the following media types are accepted: application/json, "
    "application/yaml,\n  text/plain'\nmetadata: {}\nreason: NotAcceptable\nstatus: Failure\n";
constexpr const char* kErrorLine =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"only the following media types are )"
    R"(accepted: application/json, application/yaml, text/plain","reason":"NotAcceptable","code":406})"
    "\n";
constexpr const char* kErrorPretty =
    "{\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"metadata\": {},\n  \"status\": \"Failure\",\n"
    "  \"message\": \"only the following media types are accepted: application/json, application/yaml, text/plain\",\n"
    "  \"reason\": \"NotAcceptable\",\n  \"code\": 406\n}";

std::string FlagzJson(const std::string& version) {
  return R"({"kind":"Flagz","apiVersion":"config.k8s.io/)" + version +
         R"(","metadata":{"name":"kube-scheduler"},"flags":{"allow-metric-labels":"[]","bind-address":"0.0.0.0",)"
         R"("config":"/etc/a b.yaml","quoted":"it's \"x\": \u003cy\u003e\n","v":"2"}})"
         "\n";
}

http::Answer GetFlagz(const std::string& accept, const std::string& query = "", const std::string& agent = "") {
  return FlagzRoute(kFlags).handler(
      {.path = "/flagz", .query = query, .headers = {{"accept", accept}, {"user-agent", agent}}});
}

TEST(Flagz, NegotiatesAsUpstream) {
  enum Want { kText, kJson, kJsonV1alpha1, kPrettyJson, kYaml, kError, kErrorAsLine, kErrorAsYaml };
  const std::string kind = ";g=config.k8s.io;v=v1beta1;as=Flagz";
  const struct {
    std::string accept;
    Want want;
    std::string query = "", agent = "";
  } cases[] = {
      {"", kText},
      {" ", kText},
      {"*/*", kText},
      {"*", kText},
      {"text/plain", kText},
      {"text/*", kText},
      {"text/plain;q=0", kText},
      {"application/json;as=Flagzx;g=config.k8s.io;v=v1beta1, */*", kText},
      {"application/json;q=0.1" + kind + ",text/plain", kText},
      {"text/html", kError},
      {"garbage", kError},
      {"application/xml", kError},
      {"application/vnd.kubernetes.protobuf", kError},
      {"application/cbor" + kind, kError},
      {"text/plain" + kind, kError},
      {"APPLICATION/JSON" + kind, kError},
      {"application/json;as=Flagz", kError},
      {"application/json;v=v1;g=config.k8s.io;as=Flagz", kError},
      {"application/json" + kind + ";stream=watch", kError},
      {"application/json" + kind + ";sv=v1", kError},
      {"application/json ; as=\"Flagz\";g=config.k8s.io; v=v1beta1", kError},
      {"application/json", kErrorAsLine},
      {"application/*", kErrorAsLine},
      {"application/json", kError, "", "curl/7"},
      {"application/yaml", kErrorAsYaml},
      {"application/json" + kind, kJson},
      {"application/json;q=x" + kind, kJson},
      {"*/*" + kind, kJson},
      {"application/json;v=v1alpha1;g=config.k8s.io;as=Flagz", kJsonV1alpha1},
      {"application/json;pretty=1" + kind, kPrettyJson},
      {"application/json" + kind, kPrettyJson, "", "curl/7"},
      {"application/json" + kind, kPrettyJson, "pretty=1"},
      {"application/json" + kind, kJson, "pretty=0", "curl/7"},
      {"application/yaml" + kind, kYaml},
      {"text/plain;q=0.5,application/yaml" + kind, kYaml},
  };
  for (const auto& c : cases) {
    const http::Answer answer = GetFlagz(c.accept, c.query, c.agent);
    const std::string what = c.accept + " " + c.query + " " + c.agent;
    switch (c.want) {
      case kText:
        EXPECT_EQ(answer.status, 200) << what;
        EXPECT_EQ(answer.content_type, "text/plain; charset=utf-8") << what;
        EXPECT_THAT(answer.body, testing::StartsWith(std::string("\nkube-scheduler flagz\n") + kWarning)) << what;
        break;
      case kJson:
        EXPECT_EQ(answer.content_type, "application/json;g=config.k8s.io;v=v1beta1;as=Flagz") << what;
        EXPECT_EQ(answer.body, FlagzJson("v1beta1")) << what;
        EXPECT_THAT(answer.headers, IsEmpty()) << what;
        break;
      case kJsonV1alpha1:
        EXPECT_EQ(answer.content_type, "application/json;g=config.k8s.io;v=v1alpha1;as=Flagz") << what;
        EXPECT_EQ(answer.body, FlagzJson("v1alpha1")) << what;
        EXPECT_THAT(answer.headers,
                    ElementsAre(Pair("Warning",
                                     "299 - \"This version of the flagz endpoint is deprecated. Please use a "
                                     "newer version.\"")))
            << what;
        break;
      case kPrettyJson:
        EXPECT_EQ(answer.content_type, "application/json;g=config.k8s.io;v=v1beta1;as=Flagz") << what;
        EXPECT_THAT(answer.body, MatchesRegex("[{]\n  \"kind\": \"Flagz\",\n(.|\n)*\n    \"v\": \"2\"\n  [}]\n[}]"))
            << what;
        break;
      case kYaml:
        EXPECT_EQ(answer.content_type, "application/yaml;g=config.k8s.io;v=v1beta1;as=Flagz") << what;
        EXPECT_EQ(answer.body, kFlagzYaml) << what;
        break;
      case kError:
        EXPECT_EQ(answer.status, 406) << what;
        EXPECT_EQ(answer.content_type, "application/json") << what;
        EXPECT_EQ(answer.body, kErrorPretty) << what;
        break;
      case kErrorAsLine:
        EXPECT_EQ(answer.status, 406) << what;
        EXPECT_EQ(answer.body, kErrorLine) << what;
        break;
      case kErrorAsYaml:
        EXPECT_EQ(answer.status, 406) << what;
        EXPECT_EQ(answer.content_type, "application/yaml") << what;
        EXPECT_EQ(answer.body, kErrorYaml) << what;
    }
  }
}

TEST(Flagz, TheTextHasOneSeparatorForAllFlags) {
  EXPECT_THAT(
      GetFlagz("").body,
      MatchesRegex("(.|\n)*\nallow-metric-labels:[[][]]\nbind-address:0.0.0.0\nconfig:/etc/a b.yaml\n(.|\n)*|"
                   "(.|\n)*\nallow-metric-labels: [[][]]\nbind-address: 0.0.0.0\nconfig: /etc/a b.yaml\n(.|\n)*|"
                   "(.|\n)*\nallow-metric-labels=[[][]]\nbind-address=0.0.0.0\nconfig=/etc/a b.yaml\n(.|\n)*|"
                   "(.|\n)*\nallow-metric-labels [[][]]\nbind-address 0.0.0.0\nconfig /etc/a b.yaml\n(.|\n)*"));
}

struct ServedStatus {
  int64_t now = 1795442876;
  std::vector<std::string> paths{"/configz", "/flagz",      "/healthz",          "/healthz/ping",
                                 "/livez",   "/livez/ping", "/metrics",          "/metrics/slis",
                                 "/readyz",  "/",           "/metrics/resources"};
  http::Answer Get(const std::string& accept) {
    const Status status{.start_unix_seconds = 1795442876,
                        .go_version = "go1.26.8",
                        .binary_version = "1.36",
                        .emulation_version = "1.36"};
    return StatuszRoute(
               status, [this] { return paths; }, [this] { return now; })
        .handler({.path = "/statusz", .headers = {{"accept", accept}}});
  }
};

TEST(Statusz, TheText) {
  ServedStatus s;
  s.now += 3600 * 100 + 60 * 2 + 5;
  EXPECT_THAT(s.Get("").body,
              MatchesRegex("\nkube-scheduler statusz\nWarning: [^\n]*\n\nStarted(:|: |=| ) [A-Z][a-z][a-z] Nov 2[34] "
                           "[0-9][0-9]:[0-9][0-9]:56 [A-Z+0-9-]+ 2026\nUp(:|: |=| ) 100 hr 02 min 05 sec\nGo "
                           "version(:|: |=| ) go1.26.8\nBinary version(:|: |=| ) 1.36\nEmulation version(:|: |=| ) "
                           "1.36\nPaths(:|: |=| ) /configz /flagz /healthz /livez /metrics /readyz\n"));
}

TEST(Statusz, TheObject) {
  ServedStatus s;
  ++s.now;
  EXPECT_EQ(
      s.Get("application/json;g=config.k8s.io;v=v1beta1;as=Statusz").body,
      R"({"kind":"Statusz","apiVersion":"config.k8s.io/v1beta1","metadata":{"name":"kube-scheduler"},"startTime":)"
      R"("2026-11-23T14:07:56Z","uptimeSeconds":1,"goVersion":"go1.26.8","binaryVersion":"1.36","emulationVersion":)"
      R"("1.36","paths":["/configz","/flagz","/healthz","/livez","/metrics","/readyz"]})"
      "\n");
  EXPECT_EQ(s.Get("application/yaml;g=config.k8s.io;v=v1beta1;as=Statusz").body,
            "apiVersion: config.k8s.io/v1beta1\nbinaryVersion: \"1.36\"\nemulationVersion: \"1.36\"\ngoVersion: "
            "go1.26.8\nkind: Statusz\nmetadata:\n  name: kube-scheduler\npaths:\n- /configz\n- /flagz\n- /healthz\n- "
            "/livez\n- /metrics\n- /readyz\nstartTime: \"2026-11-23T14:07:56Z\"\nuptimeSeconds: 1\n");
  EXPECT_THAT(s.Get("application/json;g=config.k8s.io;v=v1alpha1;as=Statusz").headers,
              Contains(Pair("Warning", HasSubstr("statusz endpoint is deprecated"))));
  EXPECT_EQ(s.Get("application/json;g=config.k8s.io;v=v1beta1;as=Flagz").status, 406);
}

TEST(Accept, ReadsClausesInGoautonegsOrder) {
  const auto names = [](std::string_view header) {
    std::vector<std::string> out;
    for (const AcceptClause& clause : ParseAccept(header)) out.push_back(clause.type + "/" + clause.subtype);
    return out;
  };
  EXPECT_THAT(names("a/b;q=0.1, c/d, *"), ElementsAre("c/d", "*/*", "a/b"));
  EXPECT_THAT(names("*/*, a/*, a/b"), ElementsAre("a/b", "a/*", "*/*"));
  EXPECT_THAT(names("a, a/b/c, ,/"), IsEmpty());
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "a/b;q=0." + std::to_string(i) + ",";
  EXPECT_EQ(ParseAccept(many).size(), 64u);
}

}  // namespace
}  // namespace berth::serve
