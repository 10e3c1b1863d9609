// How many nodes reject the pending pods for which reason, as sums over the last attempts of all pending pods. A tenant
// can cause any number of reasons, because it names resources and taints; only kMaxReasons of them are counted one by
// one, and the others together as kOther.
// Thread: the scheduling thread. Ownership: outlives its shares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace berth::queue {

class RejectionCounts {
 public:
  static constexpr size_t kMaxReasons = 64, kMaxReasonsOfPod = 8;
  static constexpr std::string_view kOther = "other";

  // What one pod adds; the destructor takes it back.
  class Share {
   public:
    Share() = default;
    Share(Share&& other) noexcept { *this = std::move(other); }
    Share& operator=(Share&& other) noexcept;
    ~Share() { Return(); }

   private:
    friend class RejectionCounts;
    struct Part {
      uint32_t slot, nodes;
    };
    void Return();
    RejectionCounts* counts_ = nullptr;
    std::vector<Part> parts_;  // one for a slot
  };

  // reasons: with the number of nodes that rejected the pod for it.
  Share Add(const std::map<std::string, uint64_t>& reasons);

  struct Sum {
    std::string_view reason;  // until the next change
    uint64_t nodes, pods;     // nodes: once for each pod that they reject
  };
  std::vector<Sum> Sums() const;  // of the reasons that there are now

 private:
  struct Slot {
    std::string reason;
    uint64_t nodes = 0, pods = 0;  // pods 0: the slot is free
  };
  uint32_t SlotOf(const std::string& reason);
  void Remove(const Share::Part& part);

  std::array<Slot, kMaxReasons + 1> slots_;  // the last one is kOther
  std::unordered_map<std::string, uint32_t> by_reason_;
};

}  // namespace berth::queue
