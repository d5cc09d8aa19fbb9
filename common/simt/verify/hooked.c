/* SPDX-License-Identifier: MIT */
/*
 * hooked.c - reads objdump's output for a program that simtcc has built, and proves that no load or
 * store bypasses the hooks. hooked.sh runs it.
 *
 *   (objdump -hw PROGRAM; objdump -d -j .text --no-show-raw-insn PROGRAM) | hooked MAP [OBJECT...]
 *
 * MAP is what the linker writes with -Map: from which file each piece of the code comes. Code is
 * examined if it comes from an object file, other than a compiler's own (crt1.o) and those named
 * OBJECT, which are trusted. Code from an archive belongs to a library, even if it is linked
 * statically: the runtime's, the harness's, the C++ library's.
 *
 * What is proven, for each function and along each path through it: each byte that an instruction
 * reads or writes was named before by a hook of that kind, and no other instruction has used up
 * that hook. Exempt are the function's own stack, constants, and the memory for its result if the
 * caller has given some: each call of such a function must give a place in the caller's stack. A
 * call through a pointer may be a call of any such function, but for a virtual one whose first
 * argument is the object, and one whose first argument is a number of 32 bits: a program above
 * 4 GiB has no address like that. What the emulator's headers call after they have announced an
 * atomic (simt::raw) touches its first argument as well: each call of it must come after the
 * announcement of as many bytes. Trusted is that a called function leaves the caller's spilled
 * registers alone. x86-64 only.
 *
 * How: registers and stack slots hold values, and a value is a sum of unknowns and a number. The
 * sum of the unknowns is one hash, so equal addresses are equal numbers, however they were made.
 * Blocks are visited until nothing changes; where paths join, a value on which they do not agree
 * becomes an unknown of that place.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, REGISTERS = 16, NONE = -1 };
enum { SLOTS = 1024, HOOKS = 48, LINES = 1 << 16, READ = 1, WRITE = 2 };
enum { ANNOUNCED = 4 }; /* times READ or WRITE: what a call of the headers may touch */

/* ---- values ---- */

/* `unknown` is 0 for a plain number. `free_of_hooks`: an address in the stack or of a constant. */
typedef struct {
    uint64_t unknown, number;
    bool free_of_hooks;
} value_t;

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x7f4a7c15f39cc060u);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (x ^ x >> 31) | 1;
}
static value_t unknown(uint64_t a, uint64_t b)
{
    return (value_t){mix(a, b), 0, false};
}
static value_t number(uint64_t n)
{
    return (value_t){0, n, false};
}
static value_t sum(value_t a, value_t b, uint64_t times)
{
    const bool difference = times == (uint64_t)-1; /* of two places in the stack: a number */
    return (value_t){a.unknown + times * b.unknown, a.number + times * b.number,
                     difference ? a.free_of_hooks && !b.free_of_hooks
                                : a.free_of_hooks || (times == 1 && b.free_of_hooks)};
}
static bool equal(value_t a, value_t b)
{
    return a.unknown == b.unknown && a.number == b.number && a.free_of_hooks == b.free_of_hooks;
}

/* ---- what is known at a place of the program ---- */

/* Bytes that a hook has named and that no instruction has used yet. */
typedef struct {
    value_t at;
    uint64_t bytes;
    int kind;
} hook_t;

typedef struct {
    bool reached;
    bool short_rdi; /* it has a number of 32 bits: no address, if the program is above 4 GiB */
    value_t reg[REGISTERS];
    int slots, hooks;
    struct {
        int64_t at;
        int bytes;
        value_t value;
    } slot[SLOTS]; /* of 8 bytes, by their distance from the stack pointer at the start */
    hook_t hook[HOOKS];
    value_t
        vptr; /* where an object has its pointer to virtual functions; their table is constant */
} state_t;

typedef struct {
    uint64_t address, target; /* of a jump or call, or the address in objdump's comment */
    char op[16], args[96], callee[256];
    bool leader;     /* a block begins here */
    bool hidden;     /* no path that the text shows leads here */
    uint64_t print;  /* of what was known here last time */
    state_t *before; /* from the lines above */
    state_t *back;   /* from the lines below, the last time */
} line_t;

static line_t line[LINES];
static int lines;
static char function[1024];
static bool returns_place; /* this function returns the address that it got in rdi */
static const uint64_t stack_unknown = 0x5ac0000000000001u, tls_unknown = 0x7150000000000001u,
                      result_unknown = 0x4e50000000000001u;

/* ---- names and sections ---- */

static struct {
    uint64_t low, high;
} constant[64];
static int constants;

static bool is_constant(uint64_t address)
{
    for (int i = 0; i < constants; i++)
        if (address - constant[i].low < constant[i].high - constant[i].low)
            return true;
    return false;
}

/* ---- operands ---- */

typedef struct {
    enum { NOTHING, IMMEDIATE, REGISTER, MEMORY } kind;
    int reg;    /* NONE for xmm and the like */
    int bytes;  /* of a register */
    value_t at; /* the immediate, or the address */
} operand_t;

