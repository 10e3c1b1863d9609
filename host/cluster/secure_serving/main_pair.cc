#include "cluster/secure_serving/main_pair.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/text.h"
#include "os/crypto/self_signed.h"
#include "telemetry/log/log.h"

namespace berth::secure_serving {
namespace {

tl::unexpected<base::Error> Failed(const std::string& what, const std::string& path, std::error_code error) {
  return base::Fail(what + " " + path + ": " + base::LowerFirst(error.message()));
}

std::error_code LastError() { return {errno, std::generic_category()}; }

bool CanRead(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

// Whether both files exist. The error names the one that is missing. Source: CanReadCertAndKey.
base::Result<bool> CanReadPair(const PairFiles& files) {
  const bool certificate = CanRead(files.certificate), key = CanRead(files.key);
  if (certificate == key) return certificate;
  return base::Fail("error reading " + (certificate ? files.key : files.certificate) +
                    ", certificate and key must be supplied as a pair");
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

// Creates the directory of the file as needed.
base::Result<void> Store(const std::string& path, const std::string& text, mode_t mode) {
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  if (!directory.empty()) std::filesystem::create_directories(directory, error);
  if (error) return Failed("mkdir", directory.string(), error);
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return Failed("open", path, LastError());
  if (!WriteAll(fd, text)) error = LastError();
  if (close(fd) != 0 && !error) error = LastError();
  if (error) return Failed("write", path, error);
  return {};
}

bool IsUnspecified(const std::string& address) { return address.find_first_not_of("0:.") == std::string::npos; }

base::Result<crypto::SelfSigned> Generate(const options::Serving& serving) {
  crypto::SelfSignedNames names{.host = "localhost", .ips = {"127.0.0.1"}};
  if (IsUnspecified(serving.bind_address)) {
    names.dns.emplace_back("localhost");
  } else {
    names.ips.push_back(serving.bind_address);
  }
  auto made = crypto::MakeSelfSigned(names);
  if (!made) return base::Fail("unable to generate self signed cert: " + made.error().message);
  return made;
}

base::Result<void> GenerateFiles(const options::Serving& serving, const PairFiles& files) {
  const auto made = Generate(serving);
  if (!made) return tl::unexpected(made.error());
  if (auto stored = Store(files.certificate, made->certificate_pem, 0644); !stored) return stored;
  if (auto stored = Store(files.key, made->key_pem, 0600); !stored) return stored;
  log::Info("Generated self-signed cert (" + files.certificate + ", " + files.key + ")");
  return {};
}

base::Result<MainPair> LoadFiles(PairFiles files) {
  auto pair = ReadPair(files);
  if (!pair) return tl::unexpected(pair.error());
  return MainPair{std::move(files), std::move(*pair)};
}

tl::unexpected<base::Error> NotSelfSigned(const base::Error& error) {
  return base::Fail("error creating self-signed certificates: " + error.message);
}

base::Result<MainPair> LoadDirectory(const options::Serving& serving) {
  const std::filesystem::path directory(serving.cert_dir);
  PairFiles files{"serving-cert", (directory / (serving.pair_name + ".crt")).lexically_normal().string(),
                  (directory / (serving.pair_name + ".key")).lexically_normal().string()};
  const auto there = CanReadPair(files);
  if (!there) return NotSelfSigned(there.error());
  if (!*there) {
    if (auto made = GenerateFiles(serving, files); !made) return NotSelfSigned(made.error());
  }
  return LoadFiles(std::move(files));
}

base::Result<MainPair> InMemory(const options::Serving& serving) {
  auto made = Generate(serving);
  if (!made) return NotSelfSigned(made.error());
  log::Info("Generated self-signed cert in-memory");
  return MainPair{std::nullopt,
                  {"Generated self signed cert", std::move(made->certificate_pem), std::move(made->key_pem)}};
}

}  // namespace

base::Result<MainPair> LoadMainPair(const options::Serving& serving) {
  if (!serving.tls_cert_file.empty() || !serving.tls_private_key_file.empty()) {
    return LoadFiles({"serving-cert", serving.tls_cert_file, serving.tls_private_key_file});
  }
  return serving.cert_dir.empty() ? InMemory(serving) : LoadDirectory(serving);
}

}  // namespace berth::secure_serving
