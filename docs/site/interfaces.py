"""The programming interfaces, out of their sources: comments and declarations of C, C++, Python and JavaScript."""
import ast, html, re
from dataclasses import dataclass, field

import markdown

# The C++ headers that authors of tools begin with; the others serve these.
HEADERS = {
    "operations": ("Operations: open, check, convert, edit", "operations/operations.hpp operations/describe_json.hpp operations/assignments.hpp operations/editing.hpp operations/changes.hpp operations/merging.hpp operations/archive_tree.hpp "
                   "operations/archive_folders.hpp operations/games.hpp operations/game_editing.hpp operations/apply_scene.hpp operations/id_references.hpp operations/omit_derived.hpp"),
    "formats": ("Formats: the registry, and what a format is", "formats/registry.hpp formats/contract/format.hpp formats/contract/any_document.hpp formats/contract/scenes.hpp formats/contract/building.hpp "
                "formats/contract/edits.hpp formats/contract/pictures.hpp formats/contract/plans.hpp formats/contract/sounds.hpp formats/contract/budgets.hpp formats/contract/archive.hpp "
                "formats/contract/companions.hpp formats/contract/game.hpp formats/contract/findings.hpp formats/contract/reporter.hpp"),
    "core": ("Core: bytes, results, diagnostics, values", "core/bytes.hpp core/result.hpp core/diagnostic.hpp core/value.hpp core/dom.hpp core/json.hpp core/file_tree.hpp core/byte_source.hpp "
             "core/file_bytes.hpp core/memory_budget.hpp core/checksums.hpp core/safe_path.hpp"),
    "layout": ("Layout: how structures are described and walked", "layout/walk.hpp layout/document.hpp layout/spans.hpp layout/write_value.hpp layout/references.hpp layout/path_tree.hpp layout/field_types.hpp layout/text_encoding.hpp"),
    "scene": ("Scene: nodes, meshes, pictures, plans", "scene/scene.hpp scene/image.hpp scene/plan.hpp scene/shapes.hpp scene/quantize.hpp scene/units.hpp"),
    "bridge": ("Bridges: glTF, PNG, SVG, pictures, reports", "bridge/gltf/gltf.hpp bridge/gltf/reader.hpp bridge/png/png.hpp bridge/jpeg/jpeg.hpp bridge/raster/render.hpp bridge/raster/view.hpp bridge/svg/plan_page.hpp "
               "bridge/report/hex.hpp bridge/report/findings.hpp bridge/report/schema.hpp bridge/report/tree.hpp bridge/report/diff.hpp bridge/flat/flat_scene.hpp bridge/linked_files/linked_files.hpp"),
}


@dataclass
class Symbol:
    name: str       # as one calls it: dio_open, File.check
    code: str       # its declaration
    about: str      # its comment, as Markdown
    members: list = field(default_factory=list)  # Symbols
    part: str = ""  # the heading it stands below


def anchor(name):
    return re.sub(r"[^\w.-]", "-", name)


def prose(text):
    """A comment as HTML. Identifiers that code has in it are shown as code."""
    text = re.sub(r"(?<![`\w./])(dio_\w+|DIO_[A-Z]+|capi\.argument)(?![\w`])", r"`\1`", text)
    return markdown.render(text, lambda target, _: target).html


def shown(symbol, language, level=3):
    """HTML of a symbol."""
    inner = "".join(shown(m, language, 4) for m in symbol.members)
    return (f'<section class="api" id="{anchor(symbol.name)}"><h{level}><code>{html.escape(symbol.name)}</code></h{level}>\n'
            f"{markdown.code(symbol.code, language)}{prose(symbol.about)}{inner}</section>\n")


# ---- C ----