static int register_number(const char *name, int *bytes)
{
    static const char *const old[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    const size_t n = strlen(name);
    if (name[0] == 'r' && isdigit((unsigned char)name[1])) {
        const char last = name[n - 1];
        *bytes = last == 'd' ? 4 : last == 'w' ? 2 : last == 'b' ? 1 : 8;
        return atoi(name + 1);
    }
    for (int i = 0; i < 8; i++) {
        const char *p = strstr(name, old[i]);
        if (p && p[2] == '\0' && p - name < 2) {
            *bytes = p == name ? 2 : name[0] == 'r' ? 8 : 4;
            return i;
        }
        if (n >= 2 && n <= 3 && name[0] == old[i][0] && strchr("lh", name[n - 1]) &&
            (n == 2 ? i < 4 && name[1] != 'p' : name[1] == old[i][1])) {
            *bytes = 1;
            return i;
        }
    }
    *bytes = 16;
    return NONE;
}

static value_t reg_value(const state_t *s, const char *name)
{
    int bytes;
    const int r = register_number(name, &bytes);
    return r == NONE ? number(0) : s->reg[r];
}

/* "%fs:-0x8(%rax,%rbx,4)"; an address relative to rip is in objdump's comment. */
static value_t address_of(const state_t *s, const line_t *l, const char *text)
{
    char base[16] = "", index[16] = "";
    value_t at = number(0);
    if (strncmp(text, "%fs:", 4) == 0)
        at = (value_t){tls_unknown, 0, false};
    text = *text == '%' && strchr(text, ':') ? strchr(text, ':') + 1 : text;
    if (strstr(text, "(%rip)")) {
        at.number = l->target;
        at.free_of_hooks = is_constant(l->target);
        return at;
    }
    at.number += strtoull(text, NULL, 16) * (*text != '-');
    if (*text == '-')
        at.number -= strtoull(text + 1, NULL, 16);
    const char *open = strchr(text, '(');
    unsigned scale = 1;
    if (!open)
        return at;
    if (open[1] == '%')
        sscanf(open, "(%%%15[a-z0-9],%%%15[a-z0-9],%u", base, index, &scale);
    else
        sscanf(open, "(,%%%15[a-z0-9],%u", index, &scale);
    if (*base)
        at = sum(at, reg_value(s, base), 1);
    if (*index && strcmp(index, "riz") != 0)
        at = sum(at, reg_value(s, index), scale);
    return at;
}

static operand_t operand(const state_t *s, const line_t *l, const char *text)
{
    operand_t o = {.kind = NOTHING, .reg = NONE};
    if (*text == '*')
        text++;
    if (*text == '$')
        return (operand_t){.kind = IMMEDIATE,
                           .reg = NONE,
                           .at = number(text[1] == '-' ? -strtoull(text + 2, NULL, 16)
                                                       : strtoull(text + 1, NULL, 16))};
    if (*text == '%' && !strchr(text, ':')) {
        o.kind = REGISTER;
        o.reg = register_number(text + 1, &o.bytes);
    } else if (strchr(text, '(') || strchr(text, ':')) {
        o.kind = MEMORY;
        o.at = address_of(s, l, text);
    }
    return o;
}

/* Cuts "a,b(c,d),e" into operands. */
static int operands(const state_t *s, const line_t *l, operand_t *o)
{
    char text[96];
    int count = 0, depth = 0;
    strcpy(text, l->args);
    for (char *start = text, *p = text; *start && count < 4; p++) {
        depth += (*p == '(') - (*p == ')');
        if (*p != '\0' && (*p != ',' || depth > 0))
            continue;
        const bool end = *p == '\0';
        *p = '\0';
        o[count++] = operand(s, l, start);
        if (end)
            break;
        start = p + 1;
    }
    return count;
}

/* ---- accesses ---- */

static int findings;
static bool in_glue; /* its accesses are allowed; its calls are checked */
static bool telling; /* the last pass: what is known has not changed */

/* Accesses without a hook by the address that came in rdi: how far they reach from there. */
typedef struct {
    uint64_t reads, writes;
} reach_t;
static reach_t place; /* of this function */

/* Calls that give a function an address that may be anywhere, and what was announced there. */
typedef struct {
    char *caller, *callee; /* "": through a pointer */
    uint64_t address;
    bool own_place; /* it is so many bytes into the place of the caller's own result */
    uint64_t offset;
    reach_t announced;
} call_t;
static call_t *calls;
static int call_count;

/* The functions that do so, or that pass the address on to one: by this call. */
typedef struct {
    char *name;
    reach_t reach;
    const call_t *by; /* NULL: the function itself */
} placed_t;
static placed_t *placed;
static int placed_count;

static void report(const line_t *l, const char *what)
{
    if (!telling || in_glue)
        return;
    findings++;
    printf("%s: 0x%llx: %s %s: %s\n", function, (unsigned long long)l->address, l->op, l->args,
           what);
}

/* Takes `bytes` from `at` on out of the hooks of this kind. False if a byte is in none. */
static bool use_hook(state_t *s, value_t at, uint64_t bytes, int kind)
{
    for (int i = 0; i < s->hooks; i++) {
        hook_t *h = &s->hook[i];
        const uint64_t from = at.number - h->at.number;
        if (h->kind != kind || h->at.unknown != at.unknown || from >= h->bytes)
            continue;
        const hook_t old = *h;
        const uint64_t used = bytes < old.bytes - from ? bytes : old.bytes - from;
        *h = s->hook[--s->hooks];
        if (from > 0)
            s->hook[s->hooks++] = (hook_t){old.at, from, kind};
        if (from + used < old.bytes && s->hooks < HOOKS)
            s->hook[s->hooks++] =
                (hook_t){sum(old.at, number(from + used), 1), old.bytes - from - used, kind};
        at.number += used;
        bytes -= used;
        return bytes == 0 || use_hook(s, at, bytes, kind);
    }
    return false;
}

static void access(state_t *s, const line_t *l, value_t at, uint64_t bytes, int kind)
{
    for (int k = READ; k <= WRITE; k++) {
        if (!(kind & k) || at.free_of_hooks || use_hook(s, at, bytes, k))
            continue;
        uint64_t *const far = k == READ ? &place.reads : &place.writes;
        if (at.unknown == result_unknown)
            *far = !in_glue && at.number + bytes > *far ? at.number + bytes : *far;
        else
            report(l, k == READ ? "a load without a hook" : "a store without a hook");
    }
}

static void slot_forget(state_t *s, int64_t at, int bytes)
{
    for (int i = 0; i < s->slots; i++)
        if (s->slot[i].at < at + bytes && at < s->slot[i].at + s->slot[i].bytes)
            s->slot[i--] = s->slot[--s->slots];
}

static int slot_find(const state_t *s, int64_t at, int bytes, int likely)
{
    if (likely < s->slots && s->slot[likely].at == at && s->slot[likely].bytes == bytes)
        return likely;
    for (int i = 0; i < s->slots; i++)
        if (s->slot[i].at == at && s->slot[i].bytes == bytes)
            return i;
    return NONE;
}

static void slot_set(state_t *s, int64_t at, int bytes, value_t value)
{
    slot_forget(s, at, bytes);
    if (s->slots < SLOTS && (bytes == 4 || bytes == 8)) {
        s->slot[s->slots].at = at;
        s->slot[s->slots].bytes = bytes;
        s->slot[s->slots++].value = value;
    }
}

static value_t slot_get(state_t *s, const line_t *l, int64_t at, int bytes)
{
    const int known = slot_find(s, at, bytes, 0);
    if (known != NONE)
        return s->slot[known].value;
    const value_t v = unknown(l->address, (uint64_t)at);
    slot_set(s, at, bytes, v);
    return v;
}

/* ---- instructions ---- */

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    const size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

/* The width of a memory operand, by the instruction's name or by the register beside it. */
static int width(const line_t *l, const operand_t *o, int count)
{
    const char *op = l->op;
    const char last = op[strlen(op) - 1];
    if (*op == 'f') /* x87 */
        return last == 't'                                   ? 10
               : starts(op, "fi")                            ? (last == 's'      ? 2
                                                                : ends(op, "ll") ? 8
                                                                                 : 4)
               : starts(op, "fldcw") || starts(op, "fnstcw") ? 2
               : last == 'l'                                 ? 8
                                                             : 4;
    if (starts(op, "movz") || starts(op, "movs")) /* movzbl, movswq, movslq; not movss, movsd */
        if (strchr("bwl", op[4]) && strlen(op) == 6)
            return op[4] == 'b' ? 1 : op[4] == 'w' ? 2 : 4;
    if (starts(op, "set"))
        return 1;
    if (starts(op, "call") || starts(op, "jmp") || starts(op, "push") || starts(op, "pop"))
        return 8;
    if (starts(op, "cvtsi2"))
        return last == 'q' ? 8 : 4;
    if (starts(op, "cvtss2") || starts(op, "cvttss2"))
        return 4;
    if (starts(op, "cvtps2pd") || starts(op, "movlp") || starts(op, "movhp") || ends(op, "sd") ||
        ends(op, "sd2ss") || ends(op, "sd2si") || strcmp(op, "movq") == 0)
        return 8;
    if (ends(op, "ss") || strcmp(op, "movd") == 0)
        return 4;
    for (int i = 0; i < count; i++)
        if (o[i].kind == REGISTER && o[i].reg != NONE && !starts(op, "sh") && !starts(op, "sa") &&
            !starts(op, "ro"))
            return o[i].bytes;
    for (int i = 0; i < count; i++)
        if (o[i].kind == REGISTER && o[i].reg == NONE)
            return 16;
    return last == 'b' ? 1 : last == 'w' ? 2 : last == 'l' ? 4 : 8;
}

/* What an instruction does with its last operand. */
static int kind_of_last(const char *op, int count)
{
    static const char *const readers[] = {"cmp",  "test", "push", "call", "jmp",  "ucomis", "comis",
                                          "bt",   "mul",  "div",  "imul", "idiv", "fld",    "fild",
                                          "fadd", "fmul", "fsub", "fdiv", "fcom", "fucom"};
    if (starts(op, "mov") || starts(op, "set") || starts(op, "pop") || starts(op, "fst") ||
        starts(op, "fist") || starts(op, "fnst"))
        return WRITE;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (starts(op, readers[i]) && !(starts(op, "bt") && strchr("src", op[2]) && op[2]))
            return READ;
    (void)count;
    return READ | WRITE;
}

/* The value that lands in a register; the same operation on the same values gives the same. */
static value_t computed(state_t *s, const line_t *l, const operand_t *o, int count)
{
    const operand_t *to = &o[count - 1], *from = &o[0];
    const value_t fresh = unknown(l->address, (uint64_t)to->reg);
    const char *op = l->op;
    value_t a = number(0), b = s->reg[to->reg];
    const int bytes = starts(op, "movslq") || starts(op, "movabs") ? 8 : to->bytes;
    if (from->kind == MEMORY && !starts(op, "lea")) {
        const int w = width(l, o, count);
        if (from->at.unknown == 0 && from->at.free_of_hooks) /* a constant: always the same */
            a = unknown(from->at.number, 2);
        else if (from->at.unknown != stack_unknown || (w != 8 && w != 4))
            a = unknown(l->address, 1);
        else
            a = slot_get(s, l, (int64_t)from->at.number, w);
        a.free_of_hooks |= w == 8 && equal(from->at, s->vptr);
    } else if (from->kind == REGISTER) {
        if (from->reg == NONE)
            return fresh;
        a = s->reg[from->reg];
    } else {
        a = from->at;
    }
    const uint64_t hash_a = a.unknown ? mix(a.unknown, a.number) : mix(1, a.number);
    const uint64_t hash_b = b.unknown ? mix(b.unknown, b.number) : mix(1, b.number);
    if (starts(op, "movslq"))
        return a.unknown ? unknown(hash_a, 33) : number((uint64_t)(int64_t)(int32_t)a.number);
    if (starts(op, "xor") && from->kind == REGISTER && from->reg == to->reg)
        return number(0);
    if (bytes == 4) { /* the upper half becomes 0 */
        if (strcmp(op, "mov") == 0 || starts(op, "movl"))
            return a.unknown ? unknown(hash_a, 32) : number((uint32_t)a.number);
        if (starts(op, "lea"))
            return unknown(hash_a, 34);
        if (count == 2 && (starts(op, "add") || starts(op, "sub") || starts(op, "and") ||
                           starts(op, "shl") || starts(op, "shr") || starts(op, "or")))
            return unknown(mix(hash_a, hash_b), (uint64_t)(op[0] * 256 + op[2]));
        return fresh;
    }
    if (bytes != 8)
        return fresh;
    if (strcmp(op, "mov") == 0 || starts(op, "movabs") || starts(op, "movq") || starts(op, "lea"))
        return a;
    if (starts(op, "add"))
        return sum(b, a, 1);
    if (starts(op, "sub"))
        return sum(b, a, (uint64_t)-1);
    if (starts(op, "neg"))
        return sum(number(0), b, (uint64_t)-1);
    if (starts(op, "shl") && count == 2 && from->kind == IMMEDIATE)
        return sum(number(0), b, 1ull << (a.number & 63));
    if (starts(op, "and") && b.free_of_hooks)
        return (value_t){fresh.unknown, 0, true};
    if (starts(op, "imul") && count == 3 && from->kind == IMMEDIATE && o[1].kind == REGISTER)
        return sum(number(0), s->reg[o[1].reg], a.number);
    if (starts(op, "and") || starts(op, "or") || starts(op, "shr") || starts(op, "sar"))
        return unknown(mix(hash_a, hash_b), (uint64_t)(op[0] * 256 + op[2]));
    return fresh;
}

static void hook_add(state_t *s, value_t at, uint64_t bytes, int kind)
{
    if (s->hooks < HOOKS && !at.free_of_hooks)
        s->hook[s->hooks++] = (hook_t){at, bytes, kind};
}

/* A call of one of the hooks: true. */
static bool is_hook(state_t *s, const char *name)
{
    if (!starts(name, "__tsan_"))
        return false;
    name += starts(name + 7, "unaligned_") ? 17 : 7;
    name += starts(name, "volatile_") ? 9 : 0;
    const int kind = starts(name, "read") ? READ : WRITE;
    const char *bytes = name + (kind == READ ? 4 : 5);
    const value_t length = s->reg[RSI];
    if (starts(name, "vptr_r"))
        s->vptr = s->reg[RDI];
    if (starts(name, "vptr_"))
        hook_add(s, s->reg[RDI], 8, starts(name, "vptr_r") ? READ : WRITE);
    else if (starts(name, "read") || starts(name, "write"))
        hook_add(s, s->reg[RDI],
                 *bytes == '_' ? (length.unknown ? 1ull << 40 : length.number)
                               : (uint64_t)atoi(bytes),
                 kind);
    return true;
}

/* Announces an access that a call of the headers makes next: true. */
static bool is_announcement(state_t *s, const char *name)
{
    static const struct {
        const char *name;
        int kinds;
    } all[] = {{"simt_atomic", READ | WRITE},
               {"simt_block_atomic", READ | WRITE},
               {"simt_strong_load", READ},
               {"simt_strong_store", WRITE},
               {"simt_post", WRITE}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(name, all[i].name) != 0)
            continue;
        const value_t bytes = s->reg[RSI];
        s->hooks = 0;
        for (int kind = READ; kind <= WRITE && !bytes.unknown; kind++)
            if (all[i].kinds & kind)
                hook_add(s, s->reg[RDI], bytes.number, ANNOUNCED * kind);
        return true;
    }
    return false;
}

