# SPDX-License-Identifier: MIT
#
# trace.awk - awk -f columns.awk -f trace.awk counters.csv rows.csv lanes.csv: a line for each
# inconsistency in a trace of one block: its sums with the counters of the launch, its values with
# each other, its wavefronts with the banks.

!csv || !named || FNR == 1 { next }
table == "counters" { counted[get("counter")] = get("value"); next }

table == "rows" {
    kind = get("kind"); requests = get("requests"); space = get("space")
    short = kind == "load" ? "_ld" : "_st"
    if (kind == "leave") sum["barriers"] += requests
    else if (kind == "shuffle") sum["shuffles"] += requests * (get("bytes") > 4 ? 2 : 1)
    else if (kind == "atomic") sum["atomic_requests"] += requests
    else if (kind != "vote") {
        sum[space short "_requests"] += requests
        sum[space short "_" (space == "shared" ? "wavefronts" : "sectors")] += \
            get(space == "shared" ? "wavefronts" : "sectors")
        if (space == "shared") sum["shared_wavefronts_ideal"] += get("ideal")
    }
    if (kind ~ /^(load|store|atomic)$/) { memory += requests; lanes += get("lanes") * requests }
    next
}

# Of packs and doubles, the elements have values of their own: only single ones are compared.
{
    kind = get("kind"); step = get("step"); place = get("array") " " get("offset")
    shared = get("wavefront") != ""
    if (step != last_step) split("", given)
    if (kind == "load" && (place in value) && bytes[place] == get("bytes") &&
        value[place] != get("before"))
        print "step " step ": " place " is " get("before") ", but " value[place] " was stored"
    if (kind == "store" || kind == "atomic") { value[place] = get("after"); bytes[place] = get("bytes") }
    if (kind == "shuffle") {
        given[get("lane")] = get("before")
        asked[step, get("lane")] = get("source"); got[step, get("lane")] = get("after")
        shuffles[step] = 1
        gave[step, get("lane")] = get("before")
    }
    if (shared && get("bytes") == 4) {
        word = get("offset") / 4
        at = step SUBSEP get("wavefront") SUBSEP word % 32
        if ((at in taken) && taken[at] != word)
            print "step " step ": wavefront " get("wavefront") " takes two words of bank " word % 32
        taken[at] = word
    }
    last_step = step
    seen++
}

END {
    if (seen == 0) print "no lanes"
    for (at in asked) {
        split(at, part, SUBSEP)
        if (got[at] != gave[part[1], asked[at]])
            print "step " part[1] ": lane " part[2] " got " got[at] " of lane " asked[at]
    }
    sum["shared_wavefronts"] = sum["shared_ld_wavefronts"] + sum["shared_st_wavefronts"]
    sum["active_lanes_per_memory_instruction"] = memory ? lanes / memory : 0
    for (name in counted)
        if (name != "divergent_branches" && (sum[name] - counted[name]) ^ 2 > 0.001 ^ 2)
            print name ": " sum[name] " in the trace, counted " counted[name]
    if (!("barriers" in counted)) print "no counters"
}
