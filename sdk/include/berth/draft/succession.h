/* berth/draft/succession.h - DRAFT: an instance that prepares the one that takes its place when its library stays the same.
 *
 * A change of args, or of the fault rules, means a new instance. By itself it comes from create and knows only what it is
 * told. With this table the instance in force makes it, so that both may share what is dear: counts, connections, what was
 * learnt. Either the whole change of policy comes into force, with every new instance at once, or none of it does:
 *
 *   prepare, init, activate, deltas and objects as to any new instance     [background], then [serial] in slices
 *   commit                                                                  it comes into force, or
 *   deactivate, destroy                                                     the change was given up
 *
 * All this time, and until the attempts that it began have ended, the instance before is called as ever. What both share is
 * therefore used by two instances and several threads at once, must outlive either, whichever goes first, and must not let
 * the one not in force change what the other answers. prepare may come again while a successor that was given up goes. */
#ifndef BERTH_DRAFT_SUCCESSION_H
#define BERTH_DRAFT_SUCCESSION_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_POINT_SUCCESSION "berth.plugin.succession/1"
/* Used where library, plugin and profile stay the same, unless the instance is in quarantine or failed in what is taken back. */
typedef struct berth_succession {
  uint32_t size, rsv;
  /* [background] on the instance in force, beside other calls of it: an object as from berth_entry.create, for host, whose
   * args are the new ones; its init follows, on the same thread. NULL: it is created as if this table were not offered, or,
   * when because() was called with host, the change is refused for that reason. Must not call host but for because(). */
  berth_plugin *(*prepare)(berth_plugin *p, const berth_host *host);
  /* [serial] on the successor, between two cycles, after p's last new pod and before its own first one. Cannot fail; within
   * 50 us. Stands for all of berth_handover, which is not called between the two: p serves its open attempts to their end.
   * May be NULL. */
  void (*commit)(berth_plugin *successor, berth_plugin *p);
} berth_succession;
#ifdef __cplusplus
}
#endif
#endif
