#include "cluster/serve/pprof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace berth::serve {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

class Pprof : public testing::Test {
 protected:
  void SetUp() override { AddPprof(routes, {"berth-scheduler", "--config", "a b"}, stop.get_token()); }
  http::Answer Get(const std::string& name, const std::string& query = "") const {
    return routes.Serve({.path = "/debug/pprof/" + name, .query = query});
  }
  std::stop_source stop;
  Routes routes;
};

extern "C" __attribute__((noinline)) int BerthPprofTestFunction(int n) { return n + 1; }

TEST_F(Pprof, RedirectsToTheIndex) {
  const http::Answer answer = routes.Serve({.path = "/debug/pprof", .query = "x=1"});
  EXPECT_EQ(answer.status, 302);
  EXPECT_THAT(answer.headers, Contains(Pair("Location", "/debug/pprof/")));
  EXPECT_EQ(answer.body, "<a href=\"/debug/pprof/\">Found</a>.\n\n");
  EXPECT_EQ(routes.Serve({.method = "HEAD", .path = "/debug/pprof"}).body, "");
  EXPECT_THAT(Get("").body, HasSubstr("<a href='goroutine?debug=1'>goroutine</a>"));
}

TEST_F(Pprof, RefusesWhatItDoesNotHave) {
  const struct {
    std::string name, query;
    int status;
    std::string want;
  } cases[] = {
      {"nosuch", "", 404, "Unknown profile\n"},
      {"mutex", "", 404, "Unknown profile\n"},
      {"trace", "seconds=1", 500, "Could not enable tracing: there is no execution trace of a C++ program\n"},
      {"heap", "", 501, "the allocator does not record who allocated memory; heap?debug=1 shows what it knows\n"},
      {"profile", "seconds=301", 400, "a profile takes at most 300 seconds\n"},
  };
  for (const auto& c : cases) {
    const http::Answer answer = Get(c.name, c.query);
    EXPECT_EQ(answer.status, c.status) << c.name;
    EXPECT_EQ(answer.body, c.want) << c.name;
    EXPECT_THAT(answer.headers, Contains(Pair("X-Go-Pprof", "1"))) << c.name;
  }
}

TEST_F(Pprof, ServesProfiles) {
  stop.request_stop();  // ends the 30 seconds at once
  for (const char* query : {"seconds=1", "", "seconds=x", "seconds=-1"}) {
    const http::Answer answer = Get("profile", query);
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.content_type, "application/octet-stream");
    EXPECT_THAT(answer.headers, Contains(Pair("Content-Disposition", "attachment; filename=\"profile\"")));
    EXPECT_EQ(answer.body.substr(8, 8), std::string("\3\0\0\0\0\0\0\0", 8));
  }
  EXPECT_THAT(Get("goroutine").body, StartsWith("goroutine profile: total "));
  EXPECT_EQ(Get("goroutine", "debug=1").content_type, "text/plain; charset=utf-8");
  EXPECT_THAT(Get("goroutine", "debug=2").body, HasSubstr(" [main]:\n"));
  EXPECT_THAT(Get("heap", "debug=1").body, StartsWith("<malloc version="));
  EXPECT_EQ(Get("cmdline").body, std::string("berth-scheduler\0--config\0a b", 28));
}

TEST_F(Pprof, NamesAddresses) {
  EXPECT_EQ(BerthPprofTestFunction(1), 2);
  char address[32];
  std::snprintf(address, sizeof address, "%#llx",
                reinterpret_cast<unsigned long long>(reinterpret_cast<void*>(&BerthPprofTestFunction)));
  const std::string want = std::string(address) + " BerthPprofTestFunction\n";
  EXPECT_EQ(Get("symbol").body, "num_symbols: 1\n");
  EXPECT_EQ(Get("symbol", std::string("0x1+zz+") + address).body, "num_symbols: 1\n" + want);
  const http::Answer posted =
      routes.Serve({.method = "POST", .path = "/debug/pprof/symbol", .body = std::string(address) + "+" + address});
  EXPECT_EQ(posted.body, "num_symbols: 1\n" + want + want);
}

TEST(PprofPaths, AreBelowDebug) {
  for (const char* path : {"/debug", "/debug/pprof", "/debug/flags/v", "/%64ebug/pprof/"}) EXPECT_TRUE(IsDebug(path));
  for (const char* path : {"/debugger", "/metrics", "/", ""}) EXPECT_FALSE(IsDebug(path)) << path;
}

TEST(PprofPaths, OnlyAProfileIsSlow) {
  for (const char* path : {"/debug/pprof/profile", "/debug/pprof/%70rofile"}) EXPECT_TRUE(IsSlow(path)) << path;
  for (const char* path : {"/debug/pprof/", "/debug/pprof/goroutine", "/metrics", ""})
    EXPECT_FALSE(IsSlow(path)) << path;
}

}  // namespace
}  // namespace berth::serve
