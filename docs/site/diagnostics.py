"""A page for each diagnostic: what it means, the damaged file that has it, the finding, the bytes, a picture."""
import html, json, re, subprocess
from concurrent.futures import ThreadPoolExecutor

import examples, markdown, places
from pages import Page

# Pages of lists: the part of an id before the dot -> its title. Others are those of the library.
FAMILIES = {
    "kmp": "Courses of Mario Kart Wii", "kcl": "Collision of Mario Kart", "brres": "Models and textures of the Wii", "bmg": "Messages", "egg": "Lights, fog, bloom and focus",
    "nitro": "Models and animations of the DS", "platinum": "Maps of Pokémon Platinum", "fft": "Maps of Final Fantasy Tactics", "splashpack": "Scene packs of psxsplash",
    "archives": "Archives, cartridges and discs",
}
LIBRARY = "library"
NO_EXAMPLE = dict(examples.table("no_example.txt"))
MOST_BYTES = 1 << 16  # of a damaged file that the site has for download


def json_of(dio, *words, cwd=None):
    done = subprocess.run([dio, *words], capture_output=True, text=True, cwd=cwd)
    return json.loads(done.stdout) if done.stdout.strip() else None


def severity_mark(severity):
    return f'<span class="severity {severity}">{severity}</span>'


