#include <gmock/gmock.h>

#include "codec/text/base64.h"
#include "sandbox.h"
#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kServer = "      server: https://h:6443\n";
constexpr const char* kNoConfiguration =
    "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";

class ClusterTest : public Sandbox {};

TEST_F(ClusterTest, AllFieldsOfACluster) {
  Write("ca.crt", kCertificatePem);
  const auto options = Load(Kubeconfig(std::string(kServer) + "      tls-server-name: kubernetes.default\n"
                                                              "      certificate-authority: ca.crt\n"
                                                              "      proxy-url: http://me:pass@proxy:3128\n"
                                                              "      disable-compression: true\n"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->url, "https://h:6443");
  EXPECT_EQ(options->tls.server_name, "kubernetes.default");
  EXPECT_EQ(options->tls.ca_pem, kCertificatePem);
  EXPECT_FALSE(options->tls.insecure);
  EXPECT_EQ(options->proxy_url, "http://me:pass@proxy:3128");
  EXPECT_EQ(HeaderOf(*options), "Bearer t0ken");
  EXPECT_FALSE(options->tls.identity);
}

TEST_F(ClusterTest, ServersAreUrlsOrHostsWithPorts) {
  const std::pair<const char*, const char*> cases[] = {
      {"https://h", "https://h"},
      {"https://h:6443/", "https://h:6443"},
      {"https://h/k8s/clusters/c-1/?a=b#c", "https://h/k8s/clusters/c-1"},
      {"HTTPS://[2001:db8::1]:6443", "HTTPS://[2001:db8::1]:6443"},
      {"10.0.0.1:8080", "http://10.0.0.1:8080"},
      {"localhost:8080", "http://localhost:8080"},
  };
  for (const auto& [given, url] : cases) {
    const auto options = Load(Kubeconfig(std::string("      server: ") + given + "\n"));
    ASSERT_TRUE(options) << given << ": " << options.error().message;
    EXPECT_EQ(options->url, url);
  }
}

TEST_F(ClusterTest, BadServers) {
  for (const char* given : {"https://", "ftp://h", "h:6443/prefix", "https://h:0", "https://h:x", "https://::1:6443",
                            "https://[::1", "\"https://h h\"", "https://u:s3cret@h"}) {
    const std::string error = LoadError(Kubeconfig(std::string("      server: ") + given + "\n"));
    EXPECT_THAT(error, StartsWith("invalid configuration: k.yaml:7:15: clusters[1].cluster.server: ")) << given;
    EXPECT_THAT(error, testing::Not(HasSubstr("s3cret")));
  }
  EXPECT_EQ(LoadError(Kubeconfig("      insecure-skip-tls-verify: true\n")),
            "invalid configuration: k.yaml:7:7: clusters[1].cluster: no server found for cluster \"c\"");
}

TEST_F(ClusterTest, WithoutHttpsNoCredentialsAreSent) {
  log::Capture capture;
  const auto options = Load(Kubeconfig("      server: http://h\n      insecure-skip-tls-verify: true\n"));
  ASSERT_TRUE(options);
  EXPECT_EQ(HeaderOf(*options), "none");
  EXPECT_FALSE(options->tls.insecure);
  EXPECT_THAT(capture.Messages(), ElementsAre(HasSubstr("sent without credentials")));
}

TEST_F(ClusterTest, CertificateAuthorities) {
  const std::string ca = Write("pki/ca.crt", kCertificatePem);
  const std::string data = text::EncodeBase64(kCertificatePem);
  for (const char* field : {"certificate-authority: pki/ca.crt", "certificate-authority: ./pki/../pki/ca.crt"}) {
    const auto options = Load(Kubeconfig(kServer + std::string("      ") + field + "\n"));
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(options->tls.ca_pem, kCertificatePem);
  }
  for (const std::string& field : {"certificate-authority: " + ca, "certificate-authority-data: " + data}) {
    const auto options = Load(Kubeconfig(kServer + ("      " + field + "\n")));
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(options->tls.ca_pem, kCertificatePem);
  }
}

TEST_F(ClusterTest, BadCertificateAuthorities) {
  Write("ca.crt", kCertificatePem);
  Write("key.pem", kKeyPem);
  const std::string data = text::EncodeBase64(kCertificatePem);
  const std::pair<std::string, std::string> cases[] = {
      {"      certificate-authority: gone\n",
       "k.yaml:8:30: clusters[1].cluster.certificate-authority: unable to read certificate-authority gone for c due to "
       "open gone: no such file or directory"},
      {"      certificate-authority: key.pem\n",
       "k.yaml:8:30: clusters[1].cluster.certificate-authority: unable to load root certificates: holds no PEM "
       "certificate"},
      {"      certificate-authority-data: UEVN\n",
       "k.yaml:8:35: clusters[1].cluster.certificate-authority-data: unable to load root certificates: holds no PEM "
       "certificate"},
      {"      certificate-authority-data: \"!\"\n",
       "k.yaml:8:35: clusters[1].cluster.certificate-authority-data: illegal base64 data at input byte 0"},
      {"      insecure-skip-tls-verify: true\n      certificate-authority: ca.crt\n",
       "k.yaml:8:33: clusters[1].cluster.insecure-skip-tls-verify: specifying a root certificates file with the "
       "insecure flag is not allowed"},
      {"      certificate-authority: ca.crt\n      certificate-authority-data: " + data + "\n",
       "k.yaml:8:30: clusters[1].cluster.certificate-authority: certificate-authority-data and certificate-authority "
       "are both specified for c; one of them must go"},
  };
  for (const auto& [fields, error] : cases) {
    EXPECT_EQ(LoadError(Kubeconfig(kServer + fields)), "invalid configuration: " + error);
  }
}

TEST_F(ClusterTest, OnlyHttpProxies) {
  const std::pair<const char*, const char*> cases[] = {
      {"socks5://p:1080", "\"socks5://p:1080\" for cluster \"c\": socks5 proxies are not supported, http proxies are"},
      {"https://p", "\"https://p\" for cluster \"c\": https proxies are not supported, http proxies are"},
      {"ftp://p", "\"ftp://p\" for cluster \"c\": unsupported scheme, must be http"},
      {"me:s3cret@p:3128", "\"xxxxx@p:3128\" for cluster \"c\": unsupported scheme, must be http"},
  };
  for (const auto& [proxy, error] : cases) {
    EXPECT_EQ(
        LoadError(Kubeconfig(std::string(kServer) + "      proxy-url: " + proxy + "\n")),
        std::string("invalid configuration: k.yaml:8:18: clusters[1].cluster.proxy-url: invalid 'proxy-url' ") + error);
  }
}

TEST_F(ClusterTest, MasterOverridesTheServer) {
  const std::string path = Kubeconfig("      server: not a server\n      tls-server-name: old\n");
  auto options = Load(path, "https://other:1");
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->url, "https://other:1");
  EXPECT_EQ(options->tls.server_name, "");  // was the other server's
  EXPECT_EQ(HeaderOf(*options), "Bearer t0ken");

  options = Load("", "https://alone");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->url, "https://alone");
  EXPECT_EQ(HeaderOf(*options), "none");

  options = Load(Write("empty.yaml", ""), "10.0.0.1:8080");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->url, "http://10.0.0.1:8080");
  EXPECT_EQ(LoadError("", "ftp://h"), "--master: parse server URL \"ftp://h\": unsupported protocol scheme");
}

