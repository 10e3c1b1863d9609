// Kubeconfigs and the output of credential commands: each must be refused without a secret in the message, or give an
// address and valid credentials. This target requests no credentials: that would run the commands that inputs name.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "client/credentials/client_config.h"
#include "client/credentials/exec_answer.h"
#include "client/credentials/server_url.h"
#include "client/http/endpoint.h"
#include "memory_file.h"
#include "require.h"
#include "telemetry/log/capture.h"

namespace {

namespace credentials = berth::credentials;

// The secrets of the seeds contain this text. If the fuzzer puts it into a name or an address, it is no secret there.
constexpr std::string_view kSecret = "s3cr3t";

bool HoldsSecretsOnly(std::string_view text) {
  if (text.find_first_of("*&<?") != std::string_view::npos) return false;  // YAML in which one text may appear twice
  for (size_t at = text.find(kSecret); at != std::string_view::npos; at = text.find(kSecret, at + 1)) {
    const size_t line = text.rfind('\n', at) == std::string_view::npos ? 0 : text.rfind('\n', at) + 1;
    const std::string_view before = text.substr(line, at - line);
    if (before.find("      token: ") != 0 && before.find("      password: ") != 0) return false;
  }
  return true;
}

// said: an error or a line of the log
void CheckQuiet(const std::string& said, std::string_view text) {
  if (said.find(kSecret) == std::string::npos) return;
  Require(!HoldsSecretsOnly(text), "no secret is told");
}

void CheckFile(const uint8_t* data, size_t size, std::string_view text) {
  static const berth::base::VirtualClock clock(1'700'000'000 * berth::base::kSecond);
  const MemoryFile file(data, size);
  credentials::ProcessEnvironment nothing;
  nothing.service_account_folder = "/nowhere";
  nothing.clock = &clock;
  berth::log::Capture log;
  const auto options = credentials::LoadClientOptions({file.path(), ""}, nothing);
  for (const std::string& line : log.Lines()) CheckQuiet(line, text);
  if (!options) {
    Require(!options.error().message.empty(), "what is refused has a reason");
    return CheckQuiet(options.error().message, text);
  }
  const auto endpoint = berth::http::ParseEndpoint(options->url, berth::http::UrlKind::kServer);
  Require(endpoint.has_value(), "the address is one");
  if (!endpoint->https) {
    Require(!options->authorization && !options->tls.identity, "credentials do not travel in clear text");
  }
}

void CheckAddresses(std::string_view text) {
  if (const auto server = credentials::ParseServer(text)) {
    const auto again = credentials::ParseServer(server->url);
    Require(again && again->url == server->url, "an address is the address of its server");
  }
  if (const auto proxy = credentials::ParseProxy(text)) Require(*proxy == text, "a proxy is taken as it is");
}

void CheckAnswer(const std::string& text) {
  const auto answer = credentials::ParseExecAnswer(text, credentials::kExecV1);
  if (!answer) return Require(answer.error().message.find(kSecret) == std::string::npos, "an answer is all secret");
  Require(!answer->token.empty() || !answer->certificate_pem.empty(), "an answer has credentials");
  Require(answer->certificate_pem.empty() == answer->key_pem.empty(), "a certificate has its key");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckFile(data, size, text);
  CheckAddresses(text);
  CheckAnswer(text);
  return 0;
}