def prose(text):
    """A text of a rule: plain, but for `code`."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def run(dio, *words, cwd=None):
    """What a command prints, as lines."""
    done = subprocess.run([dio, *words], capture_output=True, text=True, errors="replace", cwd=cwd)
    lines = (done.stdout + done.stderr).rstrip("\n").split("\n")
    return lines + ([f"exit {done.returncode}"] if done.returncode else [])


class Damaged:
    """A damaged file as the program sees it: the finding, and the bytes around it."""
    def __init__(self, dio, folder, rule, path, format):
        self.rule, self.format, self.file = rule, format, folder / path
        self.folder, self.name = (self.file.parent, self.file.name)
        words = ["check", *(["--maps"] if format == "game" else []), self.name]
        found = self.findings(dio, words)
        if not found and format != "game":  # the damage is in what the format is known by
            words += ["--as", format]
            found = self.findings(dio, words)
        self.finding, self.as_words = (found[0] if found else None), words[2:] if "--as" in words else []
        self.command, self.printed = "dio " + " ".join(words), run(dio, *words, cwd=self.folder)
        if len(self.printed) > 14 and self.finding:
            self.command += f" --rule {rule}"
            self.printed = run(dio, *words, "--rule", rule, cwd=self.folder)
        if len(self.printed) > 20: self.printed = self.printed[:18] + ["..."]
        self.bytes = self.bytes_around(dio) if self.finding else []

    def findings(self, dio, words):
        done = subprocess.run([dio, *words, "--json", "--fail-on", "never"], capture_output=True, text=True, errors="replace", cwd=self.folder)
        return [f for f in json.loads(done.stdout)["findings"] if f["id"] == self.rule] if done.stdout.startswith("{") else []

    def bytes_around(self, dio):
        """(is it what was found, offset, bytes, letters, meaning) of lines of `dio hex`."""
        at, size = self.finding.get("offset"), max(self.finding.get("size", 1), 1)
        if at is None: return []
        name = self.finding.get("file", self.name)
        if self.format == "game" and not name.startswith(self.name): name = f"{self.name}/{name}"
        begin, end = max(0, at - 12), at + min(size, 48)
        lines = run(dio, "hex", name, "--range", f"{begin}-{end + 12}", *self.as_words, cwd=self.folder)
        if lines[-1].startswith("exit"): lines = run(dio, "hex", name, "--range", f"{begin}-{end}", *self.as_words, cwd=self.folder)  # at the end of the file
        rows = []
        for line in lines:
            row = re.match(r"0x([0-9a-f]+)  (.{48})  (.{16})(?:  (.*))?$", line.ljust(90))
            if not row: continue
            first, bytes_, letters, means = int(row[1], 16) // 16 * 16, row[2], row[3], row[4]
            places = [first + n for n in range(16) if bytes_[3 * n + (n > 7):3 * n + (n > 7) + 2].strip()]
            is_found = any(at <= place < at + size for place in places)
            if not (means or "").strip() and rows: means = "" if rows[-1][4].startswith("…") else "…"
            rows.append((is_found, row[1], bytes_.rstrip(), letters, (means or "").rstrip()))
        around = next((i for i, row in enumerate(rows) if row[0]), 0)
        return rows[max(0, around - 5):around + 9]


def hex_table(rows):
    body = "".join(f'<tr{" class=found" if found else ""}><td class="at">0x{at}</td><td class="hex">{bytes_}</td><td class="text">{html.escape(letters)}</td><td class="means">{html.escape(means)}</td></tr>\n'
                   for found, at, bytes_, letters, means in rows)
    return f'<div class="hexbox table"><table class="bytes"><tbody>{body}</tbody></table></div>\n'


def nearest(file, samples):
    """The sample that a damaged file was made of: the one with the fewest other bytes."""
    content = file.read_bytes()
    def distance(sample):
        other = sample.read_bytes()
        return abs(len(other) - len(content)) + sum(a != b for a, b in zip(content, other))
    return min(samples, key=distance, default=None)


def draw(dio, damaged, samples, work):
    """What is drawn otherwise than in the sample that it was made of; nothing if no difference is seen."""
    if damaged.format == "game" or len(damaged.file.read_bytes()) > MOST_BYTES: return None
    sample = nearest(damaged.file, [s for s in sorted((samples / damaged.format).glob("*")) if s.is_file()])
    if not sample: return None
    picture = work / f"{damaged.rule}.png"
    done = subprocess.run([dio, "diff", sample, damaged.file, "--render", picture, "--size", "400x300", "--background", "#20242c"], capture_output=True, text=True, errors="replace")
    return (sample.name, picture) if picture.is_file() and "nothing visible changed" not in done.stderr else None


def place(dio, damaged, work):
    """Where the value with the finding is seen on a picture of the file."""
    path = (damaged.finding or {}).get("path", "")
    if "[" not in path or damaged.format == "game" or damaged.file.stat().st_size > MOST_BYTES: return None
    return places.draw(dio, damaged.file, path, work, damaged.rule)


def entry(rule, damaged, drawn, seen, example, site):
    """HTML of the page of a rule."""
    address = f"diagnostics/{rule['rule']}.html"
    severities = " ".join(severity_mark(s) for s in [rule["severity"], *rule.get("also", [])])
    parts = [f'<h1><code>{rule["rule"]}</code></h1>\n<div class="rule-head">{severities}</div>\n<p class="lead">{html.escape(rule["sentence"][0].upper() + rule["sentence"][1:])}.</p>']
    answers = [("Why it matters", rule.get("why")), ("What to do", rule.get("fix")), ("Source", rule.get("source"))]
    parts.append('<dl class="answers">' + "".join(f"<dt>{name}</dt><dd>{prose(text)}</dd>" for name, text in answers if text) + "</dl>")
    if damaged:
        parts.append('<h2 id="example">A file that has it</h2>')
        if damaged.file.is_file() and damaged.file.stat().st_size <= MOST_BYTES:
            copy = f"damaged/{rule['rule']}{damaged.file.suffix}"
            site.files[copy] = damaged.file
            parts.append(f'<p><a href="{site.relative(address, copy)}" download="{damaged.name}">{damaged.name}</a>, {damaged.file.stat().st_size:,} bytes, made by the project\'s own code from a sample: as little as possible is wrong with it.</p>')
        else:
            parts.append("<p>It is made by the project's own code from a sample: as little as possible is wrong with it.</p>")
        parts.append(markdown.console("$ " + damaged.command + "\n" + "\n".join(damaged.printed)))
        if damaged.bytes: parts.append(f'<h2 id="bytes">The bytes</h2>\n<p>As <code>dio hex</code> shows them; what was found is marked.</p>\n{hex_table(damaged.bytes)}')
        if drawn:
            picture = f"pictures/rule-{rule['rule']}.png"
            site.files[picture] = drawn[1]
            parts.append(f'<h2 id="picture">The picture</h2>\n<figure><img src="{site.relative(address, picture)}" alt="the sample, the damaged file, and what differs" loading="lazy">'
                         f"<figcaption><code>dio diff {drawn[0]} {damaged.name} --render</code>: the sample, the damaged file, and what is drawn otherwise.</figcaption></figure>")
        elif seen:
            picture, left, top = seen
            name = f"pictures/rule-{rule['rule']}.png"
            site.files[name] = picture
            parts.append(f'<h2 id="picture">The place</h2>\n<figure class="place"><div><img src="{site.relative(address, name)}" alt="the damaged file" width="{places.SIZE[0]}" height="{places.SIZE[1]}" loading="lazy">'
                         f'<i style="left: {left:.1f}%; top: {top:.1f}%"></i></div><figcaption>Where <code>{html.escape(damaged.finding["path"])}</code> is.</figcaption></figure>')
    elif example:
        file, command, shown = example
        parts.append(f'<h2 id="example">When it is said</h2>\n<p>A test of the project shows it (<code>{html.escape(file)}</code>):</p>\n' + markdown.console("$ " + command + "\n" + "\n".join(shown)))
    elif rule["rule"] in NO_EXAMPLE:
        parts.append(f'<h2>Why there is no example</h2>\n<p>{html.escape(NO_EXAMPLE[rule["rule"]])}</p>')
    return address, "\n".join(parts)


def add(site, dio, folder, work, listed, all_examples):
    """The pages of all rules, and their lists. Returns the rules."""
    topics = json.loads(subprocess.run([dio, "explain", "--json"], capture_output=True, check=True).stdout)["topics"]
    ids = list(dict.fromkeys(t for t in topics if "." in t))
    made = {}
    for line in (folder / "list").read_text().splitlines():
        id, path, format = line.split("\t")
        made[id] = (path, format)
    with ThreadPoolExecutor(4) as pool:
        rules = list(pool.map(lambda id: json.loads(subprocess.run([dio, "explain", id, "--json"], capture_output=True, check=True).stdout), ids))
        damaged = dict(pool.map(lambda id: (id, Damaged(dio, folder, id, *made[id])), [id for id in ids if id in made]))
        with_scene = {f["id"] for f in listed if f["gltf"]}
        drawn = dict(pool.map(lambda d: (d.rule, draw(dio, d, work / "samples", work)), [d for d in damaged.values() if d.format in with_scene]))
        seen = dict(pool.map(lambda d: (d.rule, place(dio, d, work)), [d for d in damaged.values() if d.format in with_scene and not drawn[d.rule]]))
    shown = examples.by_rule(all_examples, set(ids) - set(damaged))
    lists = {}
    for rule in rules:
        id = rule["rule"]
        family = id.split(".")[0] if id.split(".")[0] in FAMILIES else LIBRARY
        address, text = entry(rule, damaged.get(id), drawn.get(id), seen.get(id), shown.get(id), site)
        site.add(Page(address, id, text, "rule", rule["sentence"], outline=False, listed=False, crumbs=[("Diagnostics", "diagnostics/index.html"), (FAMILIES.get(family, "Library"), f"diagnostics/{family}.html")]))
        found = damaged[id].finding if id in damaged else None
        site.find("rule", id, address, rule["severity"], " ".join(filter(None, (rule["sentence"] + ".", (found or {}).get("message"), rule.get("why")))))
        lists.setdefault(family, []).append(rule)
    for family, rules_of in lists.items():
        title = FAMILIES.get(family, "The library: reading, writing, pictures, edits, games")
        rows = "".join(f'<tr><td><a href="{r["rule"]}.html"><code>{r["rule"]}</code></a></td><td>{severity_mark(r["severity"])}</td><td>{html.escape(r["sentence"])}</td></tr>' for r in rules_of)
        site.add(Page(f"diagnostics/{family}.html", f"Diagnostics: {title}", f'<h1>{html.escape(title)}</h1>\n<p class="lead">{len(rules_of)} diagnostics: what a good file has. Each has a page with the damaged file that breaks it.</p>\n'
                      f'<div class="wide table"><table><thead><tr><th>id</th><th>severity</th><th>what a good file has</th></tr></thead><tbody>{rows}</tbody></table></div>', outline=False,
                      about=f"{len(rules_of)} diagnostics", crumbs=[("Diagnostics", "diagnostics/index.html")]))
    by_format = {}
    for f in listed:
        out = json.loads(subprocess.run([dio, "explain", f["id"], "--json"], capture_output=True, check=True).stdout)
        if out.get("rules"): by_format[f["id"]] = out["rules"][0]["rule"].split(".")[0]
    site.families = by_format
    cards = "".join(f'<tr><td><a href="{family}.html">{html.escape(FAMILIES.get(family, "The library"))}</a></td><td>{len(rules_of)}</td><td>{", ".join(f for f, name in by_format.items() if name == family)}</td></tr>' for family, rules_of in lists.items())
    site.add(Page("diagnostics/index.html", "Diagnostics", f"""<h1>Diagnostics</h1>
<p class="lead">Whatever diorama finds has an id, an offset and a reason. Here is each of the {len(rules)} ids: what a good file has, what happens otherwise, and what to do; most with a damaged file, its finding and its bytes.</p>
<p>{severity_mark("error")} breaks the game: it crashes, freezes or reads outside. {severity_mark("warning")} misbehaves, or is probably a mistake. {severity_mark("hint")} is worth knowing. {severity_mark("stop")} means that a file cannot be read, or a result cannot be written; people see it as an error.
On the command line: <code>dio explain ID</code>. Which rules a format has: <code>dio explain FORMAT</code>.</p>
<div class="table"><table><thead><tr><th>family</th><th>ids</th><th>formats</th></tr></thead><tbody>{cards}</tbody></table></div>""", about="Every id, with its meaning, its remedy and a damaged file", outline=False))
    return rules
