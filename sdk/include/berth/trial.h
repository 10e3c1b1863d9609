/* berth/trial.h (since 1.2) - would the pod fit if pods were removed or added? Preemption finds its victims with trials. */
#ifndef BERTH_TRIAL_H
#define BERTH_TRIAL_H
#include "berth/post_filter.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_TRIAL "berth.host.trial/1"
typedef struct berth_trials {
  uint32_t size, rsv;
  /* [serial] in post_filter: a trial of the cycle's pod, about a row. The row's cells and lists change in place with
   * add and remove (see berth/node.h), cycle data is cloned before a plugin's first pod_change. Use the result with
   * the functions below only; NULL = no memory, or the row is not live, or it has a trial. One trial per row at a time;
   * close all before post_filter returns. */
  berth_cycle *(*open)(const berth_host *host, berth_cycle *cycle, uint32_t row);
  /* [serial] Removes a pod of the row, or adds a pod; the pod must live until close. The host calls pod_change of every
   * plugin that was not skipped. SUCCESS, or ERROR: see error(). */
  berth_status (*remove)(berth_cycle *trial, const berth_pod *pod);
  berth_status (*add)(berth_cycle *trial, const berth_pod *pod);
  /* [serial] Runs the profile's filters, first with the row's nominated pods of at least the pod's priority added, then
   * without; *plugin is the name of the plugin that rejected. reasons of *out live as long as the attempt. SUCCESS, or
   * ERROR: see error(). */
  berth_status (*filter)(berth_cycle *trial, berth_verdict *out, berth_id *plugin);
  /* [serial] Why the trial's last remove, add, or filter returned ERROR. Lives until its next call. */
  berth_str (*error)(const berth_cycle *trial);
  void (*close)(berth_cycle *trial); /* [serial] restores the rows */
  /* [serial] From now on remove, add, and filter are about this row. It keeps its changes when the trial turns to
   * another row, so pods of many nodes can leave in one trial; plugins count them in one copy of their cycle data.
   * SUCCESS, or ERROR, and the trial stays where it was: the row is not live, or it has another trial. */
  berth_status (*turn_to)(berth_cycle *trial, uint32_t row);
} berth_trials;
#ifdef __cplusplus
}
#endif
#endif
