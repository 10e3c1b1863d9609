// The flag --serve of berthctl: serves the page of decisions and the API below it over plain HTTP, to whoever can reach
// the address. Thread: main.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "cluster/serve/endpoints.h"
#include "config/flags/command.h"

namespace berth::ctl {

// --serve or --serve=ADDRESS. at: "" without the flag.
flags::Flag ServeFlag(std::string& at, const std::string& help);

struct Served {
  std::string address;                         // "127.0.0.1:10261"
  std::function<void(serve::Endpoints&)> add;  // adds the routes, the configuration, and the plugins
  std::function<void()> work = {};             // is called again and again while requests are answered; or unset
};

// Prints the URL to err, and serves until SIGINT or SIGTERM. Returns the exit code.
int ServePage(const Served& served, std::ostream& err);

}  // namespace berth::ctl
