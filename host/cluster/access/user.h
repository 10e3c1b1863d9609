// A user as the API server describes one, and the names that Kubernetes gives a meaning. Source: k8s.io/apiserver
// pkg/authentication/user/user.go. Thread: a value.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace berth::access {

using Extra = std::map<std::string, std::vector<std::string>>;  // Go marshals maps in the order of their keys

struct User {
  std::string name;
  std::string uid = {};
  std::vector<std::string> groups = {};
  Extra extra = {};
  bool operator==(const User&) const = default;
};

inline constexpr const char* kAnonymous = "system:anonymous";
inline constexpr const char* kAllAuthenticated = "system:authenticated";
inline constexpr const char* kAllUnauthenticated = "system:unauthenticated";
inline constexpr const char* kSystemPrivilegedGroup = "system:masters";
inline constexpr const char* kCredentialIdKey = "authentication.kubernetes.io/credential-id";

}  // namespace berth::access
