# SPDX-License-Identifier: MIT
"""pages.py - writes what Sphinx reads: the README, all that it leads to, and each lesson's kernel.

    pages.py FOLDER SHOWN [REPOSITORY]

The Markdown is copied, with its links changed from what GitHub shows to what the site has: a
folder is its README, and a source is a page of its own, with line numbers. A link to what is not
on the site goes to the REPOSITORY, an address such as https://github.com/name/course; without one
its words stay. A side bar needs an order: that of the lessons, and in each that of its links. SHOWN
has the pages of `make show`; steps.py leads to them.
"""
import os
import re
import sys
from pathlib import Path

import steps
from steps import LESSONS, ROOT

FOLDER, SHOWN = Path(sys.argv[1]), Path(sys.argv[2])
REPOSITORY = sys.argv[3] if len(sys.argv) > 3 else ""
PLACES = steps.of_places(SHOWN)

# What only teachers need; a handout has no solutions, answers and tests of the grader either.
LEFT_OUT = re.compile(r"solution\.cu$|common/grade/(ANSWERS\.md|tests\b)|common/docs/TEACHING\.md$")
LANGUAGES = {".cu": "cuda", ".cuh": "cuda", ".c": "c", ".h": "c", ".sh": "sh"}
LINK = re.compile(r"(!?)\[((?:[^][]|\[[^][]*\])*)\](\(|: )([^()\s]+)\)?")
COPIED = (".svg", ".webp", ".ipynb")
COLAB = REPOSITORY.replace("/github.com", "/colab.research.google.com/github") + \
    "/blob/main/colab.ipynb"
CODESPACES = REPOSITORY.replace("github.com", "codespaces.new")
ADDRESS = [("<this repository>", REPOSITORY), ("<its folder>", os.path.basename(REPOSITORY))]
KERNELS = [lesson + "/kernel.cu" for lesson in LESSONS]
HOMES = [lesson + "/README.md" for lesson in LESSONS]
START = "01_naive/start/README.md"  # before the first lesson, although it is in its folder
CAPTIONS = {".md": ("Lessons", "To look up", "How it is made"), ".zh.md": ("课程", "查阅", "其他")}


def docname(path):
    """The page of a file or folder, as Sphinx names it. An upload to GitHub leaves out .github."""
    path = path.removeprefix(".github/")
    if (ROOT / path).is_dir():
        return path + "/index"
    return re.sub(r"README(\.zh)?$", r"index\1", path.removesuffix(".md"))


def resolve(page, target):
    """The file or folder of the course that a page's link leads to, or None."""
    path = os.path.normpath(os.path.join(os.path.dirname(page), target))
    if path.startswith("..") or not (ROOT / path).exists():
        return None
    readme = os.path.normpath(os.path.join(path, "README.md"))
    return readme if (ROOT / readme).exists() else path


def rewrite(page, text, found):
    """The text of a page with the links of the site; appends to `found` what it leads to."""

    def link(match):
        image, words, between, target = match.groups()
        target, _, anchor = target.partition("#")
        path = resolve(page, target) if target and ":" not in target else None
        if path is None:
            return match[0]
        anchor = anchor and "#" + anchor
        end = ")" if between == "(" else ""
        if LEFT_OUT.search(path):
            return f"[{words}]({REPOSITORY}/blob/HEAD/{path}{anchor})" if REPOSITORY else words
        if path == "colab.ipynb" and REPOSITORY:
            return f"[{words}]({COLAB})"
        found.append(path)
        if path.endswith(COPIED):
            step = PLACES.get(steps.place_of(docname(page), path))
            return match[0] + (f"\n\n{steps.link(docname(page), *step)}\n" if step else "")
        if not image:  # the text of a link may contain a picture
            words = LINK.sub(link, words)
        start = os.path.dirname(docname(page)) or "."
        return f"{image}[{words}]{between}{os.path.relpath(docname(path), start)}.md{anchor}{end}"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)  # code stays as it is
    parts[::2] = [steps.in_text(docname(page), LINK.sub(link, part)) for part in parts[::2]]
    for words, address in ADDRESS if REPOSITORY else []:
        parts[1::2] = [part.replace(words, address) for part in parts[1::2]]
    parts[1::2] = [part + steps.after_code(docname(page), part) for part in parts[1::2]]
    return "".join(parts)


