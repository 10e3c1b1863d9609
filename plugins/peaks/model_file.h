// The power models of a file: a JSON object with k0, k1, and k2 by node. Thread: background. Source:
// initNodePowerModels in pkg/trimaran/peaks/peaks.go of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <berth/http.hpp>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "args.h"

namespace plugins::peaks {

inline PowerModel ReadModel(const berth::sdk::Value& value) {
  if (!value.is_object()) throw std::runtime_error("a power model must be an object with k0, k1, and k2");
  PowerModel model;
  for (uint32_t i = 0; i < value.size(); ++i) {
    const std::string_view key = value.KeyAt(i);
    double* field = key == "k0" ? &model.k0 : key == "k1" ? &model.k1 : key == "k2" ? &model.k2 : nullptr;
    if (field == nullptr) throw std::runtime_error("json: unknown field " + berth::sdk::Quoted(key));
    if (!value[i].is_number()) throw std::runtime_error(std::string(key) + " of a power model must be a number");
    *field = value[i].AsNumber();
  }
  return model;
}

// Throws an error that names the file.
inline PowerModels ReadModelFile(const berth::sdk::Host& host, const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("NODE_POWER_MODEL: open " + path + ": " + std::generic_category().message(errno));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  PowerModels models;
  try {
    const bool json = berth::sdk::ReadJson(host, text, [&](const berth::sdk::Value& document) {
      if (!document.is_object()) throw std::runtime_error("it must be an object of power models by node");
      for (uint32_t i = 0; i < document.size(); ++i) models[std::string(document.KeyAt(i))] = ReadModel(document[i]);
    });
    if (!json) throw std::runtime_error("it is no JSON");
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("NODE_POWER_MODEL: " + path + ": " + error.what());
  }
  return models;
}

// Those of the args or, if they have none, of the file.
inline PowerModels ModelsOf(const berth::sdk::Host& host, const PeaksArgs& args) {
  if (!args.models.empty()) return args.models;
  const char* path = std::getenv("NODE_POWER_MODEL");  // NOLINT(concurrency-mt-unsafe): no thread writes it
  return ReadModelFile(host, path == nullptr ? "" : path);
}

}  // namespace plugins::peaks
