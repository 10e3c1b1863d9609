// For tests of the server's TLS: independent clients (serving_client.py with Python's ssl module, the openssl tool),
// and the certificates that the server shows. Thread: the test's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace berth::http {

// Standard output and standard error of a shell command.
std::string ShellOutput(const std::string& command);

// A line of serving_client.py: the steps of one client over one connection; see that file.
std::string PythonClient(uint16_t port, const std::vector<std::string>& arguments);

}  // namespace berth::http
