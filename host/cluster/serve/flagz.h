// /flagz: the flags of the command line and their values. Source: k8s.io/apiserver/pkg/server/flagz. Thread: any.
#pragma once

#include <map>
#include <string>

#include "cluster/serve/routes.h"

namespace berth::serve {

// flags: all flags of the program, by name, with the values in effect.
Route FlagzRoute(const std::map<std::string, std::string>& flags);

}  // namespace berth::serve