/* How many bytes from `at` on were announced. */
static uint64_t announced(const state_t *s, value_t at, int kind)
{
    uint64_t far = 0;
    for (int i = 0; i < s->hooks; i++) {
        const uint64_t from = at.number - s->hook[i].at.number;
        if (s->hook[i].kind == ANNOUNCED * kind && s->hook[i].at.unknown == at.unknown &&
            from < s->hook[i].bytes && s->hook[i].bytes - from > far)
            far = s->hook[i].bytes - from;
    }
    return far;
}

/* A member of the headers that touches what was announced. */
static bool is_raw(const char *name)
{
    return starts(name, "_ZN4simt3raw") || starts(name, "_ZN4simt10narrow_raw");
}

static bool is_through_pointer(const char *callee)
{
    return !*callee || starts(callee, "__x86_indirect_thunk");
}

/* A virtual function gets its object first, unless it returns a struct. */
static bool is_method(const state_t *s)
{
    return equal(s->reg[RDI], s->vptr) && !equal(s->reg[RSI], s->vptr);
}

static void record_call(const state_t *s, const line_t *l)
{
    const bool through_pointer = is_through_pointer(l->callee);
    const value_t to = s->reg[RDI];
    if (!telling || to.free_of_hooks || (through_pointer && (is_method(s) || s->short_rdi)))
        return;
    calls = realloc(calls, (size_t)(call_count + 1) * sizeof *calls);
    calls[call_count++] = (call_t){.caller = strdup(function),
                                   .callee = strdup(through_pointer ? "" : l->callee),
                                   .address = l->address,
                                   .own_place = to.unknown == result_unknown,
                                   .offset = to.number,
                                   .announced = {announced(s, to, READ), announced(s, to, WRITE)}};
}

