"""Pages: their frame, the way around, where links lead, and what the search finds."""
import html, os, posixpath, re
from dataclasses import dataclass, field
from pathlib import Path

import markdown

ICON = ('<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" aria-hidden="true">'
        '<path d="M12 2.5 21 7.5v9l-9 5-9-5v-9z"/><path d="M3 7.5l9 5 9-5M12 12.5v9"/></svg>')
MOON = ('<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        '<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z"/></svg>')
MENU = ('<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true">'
        '<path d="M4 7h16M4 12h16M4 17h16"/></svg>')


@dataclass
class Page:
    address: str  # below the site: guide/platinum.html
    title: str
    html: str
    kind: str = "page"  # of the search
    about: str = ""     # for the search, where the title is found
    sections: list = field(default_factory=list)
    crumbs: list = field(default_factory=list)  # (title, address)
    outline: bool = True  # the list of headings beside it
    listed: bool = True   # the search finds it by its title


def first_sentence(text, most=180):
    """Of a paragraph of text."""
    text = re.sub(r"\s+", " ", text).strip()
    end = re.search(r"(?<=[.!?:])\s", text)
    text = text[:end.start()] if end else text
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"


class Site:
    def __init__(self, root, menu):
        self.root, self.menu = root, menu  # menu: (heading, [(title, address)])
        self.pages, self.entries, self.sources = {}, [], {}  # sources: files of the tree -> addresses
        self.files = {}  # address -> path of a file to copy, or bytes

    # ---- what it is made of ----

    def add(self, page):
        assert page.address not in self.pages, page.address
        self.pages[page.address] = page

    def find(self, kind, title, address, context="", text=""):
        """Makes something findable. Kinds: those of search.js."""
        self.entries.append((kind, title, address, context, re.sub(r"\s+", " ", text).strip()))

    def relative(self, base, address):
        path, hash, anchor = address.partition("#")
        return (posixpath.relpath(path, posixpath.dirname(base) or ".") if path else "") + hash + anchor

    def link(self, source, address):
        """Rewrites links of a Markdown file of the tree, on the page of this address."""
        folder = posixpath.dirname(source)

        def rewritten(target, is_image):
            if re.match(r"[a-z]+:", target) or target.startswith("#"): return target
            path, hash, anchor = target.partition("#")
            path = posixpath.normpath(posixpath.join(folder, path))
            if is_image or path.startswith("docs/pictures/"):
                self.files["pictures/" + posixpath.basename(path)] = self.root / path
                return self.relative(address, "pictures/" + posixpath.basename(path))
            to = self.sources.get(path) or self.source_page(path)
            return self.relative(address, to) + hash + anchor
        return rewritten

    def source_page(self, path):
        """A page for a file of the tree that is none of the documentation."""
        file = self.root / path
        if not file.is_file(): raise SystemExit(f"a link leads to {path}, which is no file")
        address = self.sources[path] = f"source/{path}.html"
        language = {".hpp": "cpp", ".h": "c", ".cpp": "cpp", ".mjs": "js", ".mts": "ts", ".py": "python"}.get(file.suffix, "text")
        self.add(Page(address, path, f"<h1><code>{html.escape(path)}</code></h1>\n{markdown.code(file.read_text(), language)}", outline=False))
        return address

    def markdown(self, source, address, kind="page", text=None, fields=False, **more):
        """A page of a Markdown file. Returns what was rendered."""
        text = (self.root / source).read_text() if text is None else text
        made = markdown.render(text, self.link(source, address), fields)
        title = next((s.title for s in made.sections if s.level == 1), source)
        body = [" ".join(s.text) for s in made.sections if s.text]
        page = Page(address, title, self.lively(made.html, address), kind, first_sentence(body[0]) if body else "", made.sections, **more)
        self.add(page)
        return made

    def lively(self, text, address):
        """`<!-- view: NAME -->` below a picture: a button that shows the sample in the viewer."""
        def view(match):
            name = match[2]
            if f"views/{name}.html" not in self.files: return match[1]
            return (f'<div class="live" data-view="views/{name}.html" data-title="{name} in the viewer">{match[1]}'
                    '<button type="button" hidden>Turn it: show it live</button></div>')
        return re.sub(r"(?s)((?:<p>(?:(?!</p>).)*<img(?:(?!</p>).)*</p>)?)\s*<!-- view: ([\w.-]+) -->", view, text)

    # ---- what is written ----

    def frame(self, page):
        at = lambda address: html.escape(self.relative(page.address, address))
        current = page.address
        owners = {page.address, *(a for _, a in page.crumbs)} - {"index.html#for"}
        side = []
        for heading, links in self.menu:
            side.append(f"<h2>{heading}</h2>\n<ul>")
            best = [a for _, a in links if a in owners]
            for title, address in links:
                mark = ' aria-current="page"' if address == current else ' aria-current="true"' if address in best and current not in best else ""
                side.append(f'<li><a href="{at(address)}"{mark}>{title}</a></li>')
            side.append("</ul>")
        outline = [s for s in page.sections if s.level in (2, 3) and s.id]
        if len(outline) > 70: outline = [s for s in outline if s.level == 2]
        toc = ""
        if page.outline and len(outline) > 1:
            items = "\n".join(f'<li{" class=in" if s.level == 3 else ""}><a href="#{html.escape(s.id)}">{html.escape(s.title)}</a></li>' for s in outline)
            toc = f'<nav class="toc" aria-label="On this page"><h2>On this page</h2>\n<ul>\n{items}\n</ul></nav>'
        crumbs = " / ".join(f'<a href="{at(a)}">{html.escape(t)}</a>' for t, a in page.crumbs)
        base = html.escape(posixpath.relpath(".", posixpath.dirname(page.address) or ".").rstrip("/") + "/")
        title = "diorama" if page.address == "index.html" else f"{html.escape(page.title)} · diorama"
        return f"""<!doctype html>
<html lang="en" data-theme="light" data-base="{base}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="description" content="{html.escape(page.about)}">
<script>(function () {{ var t; try {{ t = localStorage.getItem('theme'); }} catch (e) {{}} document.documentElement.dataset.theme = t || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'); }})();</script>
<link rel="stylesheet" href="{at("site.css")}">
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header class="top">
<button class="button menu" id="menu" type="button" aria-label="Pages" aria-expanded="false">{MENU}</button>
<a class="brand" href="{at("index.html")}">{ICON}<span>diorama</span></a>
<div class="space"></div>
<div class="search" role="search"><input id="search" type="search" placeholder="Search: a task, a field, an id …" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-label="Search"><kbd>/</kbd><div class="results" id="results" role="listbox" hidden></div></div>
<button class="button" id="theme" type="button" aria-label="Light or dark">{MOON}</button>
</header>
<div class="frame{"" if toc else " plain"}">
<nav class="side" aria-label="Pages">
{chr(10).join(side)}
</nav>
<main id="main">
{f'<div class="crumbs">{crumbs}</div>' if crumbs else ""}
{page.html}
</main>
{toc}
</div>
<script src="{at("search.js")}"></script>
<script src="{at("site.js")}"></script>
</body>
</html>
"""

    def write(self, folder):
        """All pages and files."""
        for address, page in self.pages.items():
            path = folder / address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.frame(page))
        for address, content in self.files.items():
            path = folder / address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else Path(content).read_bytes())
