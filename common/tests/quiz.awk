# SPDX-License-Identifier: MIT
#
# quiz.awk - rows `stride 6 1,COUNTER,VALUE` of `quiz --run`: counts each question again, lane by
# lane, independently of the emulator. Prints the rows that differ, then how many rows of each kind
# were compared. `words` and `gather` need their indices, which C draws: 32 bits.

BEGIN { FS = "," }

# ---- one request: its lanes call add(), and then it is counted ----

function begin() { split("", seen); split("", load); split("", sector); most = sectors = lanes = 0 }
function word(w,    bank) { # of shared memory
    if (w in seen) return
    seen[w] = 1
    bank = w % 32
    if (++load[bank] > most) most = load[bank]
}
function bytes(from, count,    s) { # of global memory
    for (s = int(from / 32); s <= int((from + count - 1) / 32); s++)
        if (!(s in sector)) { sector[s] = 1; sectors++ }
}

function exclusive_or(x, y,    bit, r) {
    for (bit = 1; bit <= 128; bit *= 2)
        if (int(x / bit) % 2 != int(y / bit) % 2) r += bit
    return r
}
function and_is_0(x, y,    bit) {
    for (bit = 1; bit <= 256; bit *= 2) if (int(x / bit) % 2 && int(y / bit) % 2) return 0
    return 1
}

# The product of two 32-bit numbers modulo 2^32, in doubles.
function times(x, y,    high) {
    high = int(x / 65536)
    return (((high * y) % 65536) * 65536 + (x % 65536) * y) % 4294967296
}
function indices(range, seed,    lane, state) {
    state = (times(seed, 2654435761) + 12345) % 4294967296
    for (lane = 0; lane < 32; lane++) {
        state = (times(state, 1664525) + 1013904223) % 4294967296
        index_of[lane] = int(state / 256) % range
    }
}

# ---- the kinds ----

function strided(width, stride, every,    part, l, k, all) {
    for (part = 0; part < width; part++) {
        begin()
        for (l = 32 / width * part; l < 32 / width * (part + 1); l++)
            if (l % every == 0) for (k = 0; k < width; k++) word(width * stride * l + k)
        all += most
    }
    return all
}

function pitch(pitch_of, columns, swizzle,    x, y) {
    begin()
    for (x = 0; x < columns; x++) for (y = 0; y < 32 / columns; y++)
        word(x * pitch_of + (swizzle ? exclusive_or(x, y) : y))
    return most
}

function listed(shared, lanes_of, range, seed,    l) {
    indices(range, seed)
    begin()
    for (l = 0; l < lanes_of; l++) if (shared) word(index_of[l]); else bytes(4 * index_of[l], 4)
    return shared ? most : sectors
}

function by_warps(threads, size, stride, offset, every,    t, all) {
    for (t = 0; t < threads; t++) {
        if (t % 32 == 0) { all += sectors; begin() }
        if (t % every == 0) bytes(size * (stride * t + offset), size)
    }
    all += sectors
    begin()
    return all
}

function packs(width, n, threads, blocks,    i, p, all) {
    for (i = 0; i < threads * blocks; i += 32) { # a warp loads as often as its first lane
        for (p = i; p < int(n / width); p += threads * blocks) all++
        if (i < n % width) all++
    }
    return all
}

function takes_part(form, a, tid) {
    if (form == 0) return tid % a == 0
    if (form == 1) return tid < a
    if (form == 2) return int(tid / a) % 2 == 0
    return and_is_0(tid, a)
}
function condition(form, a, threads, by_lane,    t, all, busy) {
    for (t = 0; t < threads; t++) {
        if (t % 32 == 0) busy = 0
        if (!takes_part(form, a, t)) continue
        if (by_lane || !busy) all++
        busy = 1
    }
    return all
}

function tree(form, threads, barriers,    t, s, all, rounds, warp) {
    for (s = form >= 2 ? threads / 2 : 1; form >= 2 ? s > (form == 3 ? 16 : 0) : s < threads;
         s = form >= 2 ? int(s / 2) : 2 * s) {
        rounds++
        split("", warp)
        for (t = 0; t < threads; t++)
            if (form >= 2 ? t < s : form == 0 ? t % (2 * s) == 0 : 2 * s * t < threads)
                if (!(int(t / 32) in warp)) { warp[int(t / 32)] = 1; all += 2 }
    }
    return barriers ? threads / 32 * (rounds + 1) : all + 1
}

function shuffles(width, threads, whole,    turns) {
    for (; width > 1; width /= 2) turns++
    return turns * (threads / 32) + (whole ? 5 : 0)
}

function expected(    q, kind) {
    split($1, q, " ")
    kind = q[1]
    compared[kind]++
    if (kind == "stride") return strided(1, q[2], q[3])
    if (kind == "wide") return strided(q[2], q[3], 1)
    if (kind == "pitch") return pitch(q[2], q[3], q[4])
    if (kind == "words") return listed(1, q[2], q[3], q[4])
    if (kind == "gather") return listed(0, q[2], q[3], q[4])
    if (kind == "sectors") return by_warps(q[4], 4, q[2], 0, q[3])
    if (kind == "aligned") return by_warps(q[4], q[2], 1, q[3], 1)
    if (kind == "packs") return packs(q[2], q[3], q[4], q[5])
    if (kind == "lanes" || kind == "warps") return condition(q[2], q[3], q[4], kind == "lanes")
    if (kind == "tree") return q[4] * tree(q[2], q[3], 0)
    if (kind == "barriers") return q[4] * tree(q[2], q[3], 1)
    if (kind == "shuffles") return shuffles(q[2], q[3], q[4])
    if (kind == "atomics") return q[5] * condition(0, q[2], q[4], 0)
    return "a formula"
}

{
    value = expected()
    if ($3 != value) print $1 ": the emulator counts " $3 ", by hand it is " value
}
END { for (kind in compared) print kind, compared[kind] | "sort" }
