"""Commands and what they print, out of the golden tests and the guides."""
import re
from pathlib import Path

# Where the shell starts dio: most commands are nothing else, some make a file for it first.
VERB = re.compile(r"(?:^\$|;|&&|\|) dio ([a-z]+)")
LONGEST = 240  # characters of a command that makes a file first; longer ones explain nothing


def table(name):
    """Rows of a file beside this one: an id, a tab, a text; the first line says what they mean."""
    return [line.split("\t") for line in Path(__file__).with_name(name).read_text().splitlines()[1:]]


def of_tests(root):
    """(file, command, what it prints) of every command of the tests that is an example of dio."""
    files = sorted([*(root / "tests/golden").rglob("*.test"), *(root / "tests/golden").rglob("*.md"), *(root / "docs/guide").glob("*.md"), root / "README.md"])
    for file in files:
        text = file.read_text()
        blocks = re.findall(r"(?ms)^```console\n(.*?)^```$", text) if file.suffix == ".md" else [text]
        for block in blocks:
            pieces = re.split(r"(?m)^(\$ .*\n)", block)
            for command, printed in zip(pieces[1::2], pieces[2::2]):
                if VERB.search(command): yield file.relative_to(root).as_posix(), command[2:].strip(), printed.rstrip("\n")


def by_rule(examples, ids):
    """id -> (file, command, the lines that show it), of the shortest example that shows it."""
    found = {}

    def keep(id, file, command, lines, at):
        shown = lines if len(lines) <= 14 else lines[max(0, at - 3):at + 8]
        old = found.get(id)
        def rank(command, shown): return (not command.startswith("dio "), len(shown), len(command))
        is_short = command.startswith("dio ") or len(command) <= LONGEST
        if is_short and (not old or rank(old[1], old[2]) > rank(command, shown)): found[id] = (file, command, shown)

    examples = list(examples)
    word = re.compile(r"(?<![\w.-])([a-z0-9]+\.[a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])")
    for file, command, printed in examples:
        if VERB.search("$ " + command)[1] in ("explain", "formats", "help", "schema"): continue
        lines = printed.split("\n")
        for id in set(word.findall(printed)) & ids:
            keep(id, file, command, lines, next(i for i, line in enumerate(lines) if id in word.findall(line)))
    for id, part in table("said.txt"):
        for file, command, printed in examples:
            if part in printed and id in ids:
                lines = printed.split("\n")
                keep(id, file, command, lines, next(i for i, line in enumerate(lines) if part in line))
        if id in ids and id not in found: raise SystemExit(f"docs/site/said.txt: no golden test shows: {part}")
    return found
