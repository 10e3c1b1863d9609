// Lists every point once: both the result of an instance's extension() and the content of the note come from this list.
#pragma once

#include <cstring>

#include "berth/detail/points_beside.hpp"
#include "berth/detail/points_binding.hpp"
#include "berth/detail/points_core.hpp"
#include "berth/detail/points_draft.hpp"

namespace berth::sdk::detail {

// Calls fn.template operator()<Point>() for each point of P, in the order a pod meets them.
template <class P, class Fn>
constexpr void ForEachPoint(Fn&& fn) {
  fn.template operator()<PreEnqueuePoint<P>>();
  fn.template operator()<QueueSortPoint<P>>();
  fn.template operator()<PreFilterPoint<P>>();
  fn.template operator()<FilterPoint<P>>();
  fn.template operator()<PostFilterPoint<P>>();
  fn.template operator()<PreScorePoint<P>>();
  fn.template operator()<ScorePoint<P>>();
  fn.template operator()<ReservePoint<P>>();
  fn.template operator()<PermitPoint<P>>();
  fn.template operator()<PreBindPoint<P>>();
  fn.template operator()<BindPoint<P>>();
  fn.template operator()<PostBindPoint<P>>();
  fn.template operator()<EventsPoint<P>>();
  fn.template operator()<DeltasPoint<P>>();
  fn.template operator()<ObjectsPoint<P>>();
  fn.template operator()<PodChangePoint<P>>();
  fn.template operator()<HandoverPoint<P>>();
  fn.template operator()<SuccessionPoint<P>>();
}

template <class Point>
inline constexpr auto kTable = Point::Make();

template <class P>
const void* FindTable(const char* id) noexcept {
  const void* found = nullptr;
  ForEachPoint<P>([&]<class Point>() {
    if constexpr (Point::kOffered) {
      if (std::strcmp(id, Point::kId) == 0) found = &kTable<Point>;
    }
  });
  return found;
}

}  // namespace berth::sdk::detail