def first_comment(path):
    """What a source says of itself: the first paragraph of comment after its licence."""
    try:
        lines = (ROOT / path).read_text().splitlines()[1:]
    except (UnicodeDecodeError, IsADirectoryError):
        return ""
    words = []
    for line in lines:
        comment = re.match(r"(?://|/?\*|#)(?!include|define|if|!) *([^*/].*)?$", line.strip())
        if words and not (comment and comment[1]):
            break
        words += [comment[1]] if comment and comment[1] else []
    parts = " ".join(words).split("`")  # not Markdown, except for code
    parts[::2] = [re.sub(r"([*_<[\]])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


def source_page(path, found):
    """A source, or the list of what is in a folder without a README, with a way to its home."""
    up = os.path.dirname(path)
    while not (ROOT / up / "README.md").exists():
        up = os.path.dirname(up)
    readme = os.path.join(up, "README.md")
    found.append(readme)
    home = os.path.relpath(docname(readme), os.path.dirname(docname(path)) or ".")
    text = f"# {path}\n\n{first_comment(path)}\n\nIt belongs to [{title(readme)}]({home}.md).\n\n"
    if path in KERNELS:
        text += steps.of_lesson(path, up) + "\n\n"
    if (ROOT / path).is_dir():
        files = sorted(file.name for file in (ROOT / path).iterdir())
        return text + "".join(f"- `{file}`: {first_comment(path + '/' + file)}\n" for file in files)
    there = os.path.relpath(ROOT / path, FOLDER / os.path.dirname(docname(path)))
    language = LANGUAGES.get(Path(path).suffix, "text")
    return text + f"```{{literalinclude}} {there}\n:language: {language}\n:linenos:\n```\n"


def title(page):
    """The first heading of a page of Markdown."""
    return re.search(r"^# (.*)", (ROOT / page).read_text(), re.M)[1]


def contents(pages, caption=""):
    """A list of pages for the side bar. What its parent's title says already is left out."""
    short = {"kernel.cu": "The kernel", "DEEPER": "Deeper"}
    lines = []
    for page, name in pages:
        label = short.get(docname(page).partition("/")[2])
        lines.append(f"{label} <{name}>" if label else name)
    caption = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + caption + "\n".join(lines) + "\n```\n"


def lesson_of(path):
    """The folder of the lesson that a page belongs to, or ''."""
    match = re.match(r"(\d\d_\w+)/", path)
    return match[1] if match and english(path) != START else ""


def english(page):
    return page.replace(".zh.md", ".md")


def language(page):
    """The end of its name: what a page's language adds to it."""
    return ".zh.md" if page.endswith(".zh.md") else ".md"


def arrange(texts, end):
    """Appends to the pages of one language what the side bar shows of them."""
    pages = [page for page in texts if language(page) == end and page.endswith(".md")]
    homes = [home.replace(".md", end) for home in HOMES if home.replace(".md", end) in texts]
    start = START.replace(".md", end)
    for home in homes:
        lesson = lesson_of(home)
        inside = [page for page in pages if lesson_of(page) == lesson and page != home]
        folders = [lesson] + [os.path.dirname(page) for page in inside]
        inside.sort(key=lambda page: folders.index(os.path.dirname(page)))
        kernel = [lesson + "/kernel.cu"] if home in HOMES else []
        texts[home] += contents([(page, docname(page).split("/", 1)[1])
                                 for page in kernel + inside])
    front = [] if end == ".md" else ["README" + end]
    course = [page for page in front + [start] + homes if page in texts]
    docs = [page for page in pages if page.startswith("common/docs/")]
    others = [page for page in pages
              if page not in docs + course + ["README.md"] and not lesson_of(page)]
    for group, caption in zip([course, docs, others], CAPTIONS[end]):
        if group:
            texts["README.md"] += contents([(page, docname(page)) for page in group], caption)


def main():
    texts = {}  # a page and its text, in the order in which the pages lead to each other
    new = ["README.md"]
    while new:
        page = new.pop(0)
        if page in texts:
            continue
        if page.endswith(COPIED):
            texts[page] = None
            continue
        found = []
        if page.endswith(".md"):
            texts[page] = rewrite(page, (ROOT / page).read_text(), found)
            texts[page] = steps.after_sections(docname(page), page, texts[page], PLACES)
            if lesson_of(page) and page.count("/") == 1:
                found.insert(0, os.path.dirname(page) + "/kernel.cu")
            if english(page) in HOMES:  # after the introduction
                links = steps.of_lesson(docname(page), os.path.dirname(page))
                texts[page] = texts[page].replace("\n## ", f"\n{links}\n\n## ", 1)
        else:
            texts[page] = source_page(page, found)
        new += found

    for end in CAPTIONS:
        arrange(texts, end)

    if REPOSITORY:  # below the title
        texts["README.md"] = re.sub(r"(?m)^(# .*\n)", lambda title: f"""{title[0]}
<p class="badges"><a href="{COLAB}">Open in Colab</a> <a href="{CODESPACES}">Open in Codespaces</a>
<span>in a browser, with nothing installed</span></p>
""", texts["README.md"], count=1)

    for page, text in texts.items():
        file = FOLDER / (page if text is None else docname(page) + ".md")
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.write_bytes((ROOT / page).read_bytes())
            continue
        if not page.endswith(".md") and page not in KERNELS:
            text = "---\norphan: true\n---\n" + text
        file.write_text(text)
    steps.copy(SHOWN, FOLDER.parent / "show")


main()
