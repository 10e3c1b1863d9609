/* berth/entry.h - the one symbol a library exports, and the ELF note a host reads before it maps anything.
 *
 * The note (section .note.berth, name "BERTH", type 1) holds one JSON object:
 *   {"abi":[1,2],                        required: major and minor this library was built against
 *    "minHost":0,                        optional: smallest host minor it can work with, default 0
 *    "sdk":"cpp/1.1","version":"1.2.3",  required: who built the tables; the library's version, free text
 *    "draft":["trial/1"],                draft tables it uses; such a library may need a rebuild with each release
 *    "plugins":[{"name":"NodeName",      required: the name profiles use
 *                "points":["filter"],    required: Kubernetes' spelling: preEnqueue queueSort preFilter filter postFilter
 *                                        preScore score reserve permit preBind bind postBind
 *                "args":true,            true: offers BERTH_LIBRARY_ARGS for this plugin
 *                "sampleArgs":{},        optional: args to try the plugin with where nobody has given any, an object of at
 *                                        most 4096 bytes; no pod is decided with them
 *                "needs":[]}]}           service ids without which it refuses to work */
#ifndef BERTH_ENTRY_H
#define BERTH_ENTRY_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

#define BERTH_F_SERIAL_ONLY 1u /* [parallel] and [bind] calls of all instances are made one at a time */
#define BERTH_F_UNLOADABLE 2u  /* promises that dlclose is safe; the host may still keep the mapping */
/* Promises that pre_flight and bind block no thread: what waits (for a server, a file, a lock that another thread holds while it
 * waits) is an operation, and bind returns LATER. The host may then make these calls on its scheduling thread. Not with
 * BERTH_F_SERIAL_ONLY. */
#define BERTH_F_NEVER_BLOCKS 4u
typedef struct berth_descriptor {
  uint32_t size, flags;
  const char *name, *version, *vendor; /* NUL-terminated, static, never NULL */
  const char *args_schema;             /* JSON Schema of the args, or NULL */
} berth_descriptor;

typedef struct berth_entry {
  uint32_t size, abi_minor; /* as the library was compiled */
  uint32_t (*count)(void);  /* [any] how many plugins; no side effects */
  const berth_descriptor *(*describe)(uint32_t i);                        /* [any] NULL when out of range */
  berth_plugin *(*create)(const char *name, const berth_host *host);      /* [background] NULL = no such name; must not
                                                                             call the host yet */
  const void *(*extension)(const char *plugin_name, const char *id);      /* [any] tables that need no instance, or NULL */
} berth_entry;

/* [background] NULL = the host is too old for this library. */
BERTH_EXPORT const berth_entry *berth_entry_v1(uint32_t host_abi_minor);

/* Completes and checks args, before any instance exists. */
typedef struct berth_args_sink {
  uint32_t size, rsv;
  void *ctx;
  /* One error. path is relative to the args ("scoringStrategy.resources[0].weight"), "" for the args themselves. text is
   * Kubernetes' field error without the path: `Invalid value: 101: must be ...`, `Required value`, ... */
  void (*error)(void *ctx, berth_str path, berth_str text);
  void (*json)(void *ctx, berth_str text); /* the completed args as one JSON object; complete() calls it once */
} berth_args_sink;
#define BERTH_LIBRARY_ARGS "berth.library.args/1"
typedef struct berth_args {
  uint32_t size, rsv;
  /* [any] Both are side-effect free. host offers value/1 and selectors/1 only. args may be NULL. */
  void (*complete)(const berth_host *host, const berth_value *args, const berth_args_sink *sink); /* fills in defaults */
  void (*check)(const berth_host *host, const berth_value *args, const berth_args_sink *sink);    /* args are completed */
} berth_args;

/* BERTH_MANIFEST("{\"abi\":[1,2],...}") at file scope of one C file. C++ plugins get theirs from BERTH_PLUGIN. */
#define BERTH_NOTE_NAME "BERTH"
#define BERTH_NOTE_TYPE 1u
#define BERTH_MANIFEST(JSON)                                                                                    \
  __attribute__((section(".note.berth"), used, aligned(4))) static const struct {                               \
    uint32_t namesz, descsz, type;                                                                              \
    char name[8];                                                                                               \
    char desc[(sizeof(JSON) + 3u) & ~3u];                                                                       \
  } berth_manifest_note = {6u, (uint32_t)sizeof(JSON), BERTH_NOTE_TYPE, BERTH_NOTE_NAME, JSON}

#ifdef __cplusplus
}
#endif
#endif