static void do_call(state_t *s, const line_t *l)
{
    const bool hook = is_hook(s, l->callee) || is_announcement(s, l->callee);
    if (strcmp(l->callee, "memcpy") == 0 || strcmp(l->callee, "memmove") == 0 ||
        strcmp(l->callee, "memset") == 0) {
        const value_t n = s->reg[RDX];
        const uint64_t bytes = n.unknown ? 1ull << 40 : n.number;
        access(s, l, s->reg[RDI], bytes, WRITE);
        if (l->callee[3] != 's')
            access(s, l, s->reg[RSI], bytes, READ);
    } else if (!hook) {
        record_call(s, l);
    }
    static const int lost[] = {RAX, RCX, RDX, RSI, RDI, R8, R8 + 1, R8 + 2, R8 + 3};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        s->reg[lost[i]] = unknown(l->address, (uint64_t)lost[i]);
    s->short_rdi = false;
    if (hook)
        return;
    s->vptr = unknown(l->address, 3);
    if (!is_raw(l->callee))
        s->hooks = 0;
}

/* A repeated move may begin with a few words apart, so that its address is not known here. It takes
 * the rest of the last hook of a range. */
static void access_range(state_t *s, const line_t *l, value_t at, int kind)
{
    for (int i = s->hooks - 1; i >= 0 && !at.free_of_hooks; i--)
        if (s->hook[i].kind == kind && s->hook[i].bytes > 16) {
            s->hook[i] = s->hook[--s->hooks];
            return;
        }
    access(s, l, at, 1ull << 40, kind);
}

