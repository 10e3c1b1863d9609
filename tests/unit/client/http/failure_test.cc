#include "client/http/failure.h"

#include <gtest/gtest.h>
#include <netdb.h>

#include <cerrno>
#include <memory>

namespace berth::http {
namespace {

Failure Explained(const Fault& fault, bool written = false, bool by_proxy = false) {
  ClientOptions options{.url = "https://api:6443"};
  std::optional<Endpoint> proxy;
  if (by_proxy) proxy = *ParseEndpoint("http://me:pa55@proxy:3128", UrlKind::kProxy);
  const Peer peer(options, *ParseEndpoint(options.url, UrlKind::kServer), proxy, nullptr, std::make_shared<Gate>());
  return Explain(peer, fault, written, std::chrono::seconds(30));
}

TEST(Explain, KnowsRequestsThatWereNotDelivered) {
  for (const char* sentence :
       {"Error resolving address", "Failed to connect to any resolved endpoint", "Error in SSL handshake",
        "Error resolving proxy address", "Expected a 200 response from proxy, received: 407"}) {
    EXPECT_FALSE(Explained({sentence, EHOSTUNREACH}, false, true).maybe_delivered) << sentence;
    // Written once, to a connection that then broke: the failure is that of the second attempt.
    EXPECT_TRUE(Explained({sentence, EHOSTUNREACH}, true, true).maybe_delivered) << sentence;
  }
  for (const char* sentence : {"Failed to write request headers", "Failed to write request body",
                               "Failed to read HTTP status line", "Retrieving message chunk header", "Something new"}) {
    EXPECT_TRUE(Explained({sentence, ECONNRESET}).maybe_delivered) << sentence;
  }
  EXPECT_FALSE(Explained({"no token", 0, true}).maybe_delivered);
}

TEST(Explain, HasTheMessagesOfGo) {
  EXPECT_EQ(Explained({"Failed to connect to any resolved endpoint", EHOSTUNREACH}).error,
            "dial tcp api:6443: connect: connection refused (or no route to host)");
  EXPECT_EQ(Explained({"Failed to connect to any resolved endpoint", ENETUNREACH}).error,
            "dial tcp api:6443: connect: network is unreachable");
  EXPECT_EQ(Explained({"Failed to connect to any resolved endpoint", ETIMEDOUT}).error,
            "dial tcp api:6443: i/o timeout");
  EXPECT_EQ(Explained({"Request canceled by user.", ETIMEDOUT}).error, "dial tcp api:6443: i/o timeout");
  EXPECT_EQ(Explained({"Error resolving address", HOST_NOT_FOUND}).error, "dial tcp: lookup api: no such host");
  EXPECT_EQ(Explained({"Error resolving address", TRY_AGAIN}).error, "dial tcp: lookup api: server misbehaving");
  EXPECT_EQ(Explained({"Error in SSL handshake", ETIMEDOUT}).error, "net/http: TLS handshake timeout");
  EXPECT_EQ(Explained({"Failed to read HTTP status line", ECONNABORTED}).error, "EOF");
  EXPECT_EQ(Explained({"Failed to read HTTP status line", ECONNRESET}).error,
            "failed to read HTTP status line: connection reset by peer");
  EXPECT_EQ(Explained({"Failed to read HTTP status line", ETIMEDOUT}).error, "i/o timeout: no answer within 30s");
  EXPECT_EQ(Explained({"whatever", ECANCELED}).error, "context canceled");
  EXPECT_EQ(Explained({"cannot open token file", 0, true}).error, "cannot open token file");
}

TEST(Explain, NamesTheProxyWithoutItsPassword) {
  EXPECT_EQ(Explained({"Failed to connect to any resolved proxy endpoint", EHOSTUNREACH}, false, true).error,
            "proxyconnect tcp: dial tcp proxy:3128: connect: connection refused (or no route to host)");
  EXPECT_EQ(Explained({"Error resolving proxy address", HOST_NOT_FOUND}, false, true).error,
            "proxyconnect tcp: dial tcp: lookup proxy: no such host");
  EXPECT_EQ(Explained({"Expected a 200 response from proxy, received: 407"}, false, true).error,
            "proxyconnect tcp: expected a 200 response from proxy, received: 407");
}

}  // namespace
}  // namespace berth::http
