#include "client/http/endpoint.h"

#include <gmock/gmock.h>

namespace berth::http {
namespace {

using testing::HasSubstr;
using testing::Not;

Endpoint Parsed(std::string_view url, UrlKind kind = UrlKind::kServer) {
  auto endpoint = ParseEndpoint(url, kind);
  if (!endpoint) ADD_FAILURE() << endpoint.error().message;
  return endpoint.value_or(Endpoint{});
}

std::string UrlFault(std::string_view url, UrlKind kind = UrlKind::kServer) {
  auto endpoint = ParseEndpoint(url, kind);
  return endpoint ? "none" : endpoint.error().message;
}

TEST(Endpoint, ParsesUrls) {
  const Endpoint plain = Parsed("https://kubernetes.default.svc");
  EXPECT_TRUE(plain.https);
  EXPECT_EQ(plain.host, "kubernetes.default.svc");
  EXPECT_EQ(plain.port, 443);
  EXPECT_EQ(plain.prefix, "");
  EXPECT_EQ(plain.Url(), "https://kubernetes.default.svc:443");

  const Endpoint prefixed = Parsed("HTTP://10.96.0.1:8080/k8s/c-1//");
  EXPECT_FALSE(prefixed.https);
  EXPECT_FALSE(prefixed.is_ipv6);
  EXPECT_EQ(prefixed.Address(), "10.96.0.1:8080");
  EXPECT_EQ(prefixed.prefix, "/k8s/c-1");

  const Endpoint six = Parsed("https://[fd00::1]:6443/");
  EXPECT_EQ(six.host, "fd00::1");
  EXPECT_TRUE(six.is_ipv6);
  EXPECT_EQ(six.Address(), "[fd00::1]:6443");
  EXPECT_EQ(Parsed("http://[::1]").port, 80);
}

TEST(IsIpAddress, DistinguishesAddressesFromNames) {
  for (const char* address : {"10.96.0.1", "::1", "fd00::1"}) EXPECT_TRUE(IsIpAddress(address)) << address;
  for (const char* name : {"", "localhost", "10.96.0", "10.96.0.1.nip.io", "[::1]"})
    EXPECT_FALSE(IsIpAddress(name)) << name;
}

TEST(Endpoint, ParsesTheUserOfAProxy) {
  const Endpoint proxy = Parsed("http://me%40corp:p%3Aw@proxy.corp:3128/", UrlKind::kProxy);
  EXPECT_EQ(proxy.user, "me@corp");
  EXPECT_EQ(proxy.password, "p:w");
  EXPECT_EQ(proxy.host, "proxy.corp");
  EXPECT_EQ(proxy.port, 3128);
  EXPECT_EQ(proxy.Url(), "http://proxy.corp:3128");
  EXPECT_EQ(Parsed("http://me@p:1", UrlKind::kProxy).password, "");
}

TEST(Endpoint, ReportsErrors) {
  EXPECT_EQ(UrlFault("127.0.0.1:6443"), "parse server URL \"127.0.0.1:6443\": missing protocol scheme");
  EXPECT_EQ(UrlFault(""), "parse server URL \"\": missing protocol scheme");
  EXPECT_EQ(UrlFault("ftp://h"), "parse server URL \"ftp://h\": unsupported protocol scheme");
  EXPECT_EQ(UrlFault("https://"), "parse server URL \"https://\": no host");
  EXPECT_EQ(UrlFault("https:///path"), "parse server URL \"https:///path\": no host");
  EXPECT_EQ(UrlFault("https://h:0"), "parse server URL \"https://h:0\": invalid port");
  EXPECT_EQ(UrlFault("https://h:65536"), "parse server URL \"https://h:65536\": invalid port");
  EXPECT_EQ(UrlFault("https://h:"), "parse server URL \"https://h:\": invalid port");
  EXPECT_EQ(UrlFault("https://::1:6443"), "parse server URL \"https://::1:6443\": no host");
  EXPECT_EQ(UrlFault("https://[::1"), "parse server URL \"https://[::1\": missing ']' in host");
  EXPECT_EQ(UrlFault("https://[x]"), "parse server URL \"https://[x]\": what stands in brackets is no IPv6 address");
  EXPECT_EQ(UrlFault("https://a b"), "parse server URL \"https://a b\": invalid character in host name");
  EXPECT_EQ(UrlFault("https://h/a b"), "parse server URL \"https://h/a b\": invalid character in path");
  EXPECT_EQ(UrlFault("https://h/?x=1"), "parse server URL \"https://h/?xxxxx\": a query or fragment is not allowed");
  EXPECT_EQ(UrlFault("https://p", UrlKind::kProxy),
            "parse proxy URL \"https://p\": only http:// proxies are supported");
  EXPECT_EQ(UrlFault("http://p/x", UrlKind::kProxy), "parse proxy URL \"http://p/x\": a proxy has no path");
}

TEST(Endpoint, ErrorsContainNoPassword) {
  EXPECT_THAT(UrlFault("https://h/?token=pa55"), Not(HasSubstr("pa55")));
  EXPECT_EQ(UrlFault("https://me:pa55@h"), "parse server URL: user and password are not allowed");
  for (const char* url :
       {"http://me:pa55@:1", "http://me:pa55@h:x", "socks5://me:pa55@h", "me:pa55@h", "http://me:pa/55@h"}) {
    EXPECT_THAT(UrlFault(url, UrlKind::kProxy), Not(HasSubstr("pa55")));
    EXPECT_THAT(UrlFault(url, UrlKind::kProxy), Not(HasSubstr("55")));
  }
}

}  // namespace
}  // namespace berth::http
