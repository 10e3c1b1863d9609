// Which certificate a client sees, without a network.
#include "client/http/certificate_table.h"

#include <gmock/gmock.h>

#include "tls_server.h"

namespace berth::http {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

const Certificates& Made() {
  static const Certificates certificates;
  return certificates;
}

ServingPair PairOf(const std::string& name, std::vector<std::string> patterns = {}) {
  return {name, Made().Pem(name + ".crt"), Made().Pem(name + ".key"), std::move(patterns)};
}

CertificateTable Table(const std::vector<ServingPair>& named) {
  auto table = CertificateTable::Make(PairOf("server"), named);
  if (!table) ADD_FAILURE() << table.error().message;
  return std::move(*table);
}

TEST(CertificateTable, ShowsTheCertificateForTheName) {
  struct Row {
    const char* name;
    std::vector<ServingPair> named;
    const char* server_name;
    const char* want;
  };
  const Row rows[] = {
      {.name = "no name", .named = {PairOf("a.example.com")}, .server_name = "", .want = "server"},
      {.name = "nobody's name", .named = {PairOf("a.example.com")}, .server_name = "x.test", .want = "server"},
      {.name = "the common name",
       .named = {PairOf("a.example.com")},
       .server_name = "a.example.com",
       .want = "a.example.com"},
      {.name = "in upper case",
       .named = {PairOf("a.example.com")},
       .server_name = "A.Example.COM",
       .want = "a.example.com"},
      {.name = "a wildcard of the certificate",
       .named = {PairOf("wildcard")},
       .server_name = "b.example.com",
       .want = "wildcard"},
      {.name = "a wildcard is for one label",
       .named = {PairOf("wildcard")},
       .server_name = "b.c.example.com",
       .want = "server"},
      {.name = "the name comes before the wildcard",
       .named = {PairOf("wildcard"), PairOf("a.example.com")},
       .server_name = "a.example.com",
       .want = "a.example.com"},
      {.name = "a pattern", .named = {PairOf("nameless", {"p.test"})}, .server_name = "p.test", .want = "nameless"},
      {.name = "a pattern with a wildcard",
       .named = {PairOf("nameless", {"*.test"})},
       .server_name = "q.test",
       .want = "nameless"},
      {.name = "a pattern of everything", .named = {PairOf("nameless", {"*"})}, .server_name = "q", .want = "nameless"},
      {.name = "a pattern comes before a name of a certificate",
       .named = {PairOf("a.example.com"), PairOf("nameless", {"a.example.com"})},
       .server_name = "a.example.com",
       .want = "nameless"},
      {.name = "the first of two patterns",
       .named = {PairOf("nameless", {"p.test"}), PairOf("wildcard", {"p.test"})},
       .server_name = "p.test",
       .want = "nameless"},
      {.name = "with patterns, its own names do not count before a wildcard",
       .named = {PairOf("valid", {"p.test"}), PairOf("nameless", {"*.example.org"})},
       .server_name = "valid.example.org",
       .want = "nameless"},
      {.name = "with patterns, but valid for the name",
       .named = {PairOf("valid", {"p.test"})},
       .server_name = "valid.example.org",
       .want = "valid"},
      {.name = "the main certificate is valid",
       .named = {PairOf("valid")},
       .server_name = "localhost",
       .want = "server"},
  };
  for (const Row& row : rows) {
    const CertificateTable table = Table(row.named);
    EXPECT_EQ(CommonNameOf(*table.Find(row.server_name, "10.0.0.1").certificate), row.want) << row.name;
  }
}

TEST(CertificateTable, WithoutANameTheAddressOfTheServerDecides) {
  const CertificateTable table = Table({PairOf("nameless", {"127.0.0.1", "::1"})});
  EXPECT_EQ(CommonNameOf(*table.Find("", "127.0.0.1").certificate), "nameless");
  EXPECT_EQ(CommonNameOf(*table.Find("", "::1").certificate), "nameless");
  EXPECT_EQ(CommonNameOf(*table.Find("", "127.0.0.2").certificate), "server");
  EXPECT_EQ(CommonNameOf(*table.Find("localhost", "127.0.0.1").certificate), "server");
}

TEST(CertificateTable, NamesOfACertificate) {
  const CertificateTable table = Table({PairOf("wildcard"), PairOf("a.example.com")});
  EXPECT_THAT(table.identities()[0].Names(), ElementsAre("server", "localhost", "kubernetes.default.svc"));
  EXPECT_THAT(table.identities()[1].Names(), ElementsAre("wildcard", "*.example.com"));
  EXPECT_THAT(table.identities()[2].Names(), ElementsAre("a.example.com"));
}

TEST(CertificateTable, AWrongPairIsNamed) {
  ServingPair wrong = PairOf("wildcard");
  wrong.key_pem = Made().Pem("server.key");
  const auto named = CertificateTable::Make(PairOf("server"), {PairOf("nameless"), wrong});
  ASSERT_FALSE(named.has_value());
  EXPECT_EQ(named.error().message,
            "invalid SNI cert keypair [1/\"wildcard\"]: tls: private key does not match public key");
  EXPECT_EQ(CertificateTable::Make(wrong, {}).error().message,
            "invalid serving cert keypair: tls: private key does not match public key");
}

// A well-formed certificate whose public key is no point of the curve.
constexpr const char* kPointOffTheCurve =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBiDCCAS2gAwIBAgIUHyFmtQlJNhcLHwCB/4sK1iUTwbYwCgYIKoZIzj0EAwIw\n"
    "GDEKMAgGA1UEAwwBYTEKMAgGA1UECgwBeDAgFw0yNjExMjMxODIzMjRaGA8yMDgx\n"
    "MDgyNjE4MjMyNFowGDEKMAgGA1UEAwwBYTEKMAgGA1UECgwBeDBZMBMGByqGSM49\n"
    "AgEGCCqGSM49AwEHA0IABO1DC3HIQeBy5mv5JMcaCbvYwFd3eHok7pkOfHb5tjpR\n"
    "NCeLEulDBtZMT9Uc4IjB0I2Kt3BsE3DorY6CGCxxXsGjUzBRMB0GA1UdDgQWBBSk\n"
    "b48F3BjFaz5WhxcC7jb3+7NVcDAfBgNVHSMEGDAWgBSkb48F3BjFaz5WhxcC7jb3\n"
    "+7NVcDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCq7QwXXdKA\n"
    "otWTfCMnPwDhXtvhEH8AhVXMzQ6he26O3AIhAIrYvN2jABjKUc3h/iCe2ztTrq05\n"
    "kw0KI7U2G5pf6rHW\n"
    "-----END CERTIFICATE-----\n";

TEST(ServingPairs, ErrorsAreGos) {
  const std::string certificate = Made().Pem("server.crt"), key = Made().Pem("server.key");
  const std::string rsa = Made().Pem("rsa.key");
  struct Row {
    const char* name;
    std::string certificate, key;
    const char* want;
  };
  const Row rows[] = {
      {.name = "nothing",
       .certificate = "",
       .key = key,
       .want = "tls: failed to find any PEM data in certificate input"},
      {.name = "switched",
       .certificate = key,
       .key = certificate,
       .want = "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs "
               "may have been switched"},
      {.name = "another block",
       .certificate = Made().Pem("server.csr"),
       .key = key,
       .want = "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the "
               "following types: [CERTIFICATE REQUEST]"},
      {.name = "no key",
       .certificate = certificate,
       .key = "x",
       .want = "tls: failed to find any PEM data in key input"},
      {.name = "a certificate as key",
       .certificate = certificate,
       .key = certificate,
       .want = "tls: found a certificate rather than a key in the PEM for the private key"},
      {.name = "an encrypted key",
       .certificate = Made().Pem("client-1.crt"),
       .key = Made().Pem("client-1-encrypted.key"),
       .want = "tls: failed to parse private key"},
      {.name = "another key",
       .certificate = certificate,
       .key = Made().Pem("wildcard.key"),
       .want = "tls: private key does not match public key"},
      {.name = "a key of another type",
       .certificate = certificate,
       .key = rsa,
       .want = "tls: private key type does not match public key type"},
      {.name = "no certificate in the block",
       .certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
       .key = key,
       .want = "x509: malformed certificate"},
      {.name = "no key in the certificate",
       .certificate = kPointOffTheCurve,
       .key = key,
       .want = "x509: malformed public key"},
  };
  for (const Row& row : rows) {
    const auto checked = CheckServingPair(row.certificate, row.key);
    ASSERT_FALSE(checked.has_value()) << row.name;
    EXPECT_THAT(checked.error().message, StartsWith(row.want)) << row.name;
  }
  EXPECT_TRUE(CheckServingPair("text before\n" + certificate + Made().Pem("ca.crt"), key).has_value());
}

}  // namespace
}  // namespace berth::http
