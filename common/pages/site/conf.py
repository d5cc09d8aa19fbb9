# SPDX-License-Identifier: MIT
"""conf.py - how Sphinx makes the site of what pages.py has written."""
import json
import os
import re
from html import escape
from pathlib import Path

import sphinx.search
from docutils import nodes
from sphinx.search.en import SearchEnglish

HERE = Path(__file__).resolve().parent


def first_heading(page):
    return re.search(r"^# (.*)", (HERE.parents[2] / page).read_text(), re.M)[1]


project = first_heading("README.md")
html_title = project
root_doc = "index"
language = "en"
html_search_language = "both"
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
html_additional_pages = {"search.zh": "search.html"}
html_baseurl = os.environ.get("SITE", "")
CARD = os.environ.get("CARD", "")  # a picture beside index.html

copybutton_prompt_text = "$ "


class SearchBoth(SearchEnglish):
    """English words, and of Chinese each two neighbouring characters, as there are no blanks.

    In the index a pair has an END, because Sphinx does not require words of two characters.
    """

    END = "__"
    HAN = "[\u3400-\u9fff]"
    RUN = re.compile(f"{HAN}+|(?:(?!{HAN})\\w)+")
    js_splitter_code = """
        var splitQuery = function (query) {
            const runs = query.match(/\\p{Script=Han}+|(?:(?!\\p{Script=Han})[\\p{L}\\p{N}_])+/gu);
            return (runs || []).flatMap(function (run) {
                if (!/^\\p{Script=Han}{2}/u.test(run)) return [run];
                return Array.from(run.slice(1), function (last, i) { return run[i] + last; });
            });
        };
        const english = new Stemmer();
        window.Stemmer = function () {
            this.stemWord = function (word) {
                return /^\\p{Script=Han}/u.test(word) ? word + "__" : english.stemWord(word);
            };
        };
    """

    def stem(self, word):
        return word + self.END if re.match(self.HAN, word) else super().stem(word)

    def split(self, text):
        pairs = [[run[i:i + 2] for i in range(max(1, len(run) - 1))]
                 if re.match(self.HAN, run) else [run] for run in self.RUN.findall(text)]
        return sum(pairs, [])


sphinx.search.languages["both"] = SearchBoth


# What the theme says, and its scripts. A site of Sphinx has one language: Chinese pages get it here.
CHINESE = {
    "Next": "下一页",
    "Previous": "上一页",
    "Home": "课程首页",
    "On this page": "本页内容",
    "Search": "搜索",
    "Skip to content": "跳到正文",
    "Back to top": "回到顶部",
    "Error": "错误",
    "Please activate JavaScript to enable the search functionality.": "搜索需要启用 JavaScript。",
}
CHINESE_SCRIPTS = {
    "Searching": "正在搜索",
    "Preparing search...": "正在准备搜索……",
    "Search Results": "搜索结果",
    "Your search did not match any documents. Please make sure that all words are spelled correctly "
    "and that you've selected enough categories.": "没有找到。请换一个词试试。",
    "Search finished, found one page matching the search query.": ["找到 ${resultCount} 个页面。"],
    "Hide Search Matches": "取消高亮",
}


def in_chinese(pagename):
    return pagename.endswith(".zh")


def speak_chinese(app, context):
    """The words of the theme, of its scripts and of what Sphinx adds to the text of a page."""
    context["language"] = "zh-CN"
    context["root_doc"] = context["master_doc"] = "index.zh"
    context["docstitle"] = first_heading("README.zh.md")
    context["_"] = context["gettext"] = lambda words: CHINESE.get(words, words)
    pathto = context["pathto"]
    context["pathto"] = lambda page, *rest: pathto("search.zh" if page == "search" else page, *rest)
    catalog = json.dumps({"messages": CHINESE_SCRIPTS, "plural_expr": "0", "locale": "zh_CN"})
    app.add_js_file(None, body=f"Documentation.addTranslations({catalog})")
    for name, old, new in (
        ("body", "Link to this heading", "本节的链接"),
        ("furo_navigation_tree", "Toggle navigation of ", "展开或收起："),
    ):
        context[name] = context.get(name, "").replace(old, new)


def description(doctree):
    """The first paragraph that is a sentence: the ones before it are links to other pages."""
    for paragraph in doctree.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if " | " not in text and len(text.encode()) > 40:
            return text if len(text) <= 200 else text[:200].rsplit(" ", 1)[0] + " ..."
    return project


def page_context(app, pagename, templatename, context, doctree):
    """What a page says of itself to search engines and to who links to it; its language."""
    if in_chinese(pagename):
        speak_chinese(app, context)
        if pagename == "index.zh":  # the first: what comes before it is English
            context["prev"] = None
    # The side bar has the groups of one language: those whose captions are in it.
    first, *groups = re.split(r'(?=<p class="caption")', context.get("furo_navigation_tree", ""))
    context["furo_navigation_tree"] = first + "".join(
        group for group in groups
        if in_chinese(pagename) == bool(re.match(r"<p[^>]*><span[^>]*>[^\x00-\x7f]", group)))
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