/* movs and stos, once or rcx times. */
static void do_string(state_t *s, const line_t *l, bool moves, int bytes)
{
    const bool repeated = starts(l->op, "rep");
    if (repeated) {
        access_range(s, l, s->reg[RDI], WRITE);
        if (moves)
            access_range(s, l, s->reg[RSI], READ);
    } else {
        access(s, l, s->reg[RDI], (uint64_t)bytes, WRITE);
        if (moves)
            access(s, l, s->reg[RSI], (uint64_t)bytes, READ);
    }
    const value_t n = s->reg[RCX];
    const value_t all = !repeated   ? number((uint64_t)bytes)
                        : n.unknown ? unknown(l->address, RCX)
                                    : number(n.number * (uint64_t)bytes);
    s->reg[RDI] = sum(s->reg[RDI], all, 1);
    if (moves)
        s->reg[RSI] = sum(s->reg[RSI], all, 1);
    if (repeated)
        s->reg[RCX] = number(0);
}

/* Whether rdi is written, and as a number of 32 bits. */
static void follow_rdi(state_t *s, const char *op, const operand_t *o, int count)
{
    const bool writes = kind_of_last(op, count) != READ || (starts(op, "imul") && count > 1);
    for (int i = 0; i < count && writes; i++)
        if (o[i].kind == REGISTER && o[i].reg == RDI && (i == count - 1 || starts(op, "xchg")))
            s->short_rdi = o[i].bytes == 4 && i == count - 1 && !starts(op, "xchg");
}

static void execute(state_t *s, const line_t *l)
{
    operand_t o[4];
    const char *op = l->op;
    if (starts(op, "nop") || starts(op, "endbr") || starts(op, "data16") || starts(op, "cs") ||
        starts(op, "prefetch") || starts(op, "xchg   %ax"))
        return;
    if (strstr(l->args, "%es:(%rdi)")) {
        const char *const word = strstr(l->args, "%ds:(%rsi)");
        const char last = op[strlen(op) - 1];
        const int bytes = strstr(l->args, "%rax") || last == 'q'  ? 8
                          : strstr(l->args, "%al") || last == 'b' ? 1
                          : strstr(l->args, "%ax") || last == 'w' ? 2
                                                                  : 4;
        do_string(s, l, word != NULL, bytes);
        return;
    }
    const int count = operands(s, l, o);
    follow_rdi(s, op, o, count);
    if (starts(l->args, "%fs:0x0,%r") && count == 2) { /* the address of all thread-local memory */
        s->reg[o[1].reg] = (value_t){tls_unknown, 0, false};
        return;
    }
    const operand_t *last = &o[count ? count - 1 : 0];
    for (int i = 0; i < count; i++)
        if (o[i].kind == MEMORY && !starts(op, "lea")) {
            const int w = width(l, o, count);
            if (o[i].at.unknown == tls_unknown && (o[i].at.number == 0 || o[i].at.number == 0x28))
                continue; /* the system's own: its address, the guard of the stack */
            access(s, l, o[i].at, (uint64_t)w, i < count - 1 ? READ : kind_of_last(op, count));
        }
    if (starts(op, "call")) {
        do_call(s, l);
    } else if (starts(op, "push")) {
        s->reg[RSP] = sum(s->reg[RSP], number(-8ull), 1);
        if (s->reg[RSP].unknown == stack_unknown)
            slot_set(s, (int64_t)s->reg[RSP].number, 8,
                     o[0].kind == REGISTER && o[0].reg != NONE ? s->reg[o[0].reg]
                                                               : unknown(l->address, 2));
    } else if (starts(op, "pop")) {
        if (o[0].kind == REGISTER && s->reg[RSP].unknown == stack_unknown)
            s->reg[o[0].reg] = slot_get(s, l, (int64_t)s->reg[RSP].number, 8);
        s->reg[RSP] = sum(s->reg[RSP], number(8), 1);
    } else if (starts(op, "leave")) {
        s->reg[RSP] = s->reg[RBP];
        s->reg[RBP] = slot_get(s, l, (int64_t)s->reg[RSP].number, 8);
        s->reg[RSP] = sum(s->reg[RSP], number(8), 1);
    } else if (starts(op, "cqto") || starts(op, "cltd") || starts(op, "cwtd")) {
        s->reg[RDX] = unknown(l->address, RDX);
    } else if (starts(op, "cltq")) {
        const value_t a = s->reg[RAX];
        s->reg[RAX] = a.unknown ? unknown(mix(a.unknown, a.number), 33)
                                : number((uint64_t)(int64_t)(int32_t)a.number);
    } else if (count == 1 && (starts(op, "mul") || starts(op, "div") || starts(op, "imul") ||
                              starts(op, "idiv"))) {
        s->reg[RAX] = unknown(l->address, RAX);
        s->reg[RDX] = unknown(l->address, RDX);
    } else if (starts(op, "cmpxchg")) {
        s->reg[RAX] = unknown(l->address, RAX);
    } else if (starts(op, "cmp") || starts(op, "test") || *op == 'j' || starts(op, "bt")) {
        return;
    } else if (count > 0 && last->kind == REGISTER && last->reg != NONE) {
        if (starts(op, "xchg") && o[0].kind == REGISTER && o[0].reg != NONE) {
            const value_t a = s->reg[o[0].reg];
            s->reg[o[0].reg] = s->reg[last->reg];
            s->reg[last->reg] = a;
        } else {
            s->reg[last->reg] = computed(s, l, o, count);
        }
    } else if (count > 0 && last->kind == MEMORY && last->at.unknown == stack_unknown) {
        const int w = width(l, o, count);
        const bool plain = strcmp(op, "mov") == 0 && o[0].kind == REGISTER && o[0].reg != NONE;
        const bool constant_used = o[0].kind == IMMEDIATE;
        const bool constant_moved = starts(op, "mov") && constant_used;
        const int64_t at = (int64_t)last->at.number;
        if (plain || constant_moved)
            slot_set(s, at, w, plain ? s->reg[o[0].reg] : o[0].at);
        else if (w == 8 && (constant_used || o[0].reg != NONE) &&
                 (starts(op, "add") || starts(op, "sub")))
            slot_set(s, at, w,
                     sum(slot_get(s, l, at, w), constant_used ? o[0].at : s->reg[o[0].reg],
                         *op == 's' ? (uint64_t)-1 : 1));
        else
            slot_forget(s, at, w);
    }
}

