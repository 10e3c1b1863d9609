// The common parts of the tests of host/client/credentials: a temporary folder of files, a clock, kubeconfigs, and
// scripts in the folder.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <string>

#include "client/credentials/client_config.h"

namespace berth::credentials {

inline constexpr const char* kCertificatePem =
    "-----BEGIN CERTIFICATE-----\nQ0VSVElGSUNBVEU=\n-----END CERTIFICATE-----\n";
inline constexpr const char* kKeyPem = "-----BEGIN RSA PRIVATE KEY-----\nS0VZ\n-----END RSA PRIVATE KEY-----\n";
inline constexpr int64_t kStart = 1'700'000'000 * base::kSecond;  // 2023-11-14T22:13:20Z

class Sandbox : public testing::Test {
 protected:
  Sandbox() : clock_(kStart) {
    std::string pattern = testing::TempDir() + "berth_kubeconfig_XXXXXX";
    root_ = mkdtemp(pattern.data());
    surroundings_.clock = &clock_;
    surroundings_.environment = {{"PATH", "/usr/bin:/bin"}};
    surroundings_.service_account_folder = Path("serviceaccount");
  }
  ~Sandbox() override { std::filesystem::remove_all(root_); }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }

  std::string Write(const std::string& name, const std::string& text) const {
    const std::string path = Path(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::trunc) << text;
    return path;
  }
  std::string WriteScript(const std::string& name, const std::string& body) const {
    const std::string path = Write(name, "#!/bin/sh\n" + body);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // A file k.yaml whose current context has a cluster "c" and a user "u". Each field has a separate line, indented by
  // six blanks; the cluster's first is in line 5, and the user's first is four lines below the cluster's last.
  std::string Kubeconfig(const std::string& cluster, const std::string& user = "      token: t0ken\n") const {
    return Write("k.yaml",
                 "apiVersion: v1\nkind: Config\nclusters:\n- {name: other, cluster: {server: nowhere}}\n- name: c\n"
                 "  cluster:\n" +
                     cluster + "users:\n- name: u\n  user:\n" + user +
                     "contexts:\n- name: x\n  context: {cluster: c, user: u, namespace: n}\ncurrent-context: x\n");
  }

  base::Result<http::ClientOptions> Load(const std::string& path, const std::string& master = "") const {
    return LoadClientOptions({path, master}, surroundings_);
  }
  // The error without the path of the sandbox's folder: "k.yaml:7:9: ...".
  std::string ErrorOf(const base::Result<http::ClientOptions>& options) const {
    if (options) return "no error";
    std::string text = options.error().message;
    for (size_t at; (at = text.find(root_ + "/")) != std::string::npos;) text.erase(at, root_.size() + 1);
    return text;
  }
  std::string LoadError(const std::string& path, const std::string& master = "") const {
    return ErrorOf(Load(path, master));
  }
  // Waits until the credentials are ready, as a transport does before a request.
  static void AwaitReady(const http::ClientOptions& options) {
    if (!options.ready) return;
    auto promise = std::make_shared<std::promise<void>>();
    if (!options.ready([promise] { promise->set_value(); })) promise->get_future().wait();
  }
  static std::string HeaderOf(const http::ClientOptions& options) {
    if (!options.authorization) return "none";
    AwaitReady(options);
    const base::Result<std::string> header = options.authorization();
    return header ? *header : "error: " + header.error().message;
  }

  std::string root_;
  base::VirtualClock clock_;
  ProcessEnvironment surroundings_;
};

}  // namespace berth::credentials
