#!/bin/sh
# SPDX-License-Identifier: MIT
#
# safety.sh - checks what SAFETY.md says: the sandbox at each level that this system has, what runs
# before main(), and that the grader's own failure never gives a student 0. Needs GRADE_BUILD, the
# built grader, and COURSE. Last line: N passed, N failed.
#
# With FULL=1 the grader also grades at each level, and has a full disk.
cd "${COURSE:?}" || exit 1
. common/grade/tests/programs.sh
group='safety: '
protect=common/grade/protect
solution=$COURSE/03_no_bank_conflict/exercise/solution.cu

# ---- all levels at once: they spend most of their time waiting ----

for level in bwrap namespaces limits; do
    {
        sh common/grade/tests/sandbox.sh $level >"$tmp/$level" 2>&1
        echo $? >"$tmp/$level.status"
    } &
done

# ---- nothing runs before main(), or after it ----

# Each check of the source would refuse it, so here they are silent, and the plain compiler replaces
# simtcc. What is left of build.c is how it links an object.
cat >"$tmp/early.cu" <<'END'
#include <stddef.h>
#include <unistd.h>
extern "C" void early() { (void)!write(2, "early\n", 6); _exit(9); }
#define SECTION(name) asm(".pushsection " name ",\"aw\"\n.quad early\n.popsection");
SECTION(".preinit_array")
SECTION(".init_array.00101")
SECTION(".ctors.00001")
SECTION(".fini_array")
SECTION(".dtors")
SECTION("__libc_atexit")
SECTION("__libc_subfreeres")
__attribute__((constructor(101))) static void h() { early(); }
struct object { object() { early(); } } i;
extern "C" int __libc_start_main() { early(); return 0; }
extern "C" void *malloc(size_t) { early(); return 0; }
extern "C" int solve() { return 0; }
END
bare=$tmp/bare
mkdir -p "$bare/common/simt" "$bare/common/grade" "$bare/build/grade"
cp -R $protect "$bare/common/grade/"
cat >"$bare/common/simt/simtcc" <<'END'
#!/bin/sh
exec "$CXX" -w -x c++ -c "$SUBMISSION" -o compiled.o
END
printf '#!/bin/sh\n' >"$bare/build/grade/hooked"
printf '#!/bin/sh\n: >renames\n: >aliases\n' >"$bare/build/grade/policy"
chmod +x "$bare/common/simt/simtcc" "$bare/build/grade/hooked" "$bare/build/grade/policy"
ln -s "$GRADE_BUILD/protect" "$bare/build/grade/protect"
ln -s "${GRADE_BUILD%/grade}/simt" "$bare/build/simt"
run env -C "$tmp" COURSE="$bare" BUILD="$bare/build" SUBMISSION=early.cu "$GRADE_BUILD/build"
want "it does not compile: exit $status" [ "$status" -eq 0 ]
run "$tmp/program"
want 'it ran before or after main()' lacks err early
want 'it is not main() that runs, and asks for a job' holds err 'the job is not complete'
verdict 'nothing of a submission runs before or after main()'

# ---- a missing tool is the grader's failure ----

fails() { # NAME TEXT COMMAND...
    name=$1 text=$2
    shift 2
    ends 2 "$@"
    want "it does not say '$text'" names out "$text"
    want 'it gives points' lacks out 'of 100 points'
    verdict "$name"
}
# shellcheck disable=SC2317,SC2163 # fails calls it; these are variables with values
with() { # VARIABLES...: with these grades the solution, in the course of $course
    (export "$@" && grader 03="$solution") 2>&1
}
fails 'STRICT=1 without namespaces' 'install bubblewrap' with STRICT=1 SANDBOX=limits
fails 'a level that is not there' "'jail'; accepted: bwrap namespaces limits" with SANDBOX=jail

mkdir "$tmp/tools"
for tool in sh env awk sed cat mktemp rm mv dirname basename as ld objcopy objdump addr2line \
    c++filt; do
    ln -s "$(command -v $tool)" "$tmp/tools/"
done
fails 'no compiler' 'no compiler of these was found: clang++ g++ g++-15' \
    with PATH="$tmp/tools" CXX=clang++ GRADE_CXX=
ln -s "$(command -v g++)" "$tmp/tools/g++-15"
rm "$tmp/tools/objcopy"
fails 'no objcopy' 'these tools were not found: objcopy (' with PATH="$tmp/tools" CXX= GRADE_CXX=
rm "$tmp/tools/as"
fails 'none of two tools' 'these tools were not found: as objcopy (' \
    with PATH="$tmp/tools" CXX= GRADE_CXX=