TEST_F(ClusterTest, TheCurrentContextSelects) {
  const std::string clusters = "clusters: [{name: c, cluster: {server: 'https://h'}}]\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", kNoConfiguration},
      {"---\n# nothing\n", kNoConfiguration},
      {clusters, kNoConfiguration},
      {clusters + "contexts: [{name: x, context: {cluster: gone}}]\ncurrent-context: x\n", kNoConfiguration},
      {clusters + "current-context: x\n",
       "invalid configuration: [k.yaml:1:11: clusters: cluster has no server defined, k.yaml:2:18: current-context: "
       "context was not found for specified context: x]"},
      {clusters + "contexts: [{name: x, context: {cluster: c}}, {name: x}]\ncurrent-context: x\n",
       "invalid configuration: k.yaml:2:53: contexts[1].name: duplicate name \"x\" in list"},
      {"kind: Pod\napiVersion: v2\n" + clusters,
       "invalid configuration: [k.yaml:1:7: kind: no kind \"Pod\" is known here; a kubeconfig's kind is Config, "
       "k.yaml:2:13: apiVersion: a kubeconfig's apiVersion is v1, k.yaml:3:11: clusters: cluster has no server "
       "defined]"},
      {"- a\n",
       "invalid configuration: [k.yaml:1:1: expected an object, got list, k.yaml:1:1: clusters: cluster has no "
       "server defined]"},
      {"clusters: {}\ncontexts: 5\ncurrent-context: x\n",
       "invalid configuration: [k.yaml:1:11: clusters: cluster has no server defined, k.yaml:2:11: contexts: expected "
       "a "
       "list, got number, k.yaml:3:18: current-context: context was not found for specified context: x]"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(LoadError(Write("k.yaml", text)), error) << text;
  EXPECT_EQ(LoadError("/gone/k.yaml"), "error loading config file: open /gone/k.yaml: no such file or directory");
  EXPECT_EQ(LoadError(root_), "error loading config file: read " + root_ + ": is a directory");
  EXPECT_THAT(LoadError(Write("k.yaml", "a: b: c\n")), StartsWith("error loading config file: k.yaml:1:5: "));
}

