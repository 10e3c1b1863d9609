/* berth/draft/handover.h - DRAFT: what passes from an instance to the one that takes its place while pods are scheduled.
 *
 * A new library, or new args, mean a new instance; the old one ends the attempts that it began and then goes. Both see the
 * same snapshot, objects and assumptions (berth.host.objects/1), and the new one has heard of every row and object before
 * it is asked anything. This table is for what only the old one knows. */
#ifndef BERTH_DRAFT_HANDOVER_H
#define BERTH_DRAFT_HANDOVER_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
/* flags. The attempts that an older instance began are none of this one's business: what reserve or permit hold for them
 * lies with the host, or ends with the call. Then adopt and settle are not called. */
#define BERTH_HANDOVER_NO_ATTEMPTS 1u
#define BERTH_POINT_HANDOVER "berth.plugin.handover/1"
typedef void (*berth_text_sink)(void *ctx, berth_str text);
/* A plugin with reserve or permit that does not offer this table takes the place of another only when no attempt of the
 * other is open; a swap that finds none such moment is refused. All members but size and flags may be NULL. */
typedef struct berth_handover {
  uint32_t size, flags;
  /* [serial] on the old instance, between two cycles, just before the new one is asked for the first time: its state as
   * bytes of its own form, at most BERTH_HANDOVER_MOST, within 50 us. */
  void (*save)(berth_plugin *p, berth_text_sink sink, void *ctx);
  /* [serial] on the new one: what save of version (of the library) wrote. SUCCESS, or SKIP to begin without. */
  berth_status (*load)(berth_plugin *p, berth_str version, berth_str state);
  /* [serial] on the old one: what it holds for an open attempt, likewise. */
  void (*describe)(berth_plugin *p, const berth_pod *pod, berth_id node, berth_text_sink sink, void *ctx);
  /* [serial] on the new one, for every open attempt that passed the old one's reserve: state is what describe wrote.
   * reserve, permit, unreserve and post_bind of the attempt still go to the old one. */
  void (*adopt)(berth_plugin *p, const berth_pod *pod, berth_id node, berth_str state);
  /* [serial] on the new one: an attempt that it adopted has ended. */
  void (*settle)(berth_plugin *p, const berth_pod *pod, int32_t bound);
} berth_handover;
#define BERTH_HANDOVER_MOST (16u << 20)
#ifdef __cplusplus
}
#endif
#endif
