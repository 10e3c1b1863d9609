// The environment of the process, as far as this folder uses it; tests use their own. Thread: a value.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/clock.h"

namespace berth::credentials {

using Environment = std::map<std::string, std::string>;

struct ProcessEnvironment {
  std::string service_account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  Environment environment;  // credential commands inherit it
  // Wall time for the expiry of credentials, mono time for the age of a token file's content. Never null; outlives the
  // loaded options.
  const base::Clock* clock = nullptr;
  std::chrono::milliseconds command_time{60'000};  // the time limit of a credential command
};

// The environment of this process, with a real clock that lives as long as the process.
ProcessEnvironment EnvironmentOfProcess();

// The variable's value, or "".
const std::string& Variable(const Environment& environment, const std::string& name);

// False if DISABLE_HTTP2 is set. Source: k8s.io/apimachinery/pkg/util/net/http.go SetTransportDefaults.
bool MaySpeakHttp2(const Environment& environment);

}  // namespace berth::credentials
