/* SPDX-License-Identifier: MIT */
/*
 * inside.h - what the files of the prover share. hooked.c says what is proven. Each file uses those
 * before it: program.c (the text), pads.c (where exceptions continue), state.c (what is known at a
 * place), operands.c (the text of an instruction), calls.c (accesses and hooks, and from one
 * function to another), execute.c (what an instruction changes), paths.c (all paths through a
 * function).
 */
#ifndef SIMT_VERIFY_INSIDE_H
#define SIMT_VERIFY_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, REGISTERS = 16, NONE = -1 };
enum { SLOTS = 1024, HOOKS = 48, READ = 1, WRITE = 2 };
enum { ANNOUNCED = 4 }; /* times READ or WRITE: what a call of the headers may touch */

#define ANY_NUMBER (1ull << 40) /* of bytes */

/* ---- program.c: the program's text ---- */

typedef struct state state_t;

typedef struct {
    uint64_t address, target; /* of a jump or call, or the address in objdump's comment */
    char op[16], args[96];
    const char *callee; /* "" if it is unknown, or if this is no call */
    bool leader;        /* a block begins here */
    bool hidden;        /* a path that the text does not show may lead here */
    uint64_t print;     /* of what was known here last time */
    state_t *before;    /* from the lines above */
    state_t *back;      /* from the lines below, the last time */
} line_t;

/* The function that is being examined. */
extern line_t *line;
extern int lines;
extern char function[1024];
extern uint64_t function_at;
extern bool in_glue; /* its accesses are allowed; its calls are checked */

typedef struct {
    uint64_t low;
    int count;
    unsigned char *byte;
} bytes_t;
extern bytes_t frames, tables; /* .eh_frame and .gcc_except_table */

void program_open(const char *map, char **trusted, int trusted_count); /* trusted: objects */
bool program_function(void); /* reads the next one; false if there is none */
bool is_constant(uint64_t address);
bool is_held(uint64_t address); /* may a pointer hold it? Known once all functions are read */

bool starts_with(const char *text, const char *with);
bool ends_with(const char *text, const char *with);
bool is_one_of(const char *text, const char *words); /* with a blank between */
bool starts_with_any(const char *text, const char *words);

extern int findings;
void finding(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *grown(void *list, int count, size_t bytes); /* room for one more, of so many bytes */

/* ---- pads.c ---- */

/* If a call from `from` to `to` throws an exception, it may continue at `pad`. */
typedef struct {
    uint64_t from, to, pad;
} site_t;
const site_t *sites_of(uint64_t low, uint64_t high, int *count); /* of the code from low to high */

/* ---- state.c: what is known at a place of the program ---- */

/* `unknown` is 0 for a plain number. `free_of_hooks`: an address in the stack or of a constant.
 * `bits`: it is below 2 to that power; 0: that is not known. `joined`: two paths to this place
 * disagree on it. `minus`: the unknown of which it is the negative, and which is 0 or 1. */
typedef struct {
    uint64_t unknown, number, minus;
    bool free_of_hooks;
    bool joined;
    unsigned char bits;
} value_t;

uint64_t mix(uint64_t a, uint64_t b);
value_t unknown(uint64_t a, uint64_t b);
value_t number(uint64_t n);
value_t sum(value_t a, value_t b, uint64_t times);
bool equal(value_t a, value_t b);
unsigned bits_of(value_t v);

/* Unknowns that have a meaning: the addresses of the stack, of thread-local memory, and what the
 * function has got in rdi. */
#define STACK 0x5ac0000000000001u
#define THREAD_LOCAL 0x7150000000000001u
#define RESULT 0x4e50000000000001u

/* Bytes that a hook has named and that no instruction has used yet. `behind`: so many right before
 * them are the hook's as well, and are used. */
typedef struct {
    value_t at;
    uint64_t bytes;
    int kind;
    uint64_t behind;
} hook_t;

struct state {
    bool reached;
    bool short_rdi; /* it has a number of 32 bits: no address, if the program is above 4 GiB */
    value_t reg[REGISTERS];
    /* Where an object has its pointer to virtual functions; their table is constant. */
    value_t vptr;
    int slots, hooks;
    hook_t hook[HOOKS];
    struct {
        int64_t at;
        int bytes;
        value_t value;
    } slot[SLOTS]; /* in order of their distance from the stack pointer at the start; last */
};

void state_copy(state_t *to, const state_t *from);
void slot_forget(state_t *s, int64_t at, int bytes);
void slot_set(state_t *s, int64_t at, int bytes, value_t value);
value_t slot_get(state_t *s, const line_t *l, int64_t at, int bytes);
void hook_add(state_t *s, value_t at, uint64_t bytes, int kind);
bool hook_use(state_t *s, value_t at, uint64_t bytes, int kind);
void merge(state_t *into, const state_t *from, uint64_t block);
void state_enter(state_t *s, uint64_t block);
void joins_forget(void);
extern bool joins_resolve; /* a block's unknown that came back to it is no value of its own */
uint64_t fingerprint(const state_t *s);

/* ---- operands.c ---- */

typedef struct {
    enum { NOTHING, IMMEDIATE, REGISTER, MEMORY } kind;
    int reg;    /* NONE for xmm and the like */
    int bytes;  /* of a register */
    value_t at; /* the immediate, or the address */
} operand_t;

int operands(const state_t *s, const line_t *l, operand_t *o);
int width(const line_t *l, const operand_t *o, int count);
int kind_of_last(const char *op, int count);
bool is_factor(const char *op, int count);
bool is_exchange(const char *op);

/* ---- calls.c ---- */

/* Accesses without a hook by the address that came in rdi: how far they reach from there. */
typedef struct {
    uint64_t reads, writes;
} reach_t;

extern reach_t place; /* of the function */
extern bool telling;  /* the last pass: what is known has not changed */
void check_access(state_t *s, const line_t *l, value_t at, uint64_t bytes, int kind);
void do_call(state_t *s, const line_t *l);
bool is_raw(const char *name);
void function_reaches(reach_t reach);
void examine_calls(void);

/* ---- execute.c ---- */

void execute(state_t *s, const line_t *l);

/* ---- paths.c ---- */

void examine(void);

#endif
