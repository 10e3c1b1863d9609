#include "client/credentials/environment_proxy.h"

#include <gtest/gtest.h>

#include "sandbox.h"

namespace berth::credentials {
namespace {

std::string ProxyFor(const std::string& server, const Environment& environment) {
  const base::Result<std::string> proxy = ProxyFromEnvironment(environment, *ParseServer(server));
  return proxy ? *proxy : "error: " + proxy.error().message;
}

TEST(EnvironmentProxy, SelectsTheVariable) {
  const Environment both = {
      {"HTTPS_PROXY", "http://s:1"}, {"https_proxy", "http://lower:1"}, {"http_proxy", "plain:2"}};
  EXPECT_EQ(ProxyFor("https://h", both), "http://s:1");
  EXPECT_EQ(ProxyFor("http://h", both), "http://plain:2");
  EXPECT_EQ(ProxyFor("https://h", {{"http_proxy", "http://p"}}), "");
  EXPECT_EQ(ProxyFor("https://h", {{"HTTPS_PROXY", "socks5://me:s3cret@p"}}),
            "error: environment variable HTTPS_PROXY: socks5 proxies are not supported, http proxies are");
}

TEST(EnvironmentProxy, NoProxyExcludesHosts) {
  const std::tuple<const char*, const char*, bool> cases[] = {
      {"https://localhost:6443", "", true},
      {"https://127.0.0.2", "", true},
      {"https://[::1]:6443", "", true},
      {"https://10.1.2.3", "", false},
      {"https://10.1.2.3", "*", true},
      {"https://10.1.2.3", "x.org, 10.0.0.0/8", true},
      {"https://11.1.2.3", "10.0.0.0/8", false},
      {"https://10.1.2.3", "10.0.0.0/x", false},
      {"https://10.1.2.3", "10.1.2.3", true},
      {"https://10.1.2.3:6443", "10.1.2.3:6443", true},
      {"https://10.1.2.3:6443", "10.1.2.3:443", false},
      {"https://[2001:db8::7]", "2001:db8::/32", true},
      {"https://[2001:db8::7]", "[2001:db8::7]:443", true},
      {"https://[2001:db8::7]", "0.0.0.0/0", false},
      {"https://api.corp.example", "corp.example", true},
      {"https://API.corp.example", ".CORP.example", true},
      {"https://api.corp.example", "*.corp.example", true},
      {"https://corp.example", ".corp.example", false},
      {"https://corp.example", "corp.example:443", true},
      {"https://notcorp.example", "corp.example", false},
      {"https://h", ",, ,", false},
  };
  for (const auto& [server, no_proxy, spared] : cases) {
    const std::string proxy = ProxyFor(server, {{"HTTPS_PROXY", "http://p"}, {"NO_PROXY", no_proxy}});
    EXPECT_EQ(proxy, spared ? "" : "http://p") << server << " " << no_proxy;
  }
}

class ProxyOfClientTest : public Sandbox {};

TEST_F(ProxyOfClientTest, AClustersProxyUrlOverridesTheEnvironment) {
  surroundings_.environment["HTTPS_PROXY"] = "http://everyone:1";
  EXPECT_EQ(Load(Kubeconfig("      server: https://h\n"))->proxy_url, "http://everyone:1");
  EXPECT_EQ(Load(Kubeconfig("      server: https://h\n      proxy-url: http://own:1\n"))->proxy_url, "http://own:1");
  EXPECT_EQ(Load("", "https://h")->proxy_url, "http://everyone:1");
}

TEST_F(ProxyOfClientTest, DisableHttp2InTheEnvironmentMeansHttp1) {
  EXPECT_TRUE(Load(Kubeconfig("      server: https://h\n"))->http2);
  surroundings_.environment["DISABLE_HTTP2"] = "1";
  EXPECT_FALSE(Load(Kubeconfig("      server: https://h\n"))->http2);
  EXPECT_FALSE(Load("", "https://h")->http2);
}

}  // namespace
}  // namespace berth::credentials
