#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Suite: runner - can the runner fail? A case that must fail, one that hangs, one that crashes and
# one that says nothing do; a head with a mistake is refused.
cd "$(dirname "$0")/../.." || exit 1
. common/tests/check.sh
group='runner: '
unset FULL ONLY
DEVICE=cpu
export DEVICE

runner() { "$BUILD/tests/runner" -t 3 "$@"; }

# judges VERDICT WHY NAME HEAD...: the case NAME has this verdict, because of this.
judges() {
    verdict=$1 reason=$2 name=$3
    shift 3
    printf '# Case: %s - planted\n' "$name" >"$tmp/case.sh"
    printf '# %s\n' "$@" >>"$tmp/case.sh"
    run runner "$tmp/case.sh"
    want "the verdict is not '$verdict'" grep -qx "$verdict *$name" "$tmp/out"
    want "the reason is not '$reason'" holds out "$reason"
    want "exit $status" [ "$status" -eq "$([ "$verdict" = ok ]; echo $?)" ]
    verdict "$name"
}

# A child that lives on adds to this file.
life=$tmp/life
export life

judges ok '' silent 'Run: true'
judges FAIL 'exit 3, expected 0' status 'Run: exit 3'
judges FAIL 'exit 0, expected 1' accepted 'Run: true' 'Exit: 1'
judges FAIL 'stderr is not empty' noisy 'Run: echo noise >&2'
judges ok '' rejected 'Run: echo "wrong: sum 12"; exit 1' 'Exit: 1' 'Says: sum 12' \
    'Matches: ^wrong'
judges FAIL 'it does not say: sum 1$' longer_number 'Run: echo "wrong: sum 12"' 'Says: sum 1'
judges FAIL 'no line matches: .wrong' pattern 'Run: echo "not wrong:"' 'Matches: ^wrong'
judges ok '' marked "Run: echo 'at $tmp/case.sh:4'" 'Says: at @1' 'here // 1 marked'
judges FAIL 'case.sh:4' other_line "Run: echo 'at $tmp/case.sh:3'" 'Says: at @1' \
    '// 1 other_line'
judges ok '' pieces 'Run: echo "a b"; echo "    c"; echo d' 'Says: d | a b, c'
judges FAIL 'it does not say: e' piece_missing 'Run: echo "a b"; echo "    c"' 'Says: a | e'
judges ok '' count 'Run: echo a; echo b; echo a' 'Count: 2 ^a$' 'Count: 0 c'
judges FAIL '1 lines match, expected 2 b' other_count 'Run: echo a; echo b; echo a' 'Count: 2 b'
judges ok '' second_command 'Run: true' 'Run: exit 1' 'Exit: 1'
judges ok '' first_command 'Run: exit 1' 'Run: exit 2' 'Exit: 1'
judges ok '' its_name 'Run: echo $CASE' 'Says: its_name'
judges FAIL 'killed by signal 11' crash 'Run: kill -SEGV $$'
judges FAIL 'no end after 3 s' hang 'Run: while echo >>$life; do sleep 0.1; done & wait'
judges FAIL 'no end after 3 s' stubborn 'Run: trap "" TERM; while :; do sleep 1; done'
judges FAIL '(no end after 3 s|killed by signal 24)' busy 'Run: while :; do :; done'
is_dead() {
    [ -s "$life" ] && before=$(wc -l <"$life") && sleep 0.5 && [ "$(wc -l <"$life")" -eq "$before" ]
}
want 'a child lives on' is_dead
verdict 'the children of what hangs end as well'

rm "$life"
printf '# Case: hang\n# Run: while echo >>$life; do sleep 0.1; done\n' >"$tmp/case.sh"
run timeout 1 "$BUILD/tests/runner" "$tmp/case.sh"
want 'a child lives on' is_dead
verdict 'the children end with the runner'

# The status, and all that is printed about a suite with this command.
prints() { # NAME COMMAND TEXT
    printf '# Suite: planted - planted\n# Run: %s\n' "$2" >"$tmp/case.sh"
    run runner "$tmp/case.sh"
    equal "$1" "$status $(paste -s -d '|' "$tmp/out")" "$3"
}
prints 'a suite: its verdicts' 'echo "ok   a"; echo noise; echo "skip b: why"' \
    '0 ok   a|skip b: why|1 passed, 0 failed'