TEST_F(ClusterTest, AMissingUserIsAnonymous) {
  log::Capture capture;
  const auto options = Load(Write("k.yaml",
                                  "clusters: [{name: c, cluster: {server: 'https://h'}}]\n"
                                  "contexts: [{name: x, context: {cluster: c, user: gone}}]\ncurrent-context: x\n"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(HeaderOf(*options), "none");
  EXPECT_THAT(capture.Messages(), ElementsAre(HasSubstr("requests will be anonymous")));
}

TEST_F(ClusterTest, UnknownFieldsAreLoggedAndIgnored) {
  log::Capture capture;
  const auto options = Load(Kubeconfig("      server: https://h\n      servre: https://i\n      extensions: []\n",
                                       "      tokne: t\n      \"a secret: or not\": t\n"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_THAT(capture.Messages(),
              ElementsAre("\"Ignoring an unknown field of the kubeconfig\" place=\"" + Path("k.yaml") +
                              ":8:7\" field=\"clusters[1].cluster.servre\"",
                          "\"Ignoring an unknown field of the kubeconfig\" place=\"" + Path("k.yaml") +
                              ":13:7\" field=\"users[0].user.tokne\"",
                          "\"Ignoring an unknown field of the kubeconfig\" place=\"" + Path("k.yaml") +
                              ":14:7\" field=\"users[0].user.(not a field's name)\""));
}

TEST_F(ClusterTest, ACompleteKubeconfigLogsNothingAndMayBeJson) {
  log::Capture capture;
  ASSERT_TRUE(Load(Kubeconfig(kServer)));
  EXPECT_THAT(capture.Messages(), IsEmpty());
  const auto options = Load(Write("k.json",
                                  R"({"apiVersion":"v1","kind":"Config","preferences":{},"extensions":[],
                                      "clusters":[{"name":"c","cluster":{"server":"https://h"}}],
                                      "contexts":[{"name":"x","context":{"cluster":"c","user":""}}],
                                      "current-context":"x"})"));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->url, "https://h");
}

}  // namespace
}  // namespace berth::credentials
