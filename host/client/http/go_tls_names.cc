#include "client/http/go_tls_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "base/text.h"
#include "client/http/x509.h"

namespace berth::http {
namespace {

enum class Suite : uint8_t {
  kDefault,   // without the flag
  kInsecure,  // tls.InsecureCipherSuites
  kMissing,   // insecure, and not in OpenSSL
  kTls13,     // cannot be chosen
};

struct CipherRow {
  const char* go;
  const char* openssl;
  Suite suite;
};

// In Go's order of preference, for processors with AES instructions (crypto/tls cipherSuitesPreferenceOrder).
constexpr std::array kCiphers = {
    CipherRow{"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256", Suite::kDefault},
    CipherRow{"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256", Suite::kDefault},
    CipherRow{"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384", Suite::kDefault},
    CipherRow{"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384", Suite::kDefault},
    CipherRow{"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305", Suite::kDefault},
    CipherRow{"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305", Suite::kDefault},
    CipherRow{"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", "ECDHE-ECDSA-CHACHA20-POLY1305", Suite::kDefault},
    CipherRow{"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "ECDHE-RSA-CHACHA20-POLY1305", Suite::kDefault},
    CipherRow{"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ECDHE-ECDSA-AES128-SHA", Suite::kDefault},
    CipherRow{"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA", Suite::kDefault},
    CipherRow{"TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ECDHE-ECDSA-AES256-SHA", Suite::kDefault},
    CipherRow{"TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "ECDHE-RSA-AES256-SHA", Suite::kDefault},
    CipherRow{"TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256", Suite::kInsecure},
    CipherRow{"TLS_RSA_WITH_AES_256_GCM_SHA384", "AES256-GCM-SHA384", Suite::kInsecure},
    CipherRow{"TLS_RSA_WITH_AES_128_CBC_SHA", "AES128-SHA", Suite::kInsecure},
    CipherRow{"TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA", Suite::kInsecure},
    CipherRow{"TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", "", Suite::kMissing},
    CipherRow{"TLS_RSA_WITH_3DES_EDE_CBC_SHA", "", Suite::kMissing},
    CipherRow{"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "ECDHE-ECDSA-AES128-SHA256", Suite::kInsecure},
    CipherRow{"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", "ECDHE-RSA-AES128-SHA256", Suite::kInsecure},
    CipherRow{"TLS_RSA_WITH_AES_128_CBC_SHA256", "AES128-SHA256", Suite::kInsecure},
    CipherRow{"TLS_ECDHE_ECDSA_WITH_RC4_128_SHA", "", Suite::kMissing},
    CipherRow{"TLS_ECDHE_RSA_WITH_RC4_128_SHA", "", Suite::kMissing},
    CipherRow{"TLS_RSA_WITH_RC4_128_SHA", "", Suite::kMissing},
    CipherRow{"TLS_AES_128_GCM_SHA256", "", Suite::kTls13},
    CipherRow{"TLS_AES_256_GCM_SHA384", "", Suite::kTls13},
    CipherRow{"TLS_CHACHA20_POLY1305_SHA256", "", Suite::kTls13},
};

struct CurveRow {
  int32_t id;
  const char* openssl;  // "" = OpenSSL 3.0 does not have it
};

// In the order in which this server prefers them.
constexpr std::array kCurves = {
    CurveRow{4588, ""},      // X25519MLKEM768
    CurveRow{4587, ""},      // SecP256r1MLKEM768
    CurveRow{4589, ""},      // SecP384r1MLKEM1024
    CurveRow{29, "X25519"},  // in Go's order from here
    CurveRow{23, "P-256"},  CurveRow{24, "P-384"}, CurveRow{25, "P-521"},
};

void Append(std::string& list, const std::string& name) { list += (list.empty() ? "" : ":") + name; }

void Choose(const CipherRow& row, CipherChoice& choice, std::set<std::string>& chosen) {
  if (row.suite == Suite::kInsecure || row.suite == Suite::kMissing) choice.insecure.emplace_back(row.go);
  if (row.suite == Suite::kMissing) choice.unavailable.emplace_back(row.go);
  if (*row.openssl != '\0' && chosen.insert(row.openssl).second) Append(choice.openssl, row.openssl);
}

base::Result<void> CheckCurve(int32_t id, std::set<int32_t>& seen) {
  const std::string curve = "curve preference " + std::to_string(id);
  if (id <= 0 || id > 65535) return base::Fail(curve + " is out of range (must be 1-65535)");
  if (!seen.insert(id).second) return base::Fail("duplicate " + curve);
  const bool known = std::any_of(kCurves.begin(), kCurves.end(), [&](const CurveRow& row) { return row.id == id; });
  if (!known) return base::Fail(curve + " is not supported by the current Go version");
  return {};
}

}  // namespace

base::Result<int> TlsVersionOf(const std::string& name) {
  if (name.empty() || name == "VersionTLS12") return TLS1_2_VERSION;
  if (name == "VersionTLS13") return TLS1_3_VERSION;
  if (name == "VersionTLS11") return TLS1_1_VERSION;
  if (name == "VersionTLS10") return TLS1_VERSION;
  return base::Fail("unknown tls version " + base::Quoted(name));
}

base::Result<CipherChoice> CipherSuitesOf(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool known =
        std::any_of(kCiphers.begin(), kCiphers.end(), [&](const CipherRow& row) { return row.go == name; });
    if (!known) return base::Fail("Cipher suite " + name + " not supported or doesn't exist");
  }
  CipherChoice choice;
  std::set<std::string> chosen;
  for (const CipherRow& row : kCiphers) {
    const bool wanted =
        names.empty() ? row.suite == Suite::kDefault : std::find(names.begin(), names.end(), row.go) != names.end();
    if (wanted) Choose(row, choice, chosen);
  }
  return choice;
}

base::Result<CurveChoice> CurvesOf(const std::vector<int32_t>& ids) {
  std::set<int32_t> wanted;
  for (const int32_t id : ids) {
    if (auto right = CheckCurve(id, wanted); !right) return tl::unexpected(right.error());
  }
  CurveChoice choice;
  for (const CurveRow& row : kCurves) {
    if (!ids.empty() && !wanted.contains(row.id)) continue;
    if (*row.openssl != '\0') {
      Append(choice.openssl, row.openssl);
    } else if (!ids.empty()) {
      choice.unavailable.push_back(row.id);
    }
  }
  if (choice.openssl.empty()) {
    return base::Fail(
        "--tls-curve-preferences: this build of OpenSSL has none of the key exchanges; add 29 (X25519) or 23 "
        "(P-256)");
  }
  return choice;
}

}  // namespace berth::http
