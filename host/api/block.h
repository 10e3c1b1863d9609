// Blocks: the immutable, shared parts of pods and nodes (labels, resources, tolerations, ...). The table keeps one
// object per distinct content: equal content <=> equal block <=> equal `content` number. Pods of one template share
// memory. A process that has given all 2^32 - 1 numbers gives those again that no block has.
//
// Threads: Find, Intern, and the release of the last reference take the table's lock. A held block may be read on any
// thread. Ownership: a block owns one reference of every id in it. A Ref keeps the block alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "api/ref.h"
#include "base/intern.h"
#include "base/keyed_set.h"
#include "base/seeded_hash.h"
#include "base/thread_annotations.h"
#include "berth/berth.h"

namespace berth::api {

class BlockTable;

// The identity of a block: its type and its canonical content, which must outlive the key.
class BlockKey {
 public:
  BlockKey(char type, std::string_view content)
      : BlockKey(type, content, base::SeededHash(content) ^ static_cast<unsigned char>(type)) {}
  BlockKey(char type, std::string_view content, uint32_t hash) : type_(type), hash_(hash), content_(content) {}
  uint32_t Hash() const { return hash_; }
  bool operator==(const BlockKey&) const = default;

 private:
  char type_;
  uint32_t hash_;  // computed once: not again under the table's lock
  std::string_view content_;
};

class BlockBase : public RefCounted {
 protected:
  void OnUnreferenced() const override;

 private:
  friend class BlockTable;
  // Returns false if the last reference is already released. Such a block is never used again.
  bool AddRefIfHeld() const;
  BlockKey key() const { return {type_, key_, hash_}; }

  uint32_t hash_ = 0;  // of key()
  BlockTable* table_ = nullptr;
  char type_ = 0;
  uint32_t content_ = 0;                             // its content number
  std::string key_;                                  // canonical content
  std::vector<base::Id> ids_;                        // owned
  std::vector<std::unique_ptr<std::byte[]>> arena_;  // the arrays that the ABI lists point at
};

// A base of its own and a standard-layout class, so that the address of `abi` gives the block.
template <class Abi>
struct AbiPart {
  Abi abi{};
};

template <class Abi>
class Block : public BlockBase, public AbiPart<Abi> {};

// The block that contains *abi, which must be the `abi` of one.
template <class Abi>
const Block<Abi>& BlockOf(const Abi& abi) {
  return static_cast<const Block<Abi>&>(reinterpret_cast<const AbiPart<Abi>&>(abi));
}

using LabelsBlock = Block<berth_labels>;
using ImagesBlock = Block<berth_images>;

// Where the manifest has a host port: spec.containers[container].ports[port], or spec.initContainers of a sidecar.
struct PortPlace {
  bool sidecar = false;
  uint32_t container = 0, port = 0;
};
class PortsBlock : public Block<berth_ports> {
 public:
  std::vector<PortPlace> places;  // of each item of abi.items
};
using TolerationsBlock = Block<berth_tolerations>;
using NodeAffinityBlock = Block<berth_node_affinity>;
using GatesBlock = Block<berth_gates>;
using VolumesBlock = Block<berth_volumes>;
using ClaimsBlock = Block<berth_claims>;
using ControllerBlock = Block<berth_controller>;
struct TaintsAbi {  // not a block of the ABI: nodes show the list, and the TAINTS column shows `content`
  BERTH_BLOCK;
  berth_list items;
};
using TaintsBlock = Block<TaintsAbi>;

// Collects the content of a block. The key decides the identity, so all makers of one block type must write the same
// key for the same content (see content.h).
class BlockWriter {
 public:
  explicit BlockWriter(base::InternTable& ids) : ids_(ids) {}
  BlockWriter(const BlockWriter&) = delete;
  ~BlockWriter();

  base::Id Text(std::string_view text);  // interns and owns the text; does not add it to the key
  // Like Text; kNoId if the text is absent (data() is null).
  base::Id OptionalText(std::string_view text) { return text.data() == nullptr ? base::kNoId : Text(text); }
  void Key(const void* bytes, size_t n) { key_.append(static_cast<const char*>(bytes), n); }
  template <class T>
  void Key(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    Key(&value, sizeof value);
  }
  // Copies records into memory that the block will own. Adds their bytes to the key if enter_key, which must be false
  // for records that contain pointers.
  template <class T>
  berth_list List(const std::vector<T>& records, bool enter_key = true) {
    const uint32_t n = static_cast<uint32_t>(records.size());
    if (enter_key) {
      Key(n);
      Key(records.data(), n * sizeof(T));
    }
    return berth_list{Copy(records.data(), n * sizeof(T)), n, sizeof(T)};
  }

 private:
  friend class BlockTable;
  const void* Copy(const void* bytes, size_t n);

  base::InternTable& ids_;
  std::string key_;
  std::vector<base::Id> owned_;
  std::vector<std::unique_ptr<std::byte[]>> arena_;
};

class BlockTable {
 public:
  explicit BlockTable(base::InternTable& ids) : ids_(ids) {}
  ~BlockTable();

  // The block of this type with this content, or null. A maker that finds one writes only the key.
  template <class B>
  Ref<const B> Find(char type, std::string_view content) {
    return Ref<const B>::Adopt(static_cast<const B*>(FindBase({type, content})));
  }

  // Returns the block with the writer's content: an existing one, or `fresh`, which receives the writer's memory, a
  // content number, and its size. B derives from Block<Abi>. fresh->abi must point into the writer's lists. Empties the
  // writer.
  template <class B>
  Ref<const B> Intern(char type, BlockWriter& writer, std::unique_ptr<B> fresh) {
    fresh->abi.size = sizeof fresh->abi;
    return Ref<const B>(
        static_cast<const B*>(InternBase(type, writer, std::move(fresh), [](BlockBase& block, uint32_t n) {
                                static_cast<B&>(block).abi.content = n;
                              }).get()));
  }
  size_t size() const;
  // For tests: the number of the next new block.
  void set_next_content(uint32_t next);

 private:
  friend class BlockBase;
  uint32_t TakeContent() REQUIRES(mutex_);
  std::unordered_set<uint32_t> ContentsInUse() const REQUIRES(mutex_);
  struct ByKey {
    static BlockKey Key(const BlockBase* block) { return block->key(); }
  };
  Ref<const BlockBase> InternBase(char type, BlockWriter& writer, std::unique_ptr<BlockBase> fresh,
                                  void (*number)(BlockBase&, uint32_t));
  const BlockBase* FindBase(const BlockKey& key);  // counted, or nullptr
  void Unlist(const BlockBase* block);

  base::InternTable& ids_;
  mutable base::Mutex mutex_;
  base::KeyedSet<const BlockBase*, ByKey> blocks_ GUARDED_BY(mutex_);  // not owned
  // Numbers count from 1 to the largest one, and then again: taken_ has those that blocks had at that moment.
  uint32_t next_content_ GUARDED_BY(mutex_) = 1;
  std::unordered_set<uint32_t> taken_ GUARDED_BY(mutex_);
};

}  // namespace berth::api
