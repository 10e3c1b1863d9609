#include "cmd/berthctl/why/log_index.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace berth::ctl {
namespace {

// Nothing in a string has this text, because quotes are escaped there.
constexpr std::string_view kNodes = ",\"nodes\":{\"names\":[";

// A head without its nodes, or nothing if these are not the last member.
base::Result<json::Value> ParseHead(std::string_view line, size_t nodes) {
  auto head = json::Parse(std::string(line.substr(0, nodes)) + "}");
  if (!head || json::TextAt(*head, "kind").empty() || head->Find("result") == nullptr) return base::Fail("");
  return head;
}

}  // namespace

base::Result<std::unique_ptr<LogIndex>> LogIndex::Read(const std::string& path) {
  std::unique_ptr<LogIndex> index(new LogIndex(path));
  std::ifstream file(path);
  index->file_ = os::FileDescriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || !index->file_.valid()) return base::Fail("cannot read " + path);
  int64_t offset = 0;
  std::string line;
  // A last line without its end is being written.
  for (int number = 1; std::getline(file, line) && !file.eof(); ++number) {
    if (auto added = index->Add(line, offset); !added) {
      return base::Fail(path + ":" + std::to_string(number) + ": no decision" + added.error().message);
    }
    offset += static_cast<int64_t>(line.size()) + 1;
  }
  return index;
}

// Numbers of nodes are most of a line; they are parsed when somebody asks for them.
base::Result<void> LogIndex::Add(std::string_view line, int64_t offset) {
  size_t nodes = line.ends_with('}') ? line.find(kNodes) : std::string_view::npos;
  auto value = nodes == std::string_view::npos ? base::Result<json::Value>(base::Fail("")) : ParseHead(line, nodes);
  if (!value) {
    nodes = line.size();
    value = json::Parse(line);
  }
  if (!value) return base::Fail(": " + value.error().message);
  const std::string kind = json::TextAt(*value, "kind");
  if (kind.empty()) return base::Fail("");
  if (kind == "DecisionLogStart") entries_.clear();
  if (kind == "PodExplanation") {
    pending_.insert_or_assign(NameId(json::TextAt(*value, "pod")), Place{offset, line.size()});
  }
  if (kind == "Decision") AddDecision(*value, line, offset, nodes);
  return {};
}

void LogIndex::AddDecision(const json::Value& decision, std::string_view line, int64_t offset, size_t head) {
  const json::Value* id = decision.Find("id");
  const json::Value* with_nodes = decision.Find("withNodes");
  Entry entry{.id = id == nullptr ? 0 : static_cast<uint64_t>(id->integer()),
              .offset = offset,
              .size = static_cast<uint32_t>(line.size()),
              .head = static_cast<uint32_t>(head),
              .pod = NameId(json::TextAt(decision, "pod")),
              .profile = NameId(json::TextAt(decision, "profile")),
              .node = NameId(json::TextAt(decision, "node")),
              .result = decisions::ResultOf(json::TextAt(decision, "result")).value_or(decisions::Result::kError),
              .with_nodes = with_nodes != nullptr && with_nodes->boolean()};
  if (!entries_.empty() && entry.id <= entries_.back().id) entries_.clear();
  entries_.push_back(entry);
  last_.insert_or_assign(entry.pod, entry);
}

uint32_t LogIndex::NameId(const std::string& name) {
  const auto [found, added] = ids_.emplace(name, static_cast<uint32_t>(names_.size()));
  if (added) names_.push_back(found->first);
  return found->second;
}

const LogIndex::Entry* LogIndex::Find(uint64_t id) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), id,
                                      [](const Entry& one, uint64_t wanted) { return one.id < wanted; });
  return found != entries_.end() && found->id == id ? &*found : nullptr;
}

const LogIndex::Entry* LogIndex::LastOf(std::string_view pod) const {
  const auto name = ids_.find(pod);
  if (name == ids_.end()) return nullptr;
  const auto found = last_.find(name->second);
  return found == last_.end() ? nullptr : &found->second;
}

json::Value LogIndex::PendingOf(std::string_view pod) const {
  const auto name = ids_.find(pod);
  const auto found = name == ids_.end() ? pending_.end() : pending_.find(name->second);
  if (found == pending_.end()) return {};
  return json::Parse(Bytes(found->second.offset, found->second.size)).value_or(json::Value());
}

json::Value LogIndex::Head(const Entry& entry) const {
  std::string text = Bytes(entry.offset, entry.head);
  if (entry.head != entry.size) text += '}';
  json::Value head = json::Parse(text).value_or(json::Value());
  head.Erase("nodes");
  return head;
}

std::string LogIndex::Line(const Entry& entry) const { return Bytes(entry.offset, entry.size); }

std::string LogIndex::Bytes(int64_t offset, size_t size) const {
  std::string bytes(size, '\0');
  size_t got = 0;
  while (got < size) {
    const ssize_t read = pread(file_.get(), bytes.data() + got, size - got, offset + static_cast<int64_t>(got));
    if (read <= 0) break;
    got += static_cast<size_t>(read);
  }
  bytes.resize(got);
  return bytes;
}

}  // namespace berth::ctl
