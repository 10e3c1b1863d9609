#include "cmd/berthctl/kubectl/tunnel.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "cmd/berthctl/kubectl/leader.h"

namespace berth::ctl {
namespace {

constexpr std::chrono::minutes kOpenLimit{2};

// "127.0.0.1:41507" of "Forwarding from 127.0.0.1:41507 -> 10259"; "" for another line.
std::string AddressIn(std::string_view line) {
  static constexpr std::string_view kBegin = "Forwarding from ";
  if (!line.starts_with(kBegin)) return "";
  line.remove_prefix(kBegin.size());
  return std::string(line.substr(0, line.find(' ')));
}

}  // namespace

base::Result<std::unique_ptr<Tunnel>> Tunnel::Open(const Kubectl& kubectl, const std::string& name_space,
                                                   const std::string& pod, int32_t port) {
  const std::vector<std::string> arguments = {"port-forward",
                                              "pod/" + pod,
                                              ":" + std::to_string(port),
                                              "--namespace=" + name_space,
                                              "--address=127.0.0.1",
                                              "--pod-running-timeout=10s"};
  auto started = kubectl.Start(arguments);
  if (!started) return tl::unexpected(started.error());
  os::Program& program = (*started)->program();
  const os::Program::Limits limits{os::Program::Clock::now() + kOpenLimit};
  std::string address;
  const auto end = program.ReadLines(limits, [&](std::string_view line) {
    address = AddressIn(line);
    return address.empty();
  });
  if (!address.empty()) return std::unique_ptr<Tunnel>(new Tunnel(std::move(*started), std::move(address)));
  if (end == os::Program::ReadEnd::kClosed) program.ReadErrors(limits);
  const std::string error = KubectlError(arguments, program.Errors());
  return base::Fail(error + PermissionAdvice(error, name_space));
}

}  // namespace berth::ctl
