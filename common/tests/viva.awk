# SPDX-License-Identifier: MIT
#
# viva.awk - answers a question of `make viva` in a second way, from the text of the trace:
#
#   awk -f viva.awk -v kind=lanes -v text='When warp 0 ...' -v answer='3 19' FILE.trace
#
# Prints the answer. That of `holds` is a list of elements; it is printed if these add up.

function after(words,    found) { # the number that comes after them, or -1
    if (!match(text, words " [0-9]+")) return -1
    found = substr(text, RSTART, RLENGTH)
    sub(/.* /, "", found)
    return found + 0
}

function digit(c) { return index("0123456789abcdef", c) - 1 }

function number(hex,    k, value) { # of eight digits, as f32
    for (k = 1; k <= 8; k++) value = 16 * value + digit(substr(hex, k, 1))
    sign = value >= 2 ^ 31 ? -1 : 1
    value %= 2 ^ 31
    exponent = int(value / 2 ^ 23)
    return sign * (1 + value % 2 ^ 23 / 2 ^ 23) * 2 ^ (exponent - 127)
}

# What the words of the question fit: the line, the kind and the space.
function is_wanted() {
    return $1 == "step" && own[$4] && $5 == line && $2 == act
}

function end_step(    b) { # the words that each bank was asked for
    for (b in banks) if (banks[b] > worst) worst = banks[b]
    split("", banks)
    split("", seen)
}

BEGIN {
    sub(/^.*With [^:]*: /, "", text) # the change and the size
    from = text
    sub(/^.*__syncthreads\(\) \([^)]*\)/, "", text) # of a barrier
    line = after("line")
    act = text ~ /shuffles? in/ ? "shuffle" : text ~ /loads? from/ ? "load" : "store"
    shared = text ~ /shared memory/
    warp = after("warp"); time = after("for the")
    lane = after(kind == "bank" ? "that lane" : kind == "shuffle" ? "does lane" : "lane")
    if (match(text, / in [a-z_]+[][0-9]+[?]/)) cell = substr(text, RSTART + 4, RLENGTH - 5)
    text = from
    if (kind == "holds") opening = after("reached their"); else epoch = after("the block.s")
}

$1 == "file" { own[files++] = $2 ~ /(^|\/)([0-9]\.cu|kernel\.cu|first_add\.cu|solution\.cu|my\.cu)$/ }
$1 == "array" { space[arrays] = $2; columns[arrays] = $5; name[arrays++] = $8 }
$1 == "step" {
    end_step()
    steps++
    now = is_wanted(); at_warp = $3; wide = $12; what = $2
    place = $6; its_round = $7 " " $12; here = 0; is_new = 1
    if (what == "leave") { opened[$3]++; snapped = snapped || opened[$3] == opening }
}
# An execution of the line by a warp; s[i] + s[j] is one with two steps.
$1 == "lane" && is_new {
    is_new = 0
    if (now && (what == "shuffle" || (space[$3] == "shared") == shared)) {
        if (before[at_warp] != its_round || ((at_warp, place) in taken)) {
            executions[at_warp]++
            for (k in taken) if (k ~ "^" at_warp SUBSEP) delete taken[k]
        }
        taken[at_warp, place]
        before[at_warp] = its_round
        here = at_warp == warp && executions[warp] == time
    } else before[at_warp] = ""
}
$1 == "lane" && what != "shuffle" {
    is_shared = space[$3] == "shared"
    after_it = $6 == "=" ? $5 : $6
    if (what == "store") { writer[$3, $4] = 32 * at_warp + $2; written[$3] }
    if (kind == "holds" && what == "store" && !snapped) memory[$3, $4 / 4] = after_it
    if (kind == "holds" && what == "load" && !is_shared && !($3 in written)) input[$4 / 4] = after_it
    if (!now || is_shared != shared) next
    if (kind == "wavefronts" && here && !(($3, $4) in seen)) { seen[$3, $4]; banks[$4 / 4 % 32]++ }
    if (opened[at_warp] + 0 == epoch && !(at_warp in met)) { met[at_warp]; warps++ }
    if (!here) next
    lanes[steps]++
    for (b = $4; b < $4 + wide; b += 4)
        if (!((steps, int(b / 32)) in counted)) { counted[steps, int(b / 32)]; sectors[steps]++ }
    word[steps, $2] = $4 / 4
    chosen = steps
    if ($2 == lane && writer[$3, $4] != 32 * at_warp + $2) written_by = writer[$3, $4]
}
$1 == "lane" && what == "shuffle" && now {
    if (opened[at_warp] + 0 == epoch && !(at_warp in met)) { met[at_warp]; warps++ }
    if (!here) next
    lanes[steps]++
    chosen = steps
    if ($2 == lane) source = $5 == "!" ? $2 : $5
}

function bank_mates(    k, list) {
    for (k = 0; k < 32; k++)
        if (((chosen, k) in word) && word[chosen, k] != word[chosen, lane] &&
            (word[chosen, k] - word[chosen, lane]) % 32 == 0)
            list = list == "" ? k : list " " k
    return list == "" ? "none" : list
}

function adds_up(    parts, index_of, count, k, sum, a, got, d) {
    count = split(answer, index_of, " ")
    for (k = 1; k <= count; k++) sum += number(input[index_of[k]])
    split(cell, parts, /[][]+/)
    for (a = 0; name[a] != parts[1]; a++) if (a == arrays) return "no array " parts[1]
    got = number(memory[a, columns[a] > 1 ? parts[2] * columns[a] + parts[3] : parts[2] + 0])
    d = got - sum
    return d < 1e-4 && d > -1e-4 ? answer : "not " answer ": " sum ", but " got
}

END {
    end_step()
    if (kind == "wavefronts") print worst
    if (kind == "times") print executions[warp]
    if (kind == "warps") print warps
    if (kind == "lanes") print lanes[chosen]
    if (kind == "sectors") print sectors[chosen]
    if (kind == "shuffle") print source
    if (kind == "writer") print written_by
    if (kind == "bank") print bank_mates()
    if (kind == "holds") print adds_up()
}
