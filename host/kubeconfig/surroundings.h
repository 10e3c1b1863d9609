// What this folder sees of its process besides the files it is pointed to; tests bring their own. Thread: a value.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/clock.h"

namespace berth::kubeconfig {

using Environment = std::map<std::string, std::string>;

struct Surroundings {
  std::string service_account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
  Environment environment;  // credential commands inherit it
  // Wall for the expiry of credentials, mono for how old a token file's content is. Never null; outlives the loaded
  // options.
  const base::Clock* clock = nullptr;
  std::chrono::milliseconds command_time{60'000};  // of a credential command; then it is killed
};

// Of this process, with a real clock that lives as long as it.
Surroundings SurroundingsOfProcess();

// The variable's value, or "".
const std::string& Variable(const Environment& environment, const std::string& name);

}  // namespace berth::kubeconfig
