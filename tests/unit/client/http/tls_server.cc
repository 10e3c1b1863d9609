#include "tls_server.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

extern char** environ;

namespace berth::http {
namespace {

[[noreturn]] void Give(const std::string& up) {
  std::fprintf(stderr, "tls_server: %s\n", up.c_str());
  std::abort();
}

constexpr const char* kMake = R"(
set -e
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
ca() { key "$1"; openssl req -x509 -new -key "$1.key" -subj "/CN=$1" -days 2 -out "$1.crt"; }
leaf() {  # NAME DAYS [EXTENSION [CA]]
  key "$1"
  openssl req -new -key "$1.key" -subj "/CN=$1" -out "$1.csr"
  printf '%s\n' "basicConstraints=CA:FALSE" "$3" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA "${4:-ca}.crt" -CAkey "${4:-ca}.key" -CAcreateserial -days "$2" -extfile "$1.ext" -out "$1.crt"
}
ca ca
ca other-ca
leaf server 2 "subjectAltName=DNS:localhost,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:::1"
leaf other-server 2 "subjectAltName=IP:127.0.0.1" other-ca
leaf expired -1 "subjectAltName=IP:127.0.0.1"
leaf nameless 2 ""
leaf a.example.com 2 ""
leaf wildcard 2 "subjectAltName=DNS:*.example.com"
leaf valid 2 "subjectAltName=DNS:valid.example.org"
leaf client-1 2 ""
leaf client-2 2 ""
openssl genrsa -out rsa.key 2048
openssl ec -in client-1.key -aes128 -passout pass:secret -out client-1-encrypted.key
)";

}  // namespace

Certificates::Certificates() {
  std::string pattern = (std::filesystem::temp_directory_path() / "berth-tls-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) Give("mkdtemp failed");
  directory_ = pattern;
  std::ofstream(Path("make.sh")) << kMake;
  if (std::system(("cd '" + directory_ + "' && sh make.sh >make.log 2>&1").c_str()) != 0) Give(Pem("make.log"));
}

Certificates::~Certificates() { std::filesystem::remove_all(directory_); }

std::string Certificates::Pem(const std::string& file) const {
  std::ostringstream text;
  text << std::ifstream(Path(file)).rdbuf();
  return text.str();
}

TlsServer::TlsServer(const std::string& files, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"python3", BERTH_TLS_SERVER, files + ".crt", files + ".key"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) Give("pipe failed");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  if (posix_spawnp(&pid_, "python3", &actions, nullptr, argv.data(), environ) != 0) Give("cannot start python3");
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  stdin_ = in[1];

  std::string line;
  for (char byte; read(out[0], &byte, 1) == 1 && byte != '\n';) line += byte;
  close(out[0]);
  port_ = static_cast<uint16_t>(std::atoi(line.c_str()));
  if (port_ == 0) Give("tls_server.py does not start");
}

void TlsServer::CloseConnections() {
  if (write(stdin_, "\n", 1) != 1) Give("tls_server.py does not listen");
}

TlsServer::~TlsServer() {
  close(stdin_);
  waitpid(pid_, nullptr, 0);
}

}  // namespace berth::http
