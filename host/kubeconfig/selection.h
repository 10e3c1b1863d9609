// What the current context of a kubeconfig selects. Source: k8s.io/client-go/tools/clientcmd/api/v1/types.go; named as
// there. Thread: values. They hold secrets: show no field of theirs but names and paths.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "config/issue.h"
#include "json/value.h"
#include "kubeconfig/file_texts.h"

namespace berth::kubeconfig {

// Of both below. name: what the context calls it. path: where it stands ("clusters[0].cluster"), empty when it is not
// there; then all is empty.
struct Cluster {
  std::string name, path;
  std::string server, tls_server_name, ca_file, ca_data, proxy_url;
  bool insecure = false, disable_compression = false;
  json::Value exec_config;  // extension client.authentication.k8s.io/exec
};

struct ExecConfig {
  std::string path;  // where it stands
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
  std::string context;  // "" = none chosen
  Cluster cluster;
  User user;
};

// The file's one document; null when the file holds nothing. Error: "file:line:column: reason".
base::Result<json::Value> ReadKubeconfig(const std::string& file, FileTexts& files);

// Paths in the selection are absolute. What is wrong with types and names becomes issues; unknown fields are logged.
Selection Select(const json::Value& root, const std::string& file, config::Issues& issues);

// The parts of Select. object: the cluster or user; its name and path are set already. file: the kubeconfig, whose
// folder relative paths are relative to.
void DecodeCluster(const json::Value& object, const std::string& file, Cluster& cluster, config::Issues& issues);
void DecodeUser(const json::Value& object, const std::string& file, User& user, config::Issues& issues);

}  // namespace berth::kubeconfig