prints 'a suite that fails' 'echo "ok   a"; echo "FAIL b"; echo "    why"; exit 1' \
    '1 ok   a|FAIL b|    why|1 passed, 1 failed'
prints 'a suite that stops early' 'echo "ok   a"; exit 1' \
    '1 ok   a|FAIL planted|    exit 1, expected 0|    stdout: ok   a|1 passed, 1 failed'
prints 'a suite without a verdict' true \
    '1 FAIL planted|    it prints no verdict|0 passed, 1 failed'
printf '# Group: g\n# Suite: s\n# Run: echo "ok   a"\n' >"$tmp/case.sh"
run runner "$tmp/case.sh"
equal 'a suite of a group' "$(head -n 1 "$tmp/out")" 'ok   g s: a'

# ---- which cases run ----
printf '# Group: g\n# Run: echo quick\n# Full: echo whole; exit 1\n# Case: a - both\n' >"$tmp/a.sh"
printf '# Case: b\n# Full: true\n# Case: c\n# Run: exit 1\n# Where: gpu\n' >"$tmp/b.sh"
printf '# Case: d - long\n# Full: true\n' >>"$tmp/a.sh" # without the Run of the group
selects() { # NAME VARIABLE=VALUE TEXT
    run env "$2" "$BUILD/tests/runner" "$tmp/a.sh" "$tmp/b.sh"
    equal "$1" "$(grep -v '^    ' "$tmp/out" | sort | paste -s -d '|' -)" "$3"
}
slowest='slowest, in seconds and seconds of processor time:'
selects 'left out, and named' A=1 '  g d, b|1 passed, 0 failed|left out without FULL=1:|ok   g a'
selects 'FULL=1' FULL=1 "2 passed, 1 failed|FAIL g a|ok   b|ok   g d|$slowest"
selects 'ONLY=' 'ONLY=g a' '1 passed, 0 failed|ok   g a'
selects 'ONLY= of no case' ONLY=x '0 passed, 1 failed'

printf '# Case: b\n# Run: [ -e %s ]\n# Where: alone\n' "$tmp/done" >"$tmp/b.sh"
printf '# Case: a\n# Run: sleep 1; : >%s\n' "$tmp/done" >"$tmp/a.sh"
run runner -j 2 "$tmp/b.sh" "$tmp/a.sh"
equal 'alone: after the others' "$(paste -s -d '|' "$tmp/out")" 'ok   a|ok   b|2 passed, 0 failed'

# ---- heads with a mistake ----
refuses() { # NAME TEXT LINE...
    name=$1 text=$2
    shift 2
    printf '%s\n' "$@" >"$tmp/case.cu"
    ends 2 runner "$tmp/case.cu"
    want "not said: $text" holds err "case.cu:[0-9]+: $text"
    verdict "refused: $name"
}
refuses 'no case' 'it has no case' '# a comment'
refuses 'a case without a command' 'a case has no command' '# Case: a - b' code
refuses 'a misspelt field' 'there is no such field: Sais: x' '# Case: a - b' '# Run: c' '# Sais: x'
refuses 'a field in no head' 'this line is in no head' '# Case: a - b' '# Run: c' code '# Says: x'
refuses 'a name of two words' "it should be 'NAME - what it is'" '# Case: a b'
refuses 'the same name twice' 'there is another case' '# Case: a - b' '# Run: c' '# Case: a - d'
refuses 'a status that is none' 'a status is 0 to 255' '# Case: a - b' '# Exit: one'
refuses 'no text' 'a field is empty' '# Case: a - b' '# Run: c' '# Says:'
refuses 'no pattern' 'this is no regular expression' '# Case: a - b' '# Run: c' '# Matches: ('
refuses 'no count' "a count is 'N REGEX'" '# Case: a - b' '# Count: x'
refuses 'a place that is none' 'a place is cpu' '# Case: a - b' '# Where: tpu'
finish