def c_symbols(text):
    """Of diorama.h: functions, types and flags with the comment before them; `/* ---- part ---- */` begins a part."""
    symbols, part, comment = [], "types and flags", ""
    body = text[text.index('extern "C" {'):text.rindex("#ifdef __cplusplus")]
    token = re.compile(r"/\*(.*?)\*/|(#define \w+ [^\n]*)|(typedef struct \w+ \{[^}]*\}[^;]*;|(?:DIO_API|typedef)\b[^;]*;)|(\n[ \t]*\n)", re.S)
    for match in token.finditer(body):
        remark, flag, declaration, gap = match.groups()
        if remark is not None:
            words = re.sub(r"\s*\n\s*\* ?", "\n", remark).strip()
            heading = re.fullmatch(r"-+ (.*?) -+", words)
            if heading: part, comment = heading[1], ""
            else: comment = words
        elif flag:
            name = flag.split()[1]
            about = re.search(r"/\*\s*(.*?)\s*\*/", flag)
            symbols.append(Symbol(name, re.sub(r"\s*/\*.*", "", flag), (comment + "\n\n" if comment else "") + (about[1] if about else ""), part=part))
        elif declaration:
            code = declaration.replace("DIO_API ", "")
            name = re.search(r"\(\*(\w+)\)", code) if code.startswith("typedef") and "(*" in code else re.search(r"(\w+)\s*(?:\((?:[^()]|\([^()]*\))*\))?;$", code, re.S)
            symbols.append(Symbol(name[1], code, comment, part=part))
        else:
            comment = ""
    return symbols


def c_introduction(text):
    """The comment at the top of diorama.h: a paragraph for each subject."""
    remark = re.match(r"/\*(.*?)\*/", text, re.S)[1]
    lines = re.sub(r"\n \* ?", "\n", remark).strip().split("\n")
    body = "\n".join(lines)[len("diorama.h: "):]
    body = body[0].upper() + body[1:]
    body = re.sub(r"(?m)^   *(\{.*?)(?=\n\S)", lambda m: "\n```json\n" + m[0].strip() + "\n```\n", body, flags=re.S)
    return re.sub(r"(?m)^(Ownership|Errors|Threads)\.", r"**\1.**", body)


# ---- C++ ----

def cut_body(code):
    """A function without what it does."""
    if re.match(r"(template[^\n]*\n)?(struct|class|enum|union)\b", code): return code
    depth = 0
    for at, c in enumerate(code):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == "{" and depth == 0 and re.search(r"\)\s*(const|noexcept|override|->.*|:.*)?\s*$", code[:at], re.S): return re.sub(r"\s*:[^:].*$", "", code[:at].rstrip(), flags=re.S) + ";"
    return code


def cpp_name(code):
    code = re.sub(r"^template\s*<.*?>\s*\n", "", re.sub(r"\[\[\w+\]\]\s*", "", code), flags=re.S)
    record = re.match(r"(?:struct|class|enum class|enum|using|concept)\s+([\w:]+)", code)
    if record: return record[1]
    head = re.split(r"[({=;]", code, maxsplit=1)[0].strip()
    if "operator" in head or "operator" in code.split("\n")[0]: return ""
    name = re.search(r"([A-Za-z_]\w*)\s*(?:\[\w*\])?$", head)
    return name[1] if name else ""


def cpp_symbols(text):
    """Declarations of a header at the level of namespaces, each with the `///` above it. What follows without one and without an
    empty line belongs to it."""
    symbols, comment, lines, depth, gap = [], [], [], 0, True
    for line in text.split("\n"):
        bare = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', '""', line.split("//")[0])
        if not lines:
            stripped = line.strip()
            if stripped.startswith("///"):
                comment.append(re.sub(r"^/// ?", "", stripped))
                continue
            if not stripped or stripped.startswith(("#", "//", "namespace ", "}")) or re.match(r"[A-Z_]+\(.*\)$", stripped):
                gap, comment = True, []
                continue
        lines.append(line)
        depth += sum(bare.count(c) for c in "{(") - sum(bare.count(c) for c in "})")
        ended = re.search(r"[;}]\s*$", bare) and depth == 0
        if not ended: continue
        code = cut_body("\n".join(lines).rstrip())
        name = cpp_name(code)
        if not comment and not gap and symbols and not re.match(r"(template.*\n)?(struct|class|enum)", code):
            symbols[-1].code += "\n" + code
            if name and name not in symbols[-1].name.split(", "): symbols[-1].name += f", {name}"
        elif name and (comment or not re.fullmatch(r"(template[^\n]*\n)?(struct|class) \w+;\s*(//.*)?", code)):
            symbols.append(Symbol(name, code, "\n".join(comment)))
        lines, comment, gap = [], [], False
    return symbols


def cpp_members(code):
    """The functions of a struct or a class."""
    return list(dict.fromkeys(re.findall(r"(?m)^  (?!return\b|explicit\b|//)[\w:<>,&*\[\] ]*?[ &*](\w+)\(", code)))


