/*
 * The part of QEMU's plug-in interface that the plug-ins here use, declared by hand, because distributions do not
 * ship the header. It is the same in all versions of the interface from 1 (QEMU 7) to 4 (QEMU 10).
 */
#ifndef INSTRUCTIONS_PLUGIN_H
#define INSTRUCTIONS_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLUGIN_EXPORT __attribute__((visibility("default")))

enum { PLUGIN_NO_REGISTERS = 0 };     /* which registers a callback uses */
enum { PLUGIN_READS_AND_WRITES = 3 }; /* the memory accesses that it is called for */

struct plugin_information;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

typedef uint64_t plugin_id;
typedef void (*plugin_executed)(unsigned processor, void *argument);
typedef uint32_t plugin_access;

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*)(plugin_id id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, plugin_executed, int touches,
                                          void *argument);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, plugin_executed, int touches,
                                            void *argument);
/* An atomic operation, which reads and writes at once, is one access that writes. */
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *,
                                      void (*)(unsigned processor, plugin_access access, uint64_t address,
                                               void *argument),
                                      int touches, int accesses, void *argument);
bool qemu_plugin_mem_is_store(plugin_access access);
unsigned qemu_plugin_mem_size_shift(plugin_access access);
/* A processor halts, and goes on. */
void qemu_plugin_register_vcpu_idle_cb(plugin_id id, void (*)(plugin_id id, unsigned processor));
void qemu_plugin_register_vcpu_resume_cb(plugin_id id, void (*)(plugin_id id, unsigned processor));
void qemu_plugin_register_atexit_cb(plugin_id id, void (*)(plugin_id id, void *argument), void *argument);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t number);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);

PLUGIN_EXPORT extern int qemu_plugin_version;
PLUGIN_EXPORT int qemu_plugin_install(plugin_id id, const struct plugin_information *, int count,
                                      char **arguments);

#endif
