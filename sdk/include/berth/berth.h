/* berth/berth.h - the whole stable plugin ABI. Start reading at abi.h, then entry.h. */
#ifndef BERTH_BERTH_H
#define BERTH_BERTH_H
#include "berth/abi.h"
#include "berth/api.h"
#include "berth/binding.h"
#include "berth/deltas.h"
#include "berth/domains.h"
#include "berth/entry.h"
#include "berth/handover.h"
#include "berth/host.h"
#include "berth/matching.h"
#include "berth/node.h"
#include "berth/objects.h"
#include "berth/plugin.h"
#include "berth/pod.h"
#include "berth/pod_change.h"
#include "berth/pod_sets.h"
#include "berth/post_filter.h"
#include "berth/queue_sort.h"
#include "berth/random.h"
#include "berth/tasks.h"
#endif
