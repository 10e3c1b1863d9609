// What one authenticator makes of a request: a user, an error, or neither, when the request has no credentials for it.
// Source: k8s.io/apiserver pkg/authentication/authenticator/interfaces.go. Thread: a value.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "cluster/access/user.h"

namespace berth::access {

struct AuthenticationResult {
  std::optional<User> user = {};
  std::string error = {};  // not with a user

  static AuthenticationResult Of(User user) { return {std::move(user), {}}; }
  static AuthenticationResult Failed(std::string error) { return {std::nullopt, std::move(error)}; }
};

}  // namespace berth::access