mkdir -p "$tmp/course/common/grade"
cp -R common/simt "$tmp/course/common/"
cp -R $protect common/grade/report common/grade/tasks "$tmp/course/common/grade/"
ln -s "$COURSE"/0[0-9]_* "$tmp/course/"
chmod -x "$tmp/course/common/simt/simtcc"
chmod -R a+rX "$tmp"
course=$tmp/course
fails 'simtcc that cannot be executed' "simtcc' cannot be executed" with SANDBOX=limits

# Every run has notes, and a process for each would take most of the grading time.
chmod +x "$tmp/course/common/simt/simtcc"
mkdir "$tmp/first" "$tmp/ran"
printf '#!/bin/sh\n: >%s/ran/once\necho solve\necho submission.cu:77\n' "$tmp" \
    >"$tmp/first/addr2line"
chmod -R a+rx "$tmp/first"
chmod 777 "$tmp/ran"
ends 0 with SANDBOX=limits PATH="$tmp/first:$PATH"
want 'addr2line was started for notes alone' [ ! -e "$tmp/ran/once" ]
grep -v '__syncthreads' "$solution" >"$tmp/submission.cu"
solution=$tmp/submission.cu
run with SANDBOX=limits PATH="$tmp/first:$PATH"
want "of a race: exit $status, expected 1" [ "$status" -eq 1 ]
want 'addr2line was not started for a race' [ -e "$tmp/ran/once" ]
want 'its line is not reported' names out 'submission.cu:77'
verdict 'notes alone start nothing'
course=$COURSE
solution=$COURSE/03_no_bank_conflict/exercise/solution.cu

# A proof that refuses everything: a student's file is refused, and so is a correct one of ours.
mkdir -p "$tmp/refusing/grade" "$tmp/class/ann"
ln -s "${GRADE_BUILD%/grade}/simt" "$tmp/refusing/simt"
ln -s "$GRADE_BUILD/protect" "$GRADE_BUILD/enter" "$GRADE_BUILD/policy" "$GRADE_BUILD/build" \
    "$GRADE_BUILD/head" "$tmp/refusing/grade/"
printf '#!/bin/sh\necho "kernel: 0x10: mov: a load without a hook"\nexit 1\n' \
    >"$tmp/refusing/grade/hooked"
chmod -R a+rx "$tmp/refusing"
cp "$solution" "$tmp/class/ann/03.cu"
for what in 03="$solution" --class="$tmp/class"; do
    fails "a proof that refuses everything: ${what%%=*}" 'cannot grade: a right file' \
        sh -c '"$@" 2>&1' sh env SANDBOX=limits "$GRADE_BUILD/grade" --course "$COURSE" \
        --build "$tmp/refusing" "$what"
done
equal 'which writes no marks' "$(find "$tmp/class.marks" -type f)" ''

# ---- root of a container, which has one user only ----

if unshare --user --map-root-user true 2>/dev/null; then
    run unshare --user --map-root-user "$GRADE_BUILD/grade" --course "$COURSE" \
        --build "${GRADE_BUILD%/grade}" 03="$solution"
    want 'it does not get its points' names out '100 of 100 points'
    want 'it claims a user of its own' lacks out 'own user'
    verdict 'root of a container with one user grades'
else
    echo "skip ${group}root of a container: there are no user namespaces"
fi

# ---- the levels again ----

wait
for level in bwrap namespaces limits; do
    suite "the sandbox, level $level" \
        sh -c 'cat "$1" && exit "$(cat "$1.status")"' sh "$tmp/$level"
done
if [ -z "${FULL:-}" ]; then finish; fi

# A disk that is full.
if [ "$(id -u)" -eq 0 ] && mkdir "$tmp/full" &&
    mount -t tmpfs -o size=100k tmpfs "$tmp/full" 2>/dev/null; then
    chmod 1777 "$tmp/full"
    for size in 100k 260k; do # a file of ours does not fit, or what the compiler makes of it
        mount -o remount,size=$size "$tmp/full"
        fails "a full disk of $size" 'No space left on device' with TMPDIR="$tmp/full"
    done
    umount "$tmp/full"
else
    echo "skip ${group}a full disk: no file system can be mounted here"
fi
finish
