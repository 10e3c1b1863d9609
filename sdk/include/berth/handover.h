/* berth/handover.h (since 1.1) - passes state from an instance to the instance that replaces it while pods are scheduled.
 *
 * A new library, or new args, mean a new instance. The old one finishes the attempts that it began, and the host then
 * destroys it. Both see the same snapshot, objects, and assumptions (berth.host.objects/1), and the new one gets every row
 * and object before its first call. This table is for state that only the old one has. */
#ifndef BERTH_HANDOVER_H
#define BERTH_HANDOVER_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
/* flags. The instance keeps nothing for an attempt after reserve or permit returns, or keeps it in the host only. Attempts
 * of an older instance do not concern it, and the host does not call adopt and settle. */
#define BERTH_HANDOVER_NO_ATTEMPTS 1u
#define BERTH_POINT_HANDOVER "berth.plugin.handover/1"
typedef void (*berth_text_sink)(void *ctx, berth_str text);
/* An instance with reserve or permit that does not offer this table replaces another one only while no attempt of the other
 * is open. If no such moment comes, the host refuses the change. All members except size and flags may be NULL. */
typedef struct berth_handover {
  uint32_t size, flags;
  /* [serial] on the old instance, between two cycles, before the first call of a point of the new one: writes its state in
   * any format, at most BERTH_HANDOVER_MOST bytes, within 50 us. */
  void (*save)(berth_plugin *p, berth_text_sink sink, void *ctx);
  /* [serial] on the new instance: reads what save wrote; version is that of save's library. SUCCESS, or SKIP to start
   * without the state. */
  berth_status (*load)(berth_plugin *p, berth_str version, berth_str state);
  /* [serial] on the old instance: writes what it keeps for an open attempt, as save does. */
  void (*describe)(berth_plugin *p, const berth_pod *pod, berth_id node, berth_text_sink sink, void *ctx);
  /* [serial] on the new instance, for every open attempt that passed the old one's reserve: state is what describe wrote.
   * The host still calls reserve, permit, unreserve, and post_bind of the attempt on the old instance. */
  void (*adopt)(berth_plugin *p, const berth_pod *pod, berth_id node, berth_str state);
  /* [serial] on the new instance: an attempt that it adopted has ended. bound: 1 = the pod is bound. */
  void (*settle)(berth_plugin *p, const berth_pod *pod, int32_t bound);
} berth_handover;
#define BERTH_HANDOVER_MOST (16u << 20)
#ifdef __cplusplus
}
#endif
#endif
