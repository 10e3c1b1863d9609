#include "simulator/results/result_json.h"

namespace berth::results {
namespace {

void Key(std::string& line, std::string_view key) {
  if (line.back() != '{') line += ',';
  json::AppendQuoted(line, key);
  line += ':';
}

void Text(std::string& line, std::string_view key, std::string_view value) {
  Key(line, key);
  json::AppendQuoted(line, value);
}

void Number(std::string& line, std::string_view key, int64_t value) {
  Key(line, key);
  line += std::to_string(value);
}

void Texts(std::string& line, std::string_view key, const std::vector<std::string>& values) {
  Key(line, key);
  line += '[';
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 0) line += ',';
    json::AppendQuoted(line, values[i]);
  }
  line += ']';
}

}  // namespace

JsonResult::JsonResult(std::ostream& out, bool with_nodes) : out_(out), with_nodes_(with_nodes) {
  out_ << R"({"apiVersion":"berth.dev/v1alpha1","kind":"SimulationResult","pods":[)";
}

void JsonResult::Add(const AttemptEntry& e) {
  line_ = first_ ? "\n{" : ",\n{";
  first_ = false;
  Text(line_, "pod", e.pod);
  Text(line_, "profile", e.profile);
  Text(line_, "result", e.result);
  Text(line_, "node", e.node);
  Number(line_, "ties", e.ties);
  Number(line_, "generation", static_cast<int64_t>(e.generation));
  Text(line_, "message", e.message);
  Text(line_, "nominatedNode", e.nominated_node);
  Texts(line_, "victims", e.victims);
  if (with_nodes_) {
    Key(line_, "nodes");
    line_ += '[';
    for (size_t i = 0; i < e.nodes.size(); ++i) {
      if (i != 0) line_ += ',';
      AppendNode(e.nodes[i]);
    }
    line_ += ']';
  }
  line_ += '}';
  out_ << line_;
}

void JsonResult::AppendNode(const cycle::NodeRecord& node) {
  line_ += '{';
  Text(line_, "name", node.name);
  Text(line_, "verdict", plugin::CodeName(node.verdict));
  Text(line_, "plugin", node.plugin);
  Texts(line_, "reasons", node.reasons);
  Key(line_, "scores");
  line_ += '{';
  for (const auto& [plugin, score] : node.scores) Number(line_, plugin, score);
  line_ += '}';
  Number(line_, "total", node.total);
  line_ += '}';
}

void JsonResult::Finish(const json::Value& pending) {
  out_ << "\n]";
  if (!pending.is_null()) out_ << ",\"pending\":" << json::Dump(pending);
  out_ << "}\n";
}

}  // namespace berth::results
