# SPDX-License-Identifier: MIT
"""steps.py - the pages of `make show` on the site: ways to their very steps, and the way back."""
import json
import os
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LESSONS = sorted(path.parent.name for path in ROOT.glob("[0-9][0-9]_*/kernel.cu"))
PAIRS = list(zip(LESSONS, LESSONS[1:]))
COMMAND = re.compile(r"make show(?:-(\d\d)|\s+A=(\d\d)\s+B=(\d\d))(?![\w.])")


def said(page, words, chinese):
    """Words in the language of a page of the site."""
    return chinese if page.endswith(".zh") else words


def name(page, lesson):
    """What a lesson is called in a sentence of that page."""
    chinese = ROOT / lesson / "README.zh.md"
    if page.endswith(".zh") and chinese.exists():
        return re.search(r"^# (.*)", chinese.read_text(), re.M)[1]
    return lesson.replace("_", " ")


def link(page, shown, words, step=""):
    """A link from a page of the site to one of those."""
    start = os.path.dirname(page) or "."
    return f'<a href="{os.path.relpath("show/" + shown, start)}.html{step}">{words}</a>'


def of_command(page, command):
    """What a command writes and, in the words of a page, what that shows, if the site has it."""
    match = COMMAND.search(command)
    lessons = [lesson for number in match.groups() if number
               for lesson in LESSONS if lesson.startswith(number)]
    if len(lessons) == 2 and tuple(lessons) not in PAIRS or not lessons:
        return None
    beside = said(page, " beside ", " 与 ")
    return "-".join(lessons), beside.join(name(page, lesson) for lesson in lessons)


def after_code(page, code):
    """What follows a block of commands: links to the pages that they would write."""
    shown = [of_command(page, match[0]) for match in COMMAND.finditer(code)]
    links = [link(page, *which) for which in shown if which]
    step = said(page, "Step through it here: ", "在这里单步查看：")
    return f"\n\n{step}" + said(page, ", ", "，").join(links) + "\n" if links else ""


def in_text(page, text):
    """A text in which such commands are links."""

    def linked(match):
        which = of_command(page, match[1])
        return link(page, which[0], f"<code>{match[1]}</code>") if which else match[0]

    return re.sub(f"`({COMMAND.pattern})`", linked, text)


def read(shown, lesson):
    """The trace in a page that steps through one kernel."""
    text = (shown / f"{lesson}.html").read_text()
    return json.loads(re.search(r'id="traces">\n(.*?)\n</script>', text, re.S)[1])[0]


def of_places(shown):
    """For each picture and section that speaks of a step: the page, words, its address in the page."""
    found = {}
    for line in (HERE / "steps.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        place, lesson, kind, which, *words = (word.strip() for word in line.split("|"))
        steps = read(shown, lesson)["steps"]
        at = [i for i, step in enumerate(steps)
              if f"{step.get('space', '')} {step['kind']}".strip() == kind]
        best = {"first": at[0], "last": at[-1],
                "dearest": max(at, key=lambda i: steps[i].get("wavefronts", 0))}[which]
        english, chinese = (word.format(**steps[best]) for word in words)
        found[place] = (lesson, english, f"#step={best + 1}")
        found[place + ".zh"] = (lesson, chinese, f"#step={best + 1}")
    return found


def place_of(page, place):
    return said(page, place, place + ".zh")


def after_sections(page, path, text, places):
    """A page's text, with links at the end of the sections that speak of a step."""
    path = path.replace(".zh.md", ".md")
    headings = re.findall(r"(?m)^## (.*)", (ROOT / path).read_text())
    parts = re.split(r"(?m)^(?=## )", text)
    for i, heading in enumerate(headings, 1):
        section = path + "#" + re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
        if section in places:
            way = link(page, *places[place_of(page, section)])
            parts[i] = f"{parts[i].rstrip()}\n\n{way}\n\n"
    return "".join(parts)


def of_lesson(page, lesson):
    """The links of a lesson and of its kernel: alone, and beside its neighbours."""
    shown = [(lesson, said(page, "alone", "单独看"))]
    for pair in PAIRS:
        if lesson in pair:
            other = pair[1 - pair.index(lesson)]
            shown.append(("-".join(pair),
                          said(page, "beside {}", "与 {} 并排").format(name(page, other))))
    links = said(page, ", ", "，").join(link(page, *which) for which in shown)
    return said(page, f"Step through it: {links}.", f"单步查看：{links}。")


def copy(shown, folder):
    """The pages, with the way back; what else a reader has looked at is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for lessons in [(lesson,) for lesson in LESSONS] + PAIRS:
        text = (shown / f"{'-'.join(lessons)}.html").read_text()
        back = ", ".join(f'<a href="../{lesson}/index.html">lesson {lesson[:2]}</a>'
                         for lesson in lessons)
        bar = '<div class="bar">'
        assert text.count(bar) == 1, f"{lessons}: no {bar}"
        text = text.replace(bar, f"{bar}\n    <span>{back}</span>")
        (folder / f"{'-'.join(lessons)}.html").write_text(text)