# ---- Python ----

def py_signature(node, name):
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^self(, )?|^cls(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{name}({arguments}){returns}"


def py_class(node, source):
    members, fields = [], []
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and not child.name.startswith("_"):
            marks = {ast.unparse(d) for d in child.decorator_list}
            if "overload" in marks: continue  # the definition below has the documentation
            about = ast.get_docstring(child) or ""
            if not about and "classmethod" in marks: continue  # of(): for the package itself
            name = f"{node.name}.{child.name}"
            code = f"{name}: {ast.unparse(child.returns)}" if "property" in marks and child.returns else py_signature(child, name)
            members.append(Symbol(name, code, about))
        if isinstance(child, ast.AnnAssign) and not ast.unparse(child.target).startswith("_"):
            fields.append(source[child.lineno - 1].strip().replace("#: ", "# "))
    bases = ", ".join(ast.unparse(b) for b in node.bases)
    code = f"class {node.name}" + (f"({bases})" if bases else "") + (":\n    " + "\n    ".join(fields) if fields else "")
    return Symbol(node.name, code, ast.get_docstring(node) or "", members)


def py_symbols(folder):
    """What `diorama` exports, in the order: functions, then classes by name."""
    public, functions, classes = set(), [], []
    for file in sorted(folder.glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__": public = {e.value for e in node.value.elts}
    for file in sorted(folder.glob("*.py")):
        source = file.read_text()
        for node in ast.parse(source).body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                name = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
                above = re.match(r"#: (.*)", source.split("\n")[node.lineno - 2])
                if name in public and not name.startswith("_"): classes.append(Symbol(name, ast.unparse(node), above[1] if above else ""))
            if getattr(node, "name", None) not in public: continue
            if isinstance(node, ast.FunctionDef): functions.append(Symbol(node.name, py_signature(node, "diorama." + node.name), ast.get_docstring(node) or ""))
            if isinstance(node, ast.ClassDef): classes.append(py_class(node, source.split("\n")))
    return sorted(functions, key=lambda s: s.name) + sorted(classes, key=lambda s: (not s.members, s.name))


# ---- JavaScript ----

def js_members(body):
    """(comment, declaration) of each member of a class or an interface."""
    remark, lines = "", []
    for line in re.sub(r"(?m)^  ", "", body).split("\n"):
        comment = re.match(r"/\*\*(.*?)(\*/)?$", line)
        if not lines and comment: remark, open_ = comment[1].strip(), not comment[2]
        elif not lines and remark and open_:
            remark += "\n" + line.strip(" */")
            open_ = "*/" not in line
        elif line and line != "}":
            lines.append(line)
            code = "\n".join(lines)
            if line.endswith(";") and code.count("{") == code.count("}"):
                yield remark, code
                remark, lines = "", []


def js_symbols(text):
    """Of the declarations: types, functions and classes with the comment before them; methods of classes apart."""
    symbols = []
    declaration = re.compile(r"(?:/\*\*(?P<about>(?:(?!\*/).)*)\*/\n)?(?P<code>export (?:declare )?(?:(?P<block>interface|class)\s+(?P<name>\w+)[^{]*\{\n.*?\n\}|(?:type|function|const)\s+(?P<other>\w+).*?;(?=\n)))", re.S)
    for m in declaration.finditer(text):
        about = re.sub(r"\s*\n\s*\*?\s*", "\n", m["about"] or "").strip()
        code = m["code"].replace("export ", "", 1)
        if m["block"] != "class" and not re.search(r"(?m)^  \w+(\?|<\w+>)?\(", m["code"]):
            symbols.append(Symbol(m["name"] or m["other"], code, about))
            continue
        name, members = m["name"], []
        head, body = code.split("{\n", 1)
        for about_one, code_one in js_members(body):
            called = re.match(r"(?:static |readonly |get |async )*(\w+)", code_one)[1]
            members.append(Symbol("new " + name if called == "constructor" else f"{name}.{called}", code_one, about_one))
        merged = {}  # overloads
        for one in members:
            if one.name in merged:
                merged[one.name].code += "\n" + one.code
                merged[one.name].about = "\n\n".join(filter(None, (merged[one.name].about, one.about)))
            else: merged[one.name] = one
        symbols.append(Symbol(name, head.strip(), about, list(merged.values())))
    return symbols