/* ---- paths ---- */

/* The values on which two paths do not agree where they join. */
typedef struct {
    int count;
    struct {
        value_t old, from, *into;
        value_t fresh;
    } item[REGISTERS + SLOTS];
} meeting_t;

static void compare(meeting_t *m, value_t *into, value_t from, uint64_t block, uint64_t name)
{
    if (equal(*into, from))
        return;
    m->item[m->count].old = *into;
    m->item[m->count].from = from;
    m->item[m->count].into = into;
    m->item[m->count++].fresh = unknown(block, name);
}

/* Each becomes an unknown. One that on both paths is as many times another, and as much more, still
 * is: it becomes that many times the other's unknown, and as much more. So p + i and p + j are
 * known to stay as far apart as a loop that counts i and j keeps them, by a number or a stride. */
static void meet(meeting_t *m)
{
    for (int v = 0; v < m->count; v++) {
        const value_t old = m->item[v].old, from = m->item[v].from;
        value_t met = m->item[v].fresh;
        for (uint64_t times = 16; times >= 1; times /= 2) {
            value_t more = number(0);
            int i = 0;
            for (; i < m->count; i++) {
                more = sum(old, m->item[i].old, -times);
                const value_t there = sum(from, m->item[i].from, -times);
                if (more.unknown == there.unknown && more.number == there.number)
                    break;
            }
            if (i == m->count)
                continue;
            met = sum(more, m->item[i].fresh, times);
            break;
        }
        met.free_of_hooks = old.free_of_hooks && from.free_of_hooks;
        *m->item[v].into = met;
    }
}

/* Adds what is known on one more path to a block to what is known on the others. Of hooks, those
 * count that were called on each. */
static void merge(state_t *into, const state_t *from, uint64_t block)
{
    static meeting_t m;
    m.count = 0;
    if (!into->reached) {
        *into = *from;
        return;
    }
    for (int r = 0; r < REGISTERS; r++)
        compare(&m, &into->reg[r], from->reg[r], block, (uint64_t)r);
    for (int i = 0; i < into->slots; i++) {
        const int k = slot_find(from, into->slot[i].at, into->slot[i].bytes, i);
        if (k == NONE)
            into->slot[i--] = into->slot[--into->slots];
        else
            compare(&m, &into->slot[i].value, from->slot[k].value, block,
                    (uint64_t)into->slot[i].at + 1000);
    }
    meet(&m);
    into->short_rdi &= from->short_rdi;
    if (!equal(into->vptr, from->vptr))
        into->vptr = unknown(block, 2);
    for (int i = 0; i < into->hooks; i++) {
        const hook_t *h = &into->hook[i];
        int k = 0;
        while (k < from->hooks &&
               (!equal(from->hook[k].at, h->at) || from->hook[k].bytes != h->bytes ||
                from->hook[k].kind != h->kind))
            k++;
        if (k == from->hooks)
            into->hook[i--] = into->hook[--into->hooks];
    }
}

static uint64_t fingerprint(const state_t *s)
{
    uint64_t print = mix((uint64_t)s->slots, (uint64_t)s->hooks);
    for (int r = 0; r < REGISTERS; r++)
        print = mix(print, s->reg[r].unknown ^ s->reg[r].number ^ s->reg[r].free_of_hooks);
    for (int i = 0; i < s->slots; i++)
        print = mix(print, s->slot[i].value.unknown ^ s->slot[i].value.number ^
                               s->slot[i].value.free_of_hooks);
    for (int i = 0; i < s->hooks; i++)
        print = mix(print, s->hook[i].at.unknown ^ s->hook[i].at.number);
    return print;
}

