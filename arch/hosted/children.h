/*
 * Processes that tasks make. Processors and helpers block most signals (signals.h), and a new process or program
 * inherits what its creator blocks: it must get what the program blocks instead, the task itself included.
 * Instrumented code calls these functions in place of the C library's (ways.asm). A child of fork() has its mask from
 * host.c. A library that makes a process in another way than by fork() hands on the mask of the processor.
 */
#ifndef ARCH_HOSTED_CHILDREN_H
#define ARCH_HOSTED_CHILDREN_H

#include <spawn.h>
#include <stdio.h>

int hosted_posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const arguments[],
                       char *const environment[]);
int hosted_posix_spawnp(pid_t *child, const char *name, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[],
                        char *const environment[]);
int hosted_system(const char *command);
FILE *hosted_popen(const char *command, const char *mode);

int hosted_execve(const char *path, char *const arguments[], char *const environment[]);
int hosted_execv(const char *path, char *const arguments[]);
int hosted_execvp(const char *name, char *const arguments[]);
int hosted_execvpe(const char *name, char *const arguments[], char *const environment[]);
int hosted_fexecve(int descriptor, char *const arguments[], char *const environment[]);
int hosted_execl(const char *path, const char *first, ...);
int hosted_execlp(const char *name, const char *first, ...);
int hosted_execle(const char *path, const char *first, ...);

#endif
