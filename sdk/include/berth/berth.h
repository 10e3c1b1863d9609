/* berth/berth.h - the whole stable plugin ABI. Start reading at abi.h, then entry.h. */
#ifndef BERTH_BERTH_H
#define BERTH_BERTH_H
#include "berth/abi.h"
#include "berth/entry.h"
#include "berth/host.h"
#include "berth/node.h"
#include "berth/plugin.h"
#include "berth/pod.h"
#endif
