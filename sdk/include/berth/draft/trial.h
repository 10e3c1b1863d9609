/* berth/draft/trial.h - DRAFT: would the pod fit if pods left or came? Trials are how preemption looks for victims. */
#ifndef BERTH_DRAFT_TRIAL_H
#define BERTH_DRAFT_TRIAL_H
#include "berth/draft/post_filter.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_TRIAL "berth.host.trial/1"
typedef struct berth_trials {
  uint32_t size, rsv;
  /* [serial] in post_filter: a trial of the cycle's pod, about one row. The row's cells and lists change in place with
   * add and remove (see berth/node.h), cycle data is cloned when a plugin's first pod_change comes. The answer serves
   * the functions below and nothing else; NULL = no memory, or the row is not live, or it has a trial. One trial per row
   * at a time; all must be closed before post_filter returns. */
  berth_cycle *(*open)(const berth_host *host, berth_cycle *cycle, uint32_t row);
  /* [serial] A pod of the row leaves, or one comes (back); it must live until close. Every plugin that was not skipped
   * is told through pod_change. SUCCESS, or ERROR: see error(). */
  berth_status (*remove)(berth_cycle *trial, const berth_pod *pod);
  berth_status (*add)(berth_cycle *trial, const berth_pod *pod);
  /* [serial] Asks the profile's filters, first with the row's nominated pods of at least the pod's priority added, then
   * without; *plugin is the name of the one that rejected. reasons of *out live as long as the attempt. SUCCESS, or
   * ERROR: see error(). */
  berth_status (*filter)(berth_cycle *trial, berth_verdict *out, berth_id *plugin);
  /* [serial] Why the trial's last remove, add or filter answered ERROR. Lives until its next call. */
  berth_str (*error)(const berth_cycle *trial);
  void (*close)(berth_cycle *trial); /* [serial] everything is as it was */
} berth_trials;
#ifdef __cplusplus
}
#endif
#endif
