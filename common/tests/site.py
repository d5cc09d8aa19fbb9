# SPDX-License-Identifier: MIT
"""site.py - what is wrong with the pages of a site, a line each; see site.sh.

    site.py FOLDER        links that lead nowhere, what is loaded from elsewhere, heads of pages,
                          tags and quotes that are left open, tags that readers see as text
    site.py --next FOLDER  the pages in the order in which they name each other as the next
"""
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FOLDER = Path(sys.argv[-1])
TO_A_PAGE = {"canonical", "next", "prev", "search", "index"}  # kinds of <link> that load nothing
VOID = set("area base br col embed hr img input link meta source track wbr".split())
MAY_STAY_OPEN = set("html body p li dt dd thead tbody tr th td option".split())  # as HTML allows


class Page(HTMLParser):
    """The names, links, loaded files, head and broken tags of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.next = set(), [], [], None
        self.open, self.broken = [], []
        self.language = self.title = self.description = ""
        self.in_title = False
        text = path.read_text()
        self.steps = text.count('"warp":') if path.parent.name == "show" else 0
        self.feed(text)
        self.close()
        self.leave(0)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in self.open:
            self.leave(len(self.open) - self.open[::-1].index(tag))
            self.open.pop()
        else:
            self.broken.append(f"</{tag}>")

    def leave(self, depth):
        self.broken += [f"<{tag}>" for tag in self.open[depth:] if tag not in MAY_STAY_OPEN]
        del self.open[depth:]

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        value = dict(attributes)
        self.broken += [f"<{tag} {name}>" for name in value if not re.fullmatch(r"[\w:.-]+", name)]
        self.ids.add(value.get("id"))
        self.in_title = tag == "title"
        if tag == "html":
            self.language = value.get("lang")
        if tag == "meta" and value.get("name") == "description":
            self.description = value["content"]
        if tag == "link" and value.get("rel") == "next":
            self.next = value["href"]
        if "href" in value:
            page = tag == "a" or value.get("rel") in TO_A_PAGE
            (self.links if page else self.loads).append(value["href"])
        self.loads += [value[name] for name in ("src", "srcset", "data", "poster") if value.get(name)]
        self.loads += re.findall(r"url\(([^)]*)\)", value.get("style") or "")

    def handle_data(self, data):
        if not {"code", "pre", "script", "style"} & set(self.open):
            self.broken += re.findall(r"</?[a-z][a-z0-9]*(?: [^<>]*)?>", data)
        if self.in_title:
            self.title += data
            self.in_title = False


pages = {path: Page(path) for path in sorted(FOLDER.rglob("*.html"))}


def leads_nowhere(path, target):
    """What is wrong with a link of a page, or nothing."""
    to, anchor = urlsplit(target), urlsplit(target).fragment
    if to.scheme or target.startswith("/"):
        return "not relative"
    file = Path(os.path.normpath(path.parent / unquote(to.path))) if to.path else path
    if not file.is_file():
        return "leads nowhere"
    step = re.fullmatch(r"step=(\d+)", anchor)
    if step and pages[file].steps:
        return None if 1 <= int(step[1]) <= pages[file].steps else "no such step"
    if anchor and unquote(anchor) not in pages[file].ids:
        return "no such heading"
    return None


def wrong(path, page):
    for target in page.links:
        if urlsplit(target).scheme not in ("http", "https"):
            yield leads_nowhere(path, target), target
    for target in page.loads:
        if not target.startswith(("data:", "#")):
            yield leads_nowhere(path, target), target
    for tag in page.broken:
        yield "left open, or text", tag
    if not page.language or not page.title.strip():
        yield "no language, or no title", page.title
    if path.parent.name != "show" and not path.name.startswith("search.") and len(page.description) < 20:
        yield "no description", page.description


if sys.argv[1] == "--next":
    at = FOLDER / "index.html"
    while pages[at].next:
        at = Path(os.path.normpath(at.parent / pages[at].next))
        print(at.relative_to(FOLDER))
    sys.exit()
for path, page in pages.items():
    for what, target in wrong(path, page):
        if what:
            print(f"{path.relative_to(FOLDER)}: {what}: {target}")
for style in FOLDER.rglob("*.css"):
    for target in re.findall(r"(?:url\(|@import )[\"']?((?:https?:)?//[^)\"']*)", style.read_text()):
        print(f"{style.relative_to(FOLDER)}: not relative: {target}")
if sum(len(page.links) for page in pages.values()) < 1000:
    print("there are few links")
