/* berth/draft/succession.h - DRAFT: an instance prepares the instance that replaces it when its library stays the same.
 *
 * A change of args, or of the fault rules, means a new instance. Without this table the host creates it with create, and it
 * starts without state. With this table the current instance makes it, so that both can share state that is expensive to
 * build: counts, connections, caches. The host publishes the whole change of policy, with every new instance at once, or
 * nothing:
 *
 *   prepare, init, activate, deltas and objects as for any new instance    [background], then [serial] in slices
 *   commit                                                                  at publication, or
 *   deactivate, destroy                                                     if the host refuses the change
 *
 * During all this, and until the attempts that it began have ended, the host calls the current instance as before. Shared
 * state is therefore used by two instances and several threads at once. It must live until both instances are destroyed, in
 * any order, and the successor must not change the answers of the current instance through it. The host may call prepare
 * again while it destroys a refused successor. */
#ifndef BERTH_DRAFT_SUCCESSION_H
#define BERTH_DRAFT_SUCCESSION_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_POINT_SUCCESSION "berth.plugin.succession/1"
/* Used if library, plugin, and profile stay the same. Not used if the instance is in quarantine, or if its faults caused
 * the rollback. */
typedef struct berth_succession {
  uint32_t size, rsv;
  /* [background] on the current instance, concurrent with its other calls: returns an object as berth_entry.create does, for
   * host, which has the new args; its init follows, on the same thread. NULL: the host creates the instance as without this
   * table or, if the plugin called because() with host, refuses the change for that reason. Call nothing of host except
   * because(). */
  berth_plugin *(*prepare)(berth_plugin *p, const berth_host *host);
  /* [serial] on the successor, between two cycles, after p's last new pod and before its own first one. Cannot fail; within
   * 50 us. Replaces berth_handover, which the host does not call between the two: p finishes its open attempts. May be
   * NULL. */
  void (*commit)(berth_plugin *successor, berth_plugin *p);
} berth_succession;
#ifdef __cplusplus
}
#endif
#endif