static line_t *line_at(uint64_t address)
{
    int low = 0, high = lines - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (line[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return lines && line[low].address == address ? &line[low] : NULL;
}

static bool ends_path(const line_t *l)
{
    static const char *const no_return[] = {"__ubsan_handle_out",
                                            "_Unwind_Resume",
                                            "simt_thread_end",
                                            "exit",
                                            "abort",
                                            "__assert_fail",
                                            "__cxa_throw",
                                            "__cxa_rethrow",
                                            "__stack_chk_fail",
                                            "__cxa_bad_cast",
                                            "_exit",
                                            "_Exit",
                                            "longjmp",
                                            "__longjmp_chk"};
    if (starts(l->op, "jmp") || starts(l->op, "ret") || starts(l->op, "ud2") ||
        starts(l->op, "hlt"))
        return true;
    for (size_t i = 0; i < sizeof no_return / sizeof *no_return; i++)
        if (starts(l->callee, no_return[i]))
            return true;
    return strstr(l->callee, "__throw_") != NULL;
}

static void find_blocks(void)
{
    line[0].leader = true;
    for (int i = 0; i < lines; i++) {
        line_t *to = *line[i].op == 'j' ? line_at(line[i].target) : NULL;
        if (to)
            to->leader = true;
        if (to && to <= &line[i] && !to->back)
            to->back = calloc(1, sizeof *to->back);
        if (i + 1 < lines && (*line[i].op == 'j' || ends_path(&line[i])))
            line[i + 1].leader = true;
    }
    for (int i = 0; i < lines; i++)
        if (line[i].leader)
            line[i].before = calloc(1, sizeof *line[i].before);
}

/* What is known at the start of a block, by all paths. */
static bool enter(line_t *l, state_t *now, const state_t *elsewhere)
{
    state_t *s = l->before;
    if (now->reached)
        merge(s, now, l->address);
    if (l->back && l->back->reached)
        merge(s, l->back, l->address);
    if (l->hidden && elsewhere->reached)
        merge(s, elsewhere, l->address);
    *now = *s;
    const uint64_t print = now->reached ? fingerprint(now) : 0;
    const bool changed = print != l->print;
    l->print = print;
    s->reached = false;
    if (l->back)
        l->back->reached = false;
    return changed;
}

/* One time through all lines. `elsewhere` takes what is known if control may continue at a place
 * that the text does not show: after a jump by table, or when a call throws an exception. */
static bool pass(const state_t *first, state_t *elsewhere)
{
    static state_t now, next;
    bool changed = false;
    next.reached = false;
    now = *first;
    for (int i = 0; i < lines; i++) {
        line_t *l = &line[i];
        if (l->leader)
            changed |= enter(l, &now, elsewhere);
        if (!now.reached)
            continue;
        execute(&now, l);
        line_t *to = *l->op == 'j' ? line_at(l->target) : NULL;
        if (to)
            merge(to <= l ? to->back : to->before, &now, to->address);
        else if (*l->op == 'j' || starts(l->op, "call"))
            merge(&next, &now, 1);
        if (starts(l->op, "ret"))
            returns_place &= now.reg[RAX].unknown == result_unknown && now.reg[RAX].number == 0;
        if (ends_path(l))
            now.reached = false;
    }
    *elsewhere = next;
    return changed;
}

/* Adds a function, or what it does more. False if that was known. */
static bool placed_add(const char *name, reach_t reach, const call_t *by)
{
    int i = 0;
    while (i < placed_count && strcmp(placed[i].name, name) != 0)
        i++;
    if (i == placed_count) {
        placed = realloc(placed, (size_t)(placed_count + 1) * sizeof *placed);
        placed[placed_count++] = (placed_t){strdup(name), {0, 0}, by};
    }
    reach_t *const r = &placed[i].reach;
    if (r->reads + r->writes > 1ull << 40) /* a function that calls itself further on */
        return false;
    const bool more = reach.reads > r->reads || reach.writes > r->writes;
    r->reads = reach.reads > r->reads ? reach.reads : r->reads;
    r->writes = reach.writes > r->writes ? reach.writes : r->writes;
    return more;
}

static void examine(void)
{
    static state_t first, elsewhere;
    if (lines == 0)
        return;
    find_blocks();
    first = (state_t){.reached = true};
    elsewhere = (state_t){.reached = false};
    for (int r = 0; r < REGISTERS; r++)
        first.reg[r] = unknown(0xabc, (uint64_t)r);
    first.reg[RSP] = (value_t){stack_unknown, 0, true};
    first.reg[RDI] = (value_t){result_unknown, 0, false};
    telling = false;
    for (bool again = true, hidden = false; again || !hidden;) {
        for (int turn = 0; again && turn < 100; turn++)
            again = pass(&first, &elsewhere);
        for (int i = 0; !hidden && i < lines; i++)
            again |= line[i].hidden = line[i].leader && !line[i].print;
        if (hidden)
            break;
        hidden = true;
    }
    telling = returns_place = true;
    place = (reach_t){0, 0};
    pass(&first, &elsewhere);
    if (place.reads + place.writes > 0 && !returns_place && !is_raw(function)) {
        findings++;
        printf("%s: an access without a hook, by its first argument\n", function);
    }
    if (place.reads + place.writes > 0)
        placed_add(function, place, NULL);
    for (int i = 0; i < lines; i++) {
        free(line[i].before);
        free(line[i].back);
    }
}

/* What a call may do with the address in rdi that was not announced: the most of what its callee
 * does, or through a pointer, that of any function that takes a place for its result. */
static reach_t beyond(const call_t *call)
{
    reach_t most = {0, 0};
    for (int i = 0; i < placed_count; i++) {
        const placed_t *p = &placed[i];
        const bool may_be = *call->callee ? strcmp(p->name, call->callee) == 0 : !is_raw(p->name);
        if (may_be && p->reach.reads > call->announced.reads && p->reach.reads > most.reads)
            most.reads = p->reach.reads;
        if (may_be && p->reach.writes > call->announced.writes && p->reach.writes > most.writes)
            most.writes = p->reach.writes;
    }
    return most;
}

/* The innermost of the calls that pass the address on. */
static void report_call(const call_t *call)
{
    for (int i = 0; i < placed_count; i++)
        if (*call->callee && placed[i].by && strcmp(placed[i].name, call->callee) == 0) {
            call = placed[i].by;
            i = -1;
        }
    findings++;
    printf("%s: 0x%llx: %s uses the address that it gets here without a hook\n", call->caller,
           (unsigned long long)call->address,
           *call->callee ? call->callee : "a function called through a pointer");
}

/* A function that writes its result to memory is called with memory in the caller's stack, or with
 * that of the caller's own result. */
static void examine_calls(void)
{
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < call_count; i++) {
            reach_t far = beyond(&calls[i]);
            far.reads += far.reads ? calls[i].offset : 0;
            far.writes += far.writes ? calls[i].offset : 0;
            if (calls[i].own_place && far.reads + far.writes > 0)
                more |= placed_add(calls[i].caller, far, &calls[i]);
        }
    }
    for (int i = 0; i < call_count; i++) {
        const reach_t far = beyond(&calls[i]);
        if (!calls[i].own_place && far.reads + far.writes > 0)
            report_call(&calls[i]);
    }
}

