#include <gmock/gmock.h>

#include "codec/text/base64.h"
#include "sandbox.h"

namespace berth::credentials {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kCluster = "      server: https://h\n";

class UserTest : public Sandbox {
 protected:
  base::Result<http::ClientOptions> LoadUser(const std::string& fields) const {
    return Load(Kubeconfig(kCluster, fields));
  }
  std::string UserError(const std::string& fields) const { return ErrorOf(LoadUser(fields)); }
};

TEST_F(UserTest, TokensAndPasswords) {
  Write("token", " fr0m-file\n");
  const std::pair<const char*, const char*> cases[] = {
      {"      token: abc\n", "Bearer abc"},
      {"      tokenFile: token\n", "Bearer fr0m-file"},
      {"      token: abc\n      tokenFile: token\n", "Bearer fr0m-file"},
      {"      token: abc\n      tokenFile: gone\n", "Bearer abc"},
      {"      username: Aladdin\n      password: open sesame\n", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="},
      {"      username: me\n", "Basic bWU6"},
      {"      password: alone\n", "none"},
      {"      password: alone\n      tokenFile: token\n", "Bearer fr0m-file"},
      {"      token: \"\"\n      as: \"\"\n      as-groups: []\n", "none"},
  };
  for (const auto& [fields, header] : cases) {
    const auto options = LoadUser(fields);
    ASSERT_TRUE(options) << fields << options.error().message;
    EXPECT_EQ(HeaderOf(*options), header) << fields;
  }
}

TEST_F(UserTest, BadTokensAndPasswords) {
  Write("empty", "\n");
  const std::pair<const char*, const char*> cases[] = {
      {"      token: 12345\n", "k.yaml:11:14: users[0].user.token: expected a string, got number"},
      {"      token: \"a\\nb\"\n", "k.yaml:11:14: users[0].user.token: has characters that no token has"},
      {"      tokenFile: gone\n",
       "k.yaml:11:18: users[0].user.tokenFile: failed to read token file \"gone\": open gone: no such file or "
       "directory"},
      {"      tokenFile: empty\n", "k.yaml:11:18: users[0].user.tokenFile: read empty token from file \"empty\""},
      {"      token: a\n      username: b\n",
       "k.yaml:11:7: users[0].user: more than one authentication method found for u; found [token basicAuth], only one "
       "is allowed"},
  };
  for (const auto& [fields, error] : cases) {
    EXPECT_EQ(UserError(fields), std::string("invalid configuration: ") + error);
  }
  Write("token", "t");
  EXPECT_THAT(UserError("      tokenFile: token\n      username: b\n"),
              HasSubstr("username/password or bearer token may be set, but not both"));
}

TEST_F(UserTest, ATokenFileIsReadAgainWhenItChanges) {
  Write("token", "first");
  const auto options = LoadUser("      tokenFile: token\n");
  ASSERT_TRUE(options);
  Write("token", "second");
  EXPECT_EQ(HeaderOf(*options), "Bearer first");  // the file is not read for each request
  clock_.Advance(base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer second");
  std::filesystem::rename(Write("token.new", "third"), Path("token"));
  clock_.Advance(base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer third");
  std::filesystem::remove(Path("token"));
  clock_.Advance(50 * base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer third");  // the last content that could be read
  Write("token", "fourth");
  clock_.Advance(base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer fourth");
}

// A write that does not change the file's times and size, because the clock of the file system is coarse.
TEST_F(UserTest, ATokenFileThatWasJustWrittenIsReadAgain) {
  Write("token", "first");
  const auto options = LoadUser("      tokenFile: token\n");
  ASSERT_TRUE(options);
  EXPECT_EQ(HeaderOf(*options), "Bearer first");
  const auto time = std::filesystem::last_write_time(Path("token"));
  Write("token", "other");
  std::filesystem::last_write_time(Path("token"), time);
  clock_.Advance(base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer other");
}

TEST_F(UserTest, ARejectedTokenIsReadAgainUnlessItIsNew) {
  Write("token", "first");
  const auto options = LoadUser("      tokenFile: token\n");
  ASSERT_TRUE(options);
  clock_.Advance(11 * base::kSecond);
  EXPECT_EQ(HeaderOf(*options), "Bearer first");
  Write("token", "second");
  options->unauthorized();  // less than a second after the last read
  EXPECT_EQ(HeaderOf(*options), "Bearer second");
}

TEST_F(UserTest, CertificateFilesAreReadAsAPair) {
  Write("pki/u.crt", kCertificatePem);
  Write("pki/u.key", kKeyPem);
  const auto options = LoadUser("      client-certificate: pki/u.crt\n      client-key: pki/u.key\n");
  ASSERT_TRUE(options) << options.error().message;
  ASSERT_TRUE(options->tls.identity);
  EXPECT_EQ(HeaderOf(*options), "none");
  Write("pki/u.crt", "renewed");  // the files of another load
  std::filesystem::remove(Path("pki/u.key"));
  const auto identity = options->tls.identity();
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->certificate_pem, kCertificatePem);
  EXPECT_EQ(identity->key_pem, kKeyPem);
}

TEST_F(UserTest, CertificateData) {
  Write("u.key", kKeyPem);
  const std::string certificate = "      client-certificate-data: " + text::EncodeBase64(kCertificatePem) + "\n";
  for (const std::string& key : {"client-key-data: " + text::EncodeBase64(kKeyPem), std::string("client-key: u.key")}) {
    const auto options = LoadUser(certificate + "      " + key + "\n      token: t\n");
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(options->tls.identity()->certificate_pem, kCertificatePem);
    EXPECT_EQ(options->tls.identity()->key_pem, kKeyPem);
    EXPECT_EQ(HeaderOf(*options), "Bearer t");
  }
}

TEST_F(UserTest, BadCertificates) {
  Write("u.crt", kCertificatePem);
  Write("u.key", kKeyPem);
  const std::string data = text::EncodeBase64(kCertificatePem), key_data = text::EncodeBase64(kKeyPem);
  const std::string pair = "      client-certificate: u.crt\n      client-key: u.key\n";
  const std::pair<std::string, std::string> cases[] = {
      {"      client-certificate: gone\n      client-key: u.key\n",
       "k.yaml:11:27: users[0].user.client-certificate: unable to read client-cert gone for u due to open gone: no "
       "such "
       "file or directory"},
      {"      client-certificate: u.crt\n      client-key: gone\n",
       "k.yaml:12:19: users[0].user.client-key: unable to read client-key gone for u due to open gone: no such file or "
       "directory"},
      {"      client-certificate: u.crt\n",
       "k.yaml:11:7: users[0].user: client-key-data or client-key must be specified for u to use the clientCert "
       "authentication method"},
      {"      client-certificate: u.crt\n      client-key: u.crt\n",
       "k.yaml:12:19: users[0].user.client-key: holds no PEM private key"},
      {"      client-certificate: u.key\n      client-key: u.key\n",
       "k.yaml:11:27: users[0].user.client-certificate: holds no PEM certificate"},
      {"      client-certificate: u.crt\n      client-key-data: UEVN\n",
       "k.yaml:12:24: users[0].user.client-key-data: holds no PEM private key"},
      {pair + "      client-certificate-data: " + data + "\n",
       "k.yaml:11:27: users[0].user.client-certificate: client-cert-data and client-cert are both specified for u; one "
       "of them must go"},
      {pair + "      client-key-data: " + key_data + "\n",
       "k.yaml:12:19: users[0].user.client-key: client-key-data and client-key are both specified for u; one of them "
       "must go"},
  };
  for (const auto& [fields, error] : cases) EXPECT_EQ(UserError(fields), "invalid configuration: " + error);
  const auto alone = LoadUser("      client-key: gone\n");
  ASSERT_TRUE(alone);
  EXPECT_FALSE(alone->tls.identity);
}

TEST_F(UserTest, UnsupportedFieldsOfClientGo) {
  const std::pair<const char*, const char*> cases[] = {
      {"as: root", "as: impersonation is not supported"},
      {"as-uid: \"0\"", "as-uid: impersonation is not supported"},
      {"as-groups: [g]", "as-groups: impersonation is not supported"},
      {"as-user-extra: {a: [b]}", "as-user-extra: impersonation is not supported"},
      {"auth-provider: {name: gcp}", "auth-provider: auth-provider is not supported; credential commands are (exec)"},
  };
  for (const auto& [field, error] : cases) {
    EXPECT_EQ(UserError(std::string("      ") + field + "\n"),
              std::string("invalid configuration: k.yaml:11:7: users[0].user.") + error);
  }
}

TEST_F(UserTest, PathsAreRelativeToTheKubeconfig) {
  Write("sub/t", "below");
  const std::string path =
      Write("sub/k.yaml",
            "clusters: [{name: c, cluster: {server: 'https://h'}}]\nusers: [{name: u, user: {tokenFile: t}}]\n"
            "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(root_);
  const auto options = Load("sub/k.yaml");
  std::filesystem::current_path(before);
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(HeaderOf(*options), "Bearer below");
}

TEST_F(UserTest, AllMistakesAreReportedAtOnce) {
  const std::string error = ErrorOf(Load(Kubeconfig("      server: https://h\n      proxy-url: socks5://p\n",
                                                    "      as: me\n      token: 5\n      client-key: 7\n")));
  EXPECT_THAT(error, StartsWith("invalid configuration: [k.yaml:8:18: "));
  EXPECT_THAT(error, HasSubstr(", k.yaml:12:7: users[0].user.as: "));
  EXPECT_THAT(error, HasSubstr(", k.yaml:13:14: users[0].user.token: "));
  EXPECT_THAT(error, HasSubstr(", k.yaml:14:19: users[0].user.client-key: expected a string, got number]"));
}

}  // namespace
}  // namespace berth::credentials
