# SPDX-License-Identifier: MIT
"""conf.py - how Sphinx makes the site of what pages.py has written."""
import os
import re
from html import escape
from pathlib import Path

from docutils import nodes

HERE = Path(__file__).resolve().parent
README = (HERE.parents[2] / "README.md").read_text()

project = re.search(r"^# (.*)", README, re.M)[1]
html_title = project
root_doc = "index"
language = "en"
extensions = ["myst_parser", "sphinx_copybutton"]
myst_heading_anchors = 6

html_theme = "furo"
html_theme_options = {"top_of_page_buttons": []}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/favicon.svg"
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_baseurl = os.environ.get("SITE", "")
CARD = os.environ.get("CARD", "")  # a picture beside index.html

copybutton_prompt_text = "$ "


def description(doctree):
    """The first paragraph that is a sentence: the ones before it are links to other pages."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if " | " not in text and len(text) > 40:
            return text if len(text) <= 200 else text[:200].rsplit(" ", 1)[0] + " ..."
    return project


def page_context(app, pagename, templatename, context, doctree):
    """What a page says of itself to search engines and to who links to it; its language."""
    if pagename.endswith(".zh"):
        context["language"] = "zh"
    # What scrolls sideways must be reachable by keyboard, and captions of the side bar are not
    # headings.
    for name, old, new in (
        ("body", "<pre>", '<pre tabindex="0">'),
        ("body", "<p><img", '<p class="picture" tabindex="0"><img'),
        ("body", '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
        ("furo_navigation_tree", ' role="heading"', ""),
    ):
        context[name] = context.get(name, "").replace(old, new)
    # A path as a title breaks after a slash.
    context["body"] = re.sub(r"<h1>.*?</h1>", lambda h1: re.sub(r"(?<!<)/(?=\w)", "/<wbr>", h1[0]),
                             context["body"])
    if doctree is None:
        return
    said = {
        "og:title": doctree.next_node(nodes.title).astext(),
        "og:site_name": project,
        "og:description": description(doctree),
        "og:type": "article",
    }
    if CARD:
        said["og:image"] = html_baseurl + CARD if html_baseurl else context["pathto"](CARD, 1)
        said["twitter:card"] = "summary_large_image"
    tags = "".join(f'<meta property="{name}" content="{escape(text)}">\n'
                   for name, text in said.items())
    tags += f'<meta name="description" content="{escape(said["og:description"])}">\n'
    context["metatags"] = context.get("metatags", "") + tags


def setup(app):
    app.connect("html-page-context", page_context, priority=600)  # after the theme
