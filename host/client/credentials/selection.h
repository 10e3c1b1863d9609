// The cluster and the user that the current context of a kubeconfig selects. Source:
// k8s.io/client-go/tools/clientcmd/api/v1/types.go, whose names the fields have. Thread: values. They contain secrets:
// show only names and paths.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "client/credentials/file_texts.h"
#include "codec/fields/issue.h"
#include "codec/json/value.h"

namespace berth::credentials {

// Cluster and User: name is the name in the context. path is the field path ("clusters[0].cluster"); it is empty when
// the entry is missing, and then the other fields are empty too.
struct Cluster {
  std::string name, path;
  std::string server, tls_server_name, ca_file, ca_data, proxy_url;
  bool insecure = false, disable_compression = false;
  json::Value exec_config;  // extension client.authentication.k8s.io/exec
};

struct ExecConfig {
  std::string path;  // the field path
  std::string command, api_version, install_hint, interactive_mode;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  bool provide_cluster_info = false;
};

struct User {
  std::string name, path;
  std::string certificate_file, certificate_data, key_file, key_data;
  std::string token, token_file, username, password;
  std::optional<ExecConfig> exec;
};

struct Selection {
  std::string context;  // "" = none
  Cluster cluster;
  User user;
};

// The document of the file; null when the file is empty. Error: "file:line:column: reason".
base::Result<json::Value> ReadKubeconfig(const std::string& file, FileTexts& files);

// Paths in the selection are absolute. Wrong types and names become issues; unknown fields are logged.
Selection Select(const json::Value& root, const std::string& file, fields::Issues& issues);

// The parts of Select. object: the cluster or user; its name and path are set already. file: the kubeconfig; relative
// paths start at its directory.
void DecodeCluster(const json::Value& object, const std::string& file, Cluster& cluster, fields::Issues& issues);
void DecodeUser(const json::Value& object, const std::string& file, User& user, fields::Issues& issues);

}  // namespace berth::credentials
