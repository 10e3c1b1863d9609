// Through a proxy on loopback.
#include <gmock/gmock.h>

#include "client/http/rest_client.h"
#include "raw_server.h"

namespace berth::http {
namespace {

using testing::HasSubstr;
using testing::Not;

Reply GetThrough(const RawServer& proxy, const std::string& url, const std::string& user = "") {
  auto client =
      MakeRestClient({.url = url, .proxy_url = "http://" + user + "127.0.0.1:" + std::to_string(proxy.port())});
  if (!client) return {.error = client.error().message};
  return (*client)->SendAndWait({.path = "/x"});
}

TEST(Proxy, GetsTheUrlOfAPlainServer) {
  SeenRequest seen;
  RawServer proxy(Answering([&](ServerConnection& c, const SeenRequest& request) {
    seen = request;
    c.WriteReply(200, "by proxy");
  }));
  EXPECT_EQ(GetThrough(proxy, "http://api.corp:8080", "me:pa55@").body, "by proxy");
  EXPECT_EQ(seen.line(), "GET http://api.corp:8080/x HTTP/1.1");
  EXPECT_EQ(seen.header("Proxy-Authorization"), "Basic bWU6cGE1NQ==");
}

TEST(Proxy, GetsAConnectForATlsServer) {
  SeenRequest seen;
  RawServer proxy([&](ServerConnection& c) {
    c.Read(seen);
    c.WriteReply(407, "");
  });
#ifdef __SANITIZE_ADDRESS__
  const std::string user;  // cpprestsdk leaks passwords for tunnels
#else
  const std::string user = "me:pa55@";
#endif
  const Reply reply = GetThrough(proxy, "https://api.corp", user);
  EXPECT_EQ(seen.line(), "CONNECT api.corp:443 HTTP/1.1");
  EXPECT_EQ(seen.header("Proxy-Authorization"), user.empty() ? "" : "Basic bWU6cGE1NQ==");
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, HasSubstr("proxyconnect tcp: expected a 200 response from proxy, received: 407"));
  EXPECT_THAT(reply.error, Not(HasSubstr("pa55")));
  EXPECT_FALSE(reply.maybe_delivered);
}

}  // namespace
}  // namespace berth::http
