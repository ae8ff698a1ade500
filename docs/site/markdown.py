"""Markdown as HTML: headings with the anchors of GitHub, links between pages, commands, and what the search has to know."""
import html, re
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound


@dataclass
class Section:
    """A heading, and the text up to the next one."""
    level: int
    id: str
    title: str
    text: list = field(default_factory=list)


@dataclass
class Row:
    """A field in a table of a format."""
    id: str
    path: str
    about: str


@dataclass
class Rendered:
    html: str
    sections: list
    rows: list


def plain(inline):
    """The text of an inline token."""
    return "".join({"softbreak": " ", "hardbreak": " "}.get(t.type, t.content) for t in inline.children or [] if t.type not in ("html_inline", "image"))


class Anchors:
    """Ids of headings, as GitHub makes them."""
    def __init__(self):
        self.seen = {}

    def of(self, title):
        slug = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        count = self.seen[slug] = self.seen.get(slug, -1) + 1
        return f"{slug}-{count}" if count else slug


def code(text, language):
    """A block of code, coloured; of commands, with the commands apart from what they print."""
    if language == "console": return console(text)
    try:
        lexer = get_lexer_by_name({"sh": "bash"}.get(language, language or "text"), stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    inner = highlight(text, lexer, HtmlFormatter(nowrap=True)) if language not in ("", "text") else html.escape(text)
    return f'<pre class="code" data-copy><code>{inner}</code></pre>\n'


def console(text):
    lines = []
    for line in text.splitlines():
        shown = html.escape(line)
        if line.startswith("$ "): lines.append(f'<b class="cmd">{shown[2:]}</b>')
        elif re.fullmatch(r"exit \d+", line): lines.append(f'<i class="exit">{shown}</i>')
        else: lines.append(f'<span class="out">{shown}</span>')
    return '<pre class="console" data-copy><code>' + "\n".join(lines) + "\n</code></pre>\n"


def render(text, link, fields=False):
    """`link(target, is_image)` returns where a link leads on the site. `fields`: tables of fields get an anchor for each row."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    anchors, sections, rows = Anchors(), [Section(0, "", "")], []
    columns, cells = [], None
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            title = plain(tokens[at + 1])
            section = Section(int(token.tag[1]), anchors.of(title), title)
            sections.append(section)
            token.attrSet("id", section.id)
        elif token.type == "inline" and tokens[at - 1].type != "heading_open":
            sections[-1].text.append(plain(token))
        elif token.type == "fence":
            sections[-1].text.append(token.content)
        if token.type == "thead_open": columns = []
        if token.type == "th_open": columns.append(plain(tokens[at + 1]))
        if token.type == "tr_open": row, cells = token, []
        if token.type == "td_open": cells.append(plain(tokens[at + 1]))
        if token.type == "tr_close" and fields and cells and columns == ["offset", "field", "type", "meaning"]:
            owner = "" if sections[-1].title == "The file" else sections[-1].title + "."
            path = owner + cells[1]
            rows.append(Row(re.sub(r"[^\w.-]", "", "field." + path), path, " ".join(c for c in (cells[2], cells[3]) if c)))
            row.attrSet("id", rows[-1].id)
        for child in token.children or []:
            if child.type == "link_open": child.attrSet("href", link(child.attrGet("href"), False))
            if child.type == "image": child.attrSet("src", link(child.attrGet("src"), True))

    def heading_open(tokens, at, options, env):
        return f'<{tokens[at].tag} id="{html.escape(tokens[at].attrGet("id"))}">'

    def heading_close(tokens, at, options, env):
        id = html.escape(tokens[at - 2].attrGet("id"))
        return f'<a class="anchor" href="#{id}" aria-label="link to this heading">#</a></{tokens[at].tag}>\n'

    rules = parser.renderer.rules
    rules["heading_open"], rules["heading_close"] = heading_open, heading_close
    rules["fence"] = lambda tokens, at, options, env: code(tokens[at].content, tokens[at].info.strip())
    rules["table_open"] = lambda *_: '<div class="table"><table>\n'
    rules["table_close"] = lambda *_: "</table></div>\n"
    return Rendered(parser.renderer.render(tokens, parser.options, {}), sections, rows)
