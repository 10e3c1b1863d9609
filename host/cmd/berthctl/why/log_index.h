// Where the decisions are in a decision log: JSON lines, each a Decision with its summary and groups, and its nodes at
// the end. Lines of other kinds say that a scheduler has started, that decisions are missing, or what would make a pod
// fit. The index has some tens of bytes for each decision; their texts stay in the file.
// Thread: any after Read. Ownership: keeps the file open, also when it is renamed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/text_hash.h"
#include "codec/json/value.h"
#include "os/fd/file_descriptor.h"
#include "scheduler/decisions/decision.h"

namespace berth::ctl {

class LogIndex {
 public:
  struct Entry {
    uint64_t id;
    int64_t offset;       // of the line
    uint32_t size, head;  // bytes of the line, and of its part before the nodes, or of all
    uint32_t pod, profile, node;
    decisions::Result result;
    bool with_nodes;
  };

  // Reads the file once. The error names the file and the line.
  static base::Result<std::unique_ptr<LogIndex>> Read(const std::string& path);

  // Of the last process that wrote to the file, oldest first: IDs begin again with each.
  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* Find(uint64_t id) const;
  // The newest about the pod, also of an earlier process; null: there is none.
  const Entry* LastOf(std::string_view pod) const;
  bool IsLastOfPod(const Entry& entry) const { return last_.at(entry.pod).offset == entry.offset; }
  std::string_view Name(uint32_t name) const { return names_[name]; }  // of a pod, profile, or node

  // The PodExplanation with suggestions that berthctl simulate --suggest has written about the pod; null: none.
  json::Value PendingOf(std::string_view pod) const;
  // The decision with its summary and groups, without the nodes. null: the file has changed.
  json::Value Head(const Entry& entry) const;
  std::string Line(const Entry& entry) const;  // all of it
  const std::string& path() const { return path_; }

 private:
  explicit LogIndex(std::string path) : path_(std::move(path)) {}
  base::Result<void> Add(std::string_view line, int64_t offset);
  void AddDecision(const json::Value& decision, std::string_view line, int64_t offset, size_t head);
  uint32_t NameId(const std::string& name);
  std::string Bytes(int64_t offset, size_t size) const;

  const std::string path_;
  os::FileDescriptor file_;
  std::vector<Entry> entries_;
  std::unordered_map<uint32_t, Entry> last_;  // by pod
  struct Place {
    int64_t offset;
    size_t size;
  };
  std::unordered_map<uint32_t, Place> pending_;  // PodExplanations by pod
  base::TextMap<uint32_t> ids_;
  std::vector<std::string_view> names_;  // the keys of ids_
};

}  // namespace berth::ctl