/* ---- objdump's text ---- */

/* The pieces of code that are the program's own, by the linker's map. */
typedef struct {
    uint64_t low, high;
} piece_t;
static piece_t *own;
static int own_count;

/* The file of a map's line: an object of the program, not /usr/lib/libstdc++.a(new_op.o), not
 * /usr/lib/crt1.o. */
static bool is_own_object(const char *file, char **trusted, int trusted_count)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    for (int i = 0; i < trusted_count; i++)
        if (strcmp(file, trusted[i]) == 0)
            return false;
    return ends(base, ".o") && !starts(base, "crt") && !starts(base + 1, "crt");
}

/* " .text.name 0x1234 0x56 file", where a long name has its own line. Discarded pieces have the
 * address 0. */
static void read_map(const char *name, char **trusted, int trusted_count)
{
    char text[8192], section[6] = "", file[4096];
    unsigned long long low, bytes;
    FILE *f = fopen(name, "r");
    while (f && fgets(text, sizeof text, f)) {
        const char *number = strstr(text, " 0x");
        if (starts(text, " ."))
            memcpy(section, text + 1, 5);
        if (!number || !starts(section, ".text") ||
            sscanf(number, " 0x%llx 0x%llx %4095[^\n]", &low, &bytes, file) != 3 || low == 0 ||
            bytes == 0 || !is_own_object(file, trusted, trusted_count))
            continue;
        own = realloc(own, (size_t)(own_count + 1) * sizeof *own);
        own[own_count++] = (piece_t){low, low + bytes};
    }
    if (!f || own_count == 0) {
        fprintf(stderr, "hooked: '%s' %s\n", name,
                f ? "names no object of the program: it is not a map of GNU ld" : "cannot be read");
        exit(2);
    }
    fclose(f);
}

static bool is_own(uint64_t address)
{
    for (int i = 0; i < own_count; i++)
        if (address - own[i].low < own[i].high - own[i].low)
            return true;
    return false;
}

static void read_section(const char *text)
{
    char name[64];
    unsigned long long size, low;
    if (sscanf(text, " %*d %63s %llx %llx", name, &size, &low) == 3 && constants < 64 && low &&
        (strstr(text, "READONLY") || starts(name, ".data.rel.ro") || starts(name, ".got"))) {
        constant[constants].low = low;
        constant[constants++].high = low + size;
    }
}

/* "    1234:\tmov    %rax,0x10(%rsp)" */
static void read_line(char *text)
{
    line_t *l = &line[lines];
    char *tab = strchr(text, '\t');
    if (!tab || lines == LINES)
        return;
    *l = (line_t){.address = strtoull(text, NULL, 16)};
    char *p = tab + 1;
    static const char *const prefixes[] = {"repz ", "repnz ", "rep ", "lock ", "notrack ", "bnd "};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (starts(p, prefixes[i]))
            p += strlen(prefixes[i]);
    sscanf(p, "%15s %95[^ \n]", l->op, l->args);
    if (p != tab + 1 && starts(tab + 1, "rep")) {
        memmove(l->op + 3, l->op, 12);
        memcpy(l->op, "rep", 3);
    }
    char *comment = strchr(p, '#'), *angle = strchr(p, '<');
    if (comment)
        l->target = strtoull(comment + 1, NULL, 16);
    else if (angle && (*l->op == 'j' || starts(l->op, "call")))
        l->target = strtoull(l->args, NULL, 16);
    if (angle && !comment && starts(l->op, "call")) {
        sscanf(angle + 1, "%255[^>+@]", l->callee);
        *l->args = '\0';
    } else if (*l->op == 'j' && *l->args != '*') {
        *l->args = '\0';
    }
    lines++;
}

/* Glue reads the launch's arguments. */
static bool is_glue(const char *name)
{
    return starts(name, "_ZN4simt4glue") || starts(name, "_ZN4simt8bytes_of");
}

int main(int argc, char **argv)
{
    char text[8192];
    bool ours = false;
    if (argc < 2) {
        fprintf(stderr, "usage: objdump ... | hooked MAP [OBJECT...]\n");
        return 2;
    }
    read_map(argv[1], argv + 2, argc - 2);
    int functions = 0, instructions = 0;
    while (fgets(text, sizeof text, stdin)) {
        const bool head = isxdigit((unsigned char)*text) && strstr(text, ">:\n");
        if (head || *text == '\n') {
            if (ours)
                examine();
            functions += ours && lines > 0;
            instructions += ours ? lines : 0;
            lines = 0;
            ours = false;
        }
        if (head) {
            sscanf(strchr(text, '<') + 1, "%1023[^>]", function);
            ours = is_own(strtoull(text, NULL, 16));
            in_glue = is_glue(function);
        } else if (strchr(text, '\t') && strchr(text, ':')) {
            read_line(text);
        } else {
            read_section(text);
        }
    }
    if (ours)
        examine();
    examine_calls();
    printf("%d functions, %d instructions, %d without a hook\n", functions, instructions, findings);
    return findings != 0 || functions == 0;
}
