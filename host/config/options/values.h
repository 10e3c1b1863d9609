// The flag types that only the daemon has. Thread and ownership as in config/flags/flag_value.h.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "config/flags/flag_value.h"

namespace berth::options {

flags::Value Url(std::string& at);  // shown without user information and query
flags::Value Duration(std::chrono::nanoseconds& at);
flags::Value Ip(std::string& at);                     // "" does not change it
flags::Value Quantity(std::string& at);               // the text is unchanged
flags::Value VModule(std::string& at);                // occurrences add up
flags::Value FeatureGates(std::string& at);           // occurrences add up; checked later, by config::FeatureGates
flags::Value CertKeys(std::vector<std::string>& at);  // "cert,key[:name,...]", one per occurrence
flags::Value Address(std::string& at);                // "host:port", "" = none
// --version, --version=raw, --version=vX.Y.Z with the numbers of `own` ("v0.1.0"): "false", "true", "raw" or that text.
flags::Value Version(std::string& at, const std::string& own);

}  // namespace berth::options
