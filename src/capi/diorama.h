/* diorama.h: the C interface of the library, in C99. The Python package uses it through ctypes, the JavaScript package
 * through WebAssembly.
 *
 * Ownership. The caller owns every dio_buffer*, dio_file*, dio_editing*, dio_scene* and dio_game* that a function
 * returns, and frees it with dio_buffer_free, dio_close, dio_editing_close, dio_scene_close or dio_game_close.
 * Arguments stay with the caller: the library copies the data that it keeps.
 *
 * Errors. A function that returns a dio_buffer never returns null. The only exception is dio_error: it returns null if
 * there is no error. If dio_buffer_ok returns 0, the buffer holds one diagnostic as JSON instead of the result, in the
 * form of the findings of `dio check --format json`:
 *   {"severity": "stop", "id": "layout.truncated", "file": "course.kmp", "offset": 36, "size": 4, "path": "...",
 *    "message": "...", "expected": "...", "found": "...", "hint": "..."}
 * Members without a known value are left out. Wrong arguments are reported in the same way, with the id capi.argument:
 * null where a value is needed, an unknown flag, a dio_buffer passed as a dio_file or the reverse, a question that
 * files of this format cannot answer. Every function that takes a file may return capi.argument and, if the file could
 * not be read, the reason. The comments list the other errors; layout.* means every id that begins with "layout.". The
 * library cannot detect other invalid pointers or freed pointers. If memory runs out, the process ends; in WebAssembly,
 * the call traps.
 *
 * Texts. Texts are UTF-8; in JSON, invalid bytes become U+FFFD. A const char* argument ends with a NUL; null means an
 * empty text. The JSON of a file is identical to the output of the program `dio` for the same file and verb. In the
 * outlines of JSON below, "name"? is a member that may be missing.
 *
 * Stability. symbols.txt in this folder lists every function; docs/guide/c-interface.md states which changes later
 * versions may make.
 *
 * Threads. The library has no global mutable state. A dio_file never changes after dio_open, and a dio_buffer never
 * changes: several threads may use the same one while no thread frees it. A dio_editing, a dio_scene and a dio_game may
 * each be used by one thread at a time. A game and its scenes count as one object here, and so do a file that was
 * opened in parts and the games opened from it.
 */
#ifndef DIORAMA_H
#define DIORAMA_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define DIO_API __declspec(dllexport)
#elif defined(__GNUC__)
#define DIO_API __attribute__((visibility("default")))
#else
#define DIO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes with a name: a file in a folder, a member of an archive, or a sibling file. The parts of a path are separated
 * by "/". */
typedef struct dio_named {
  const char* name;
  const void* bytes;
  size_t size;
} dio_named;

/* A result or an error, as bytes or text. */
typedef struct dio_buffer dio_buffer;
/* An opened file, readable or not. */
typedef struct dio_file dio_file;
/* A file during editing: its values and a log of the edits. */
typedef struct dio_editing dio_editing;
/* The 3D content of a file or of a part of a game: nodes, meshes, materials, animations. */
typedef struct dio_scene dio_scene;
/* A whole game: maps made of several files, in a cartridge, on a disc or in a folder. */
typedef struct dio_game dio_game;

/* Flags of dio_open and dio_open_parts. */
#define DIO_STRICT 1u /* a damaged part makes the file unreadable; otherwise, it is kept as raw bytes */
#define DIO_KNOWN 8u  /* dio_check also reports findings known in retail files: `dio check --known` */

/* Flags of functions that write a file, such as dio_save and dio_encode. */
#define DIO_CANONICAL 2u /* rewrites even an unedited file in the canonical layout, and drops unreferenced bytes */
#define DIO_LOSSY 4u     /* allows an edited file to lose unreferenced bytes that are not zero */

/* Flags of functions that edit lists, such as dio_editing_run. */
#define DIO_UNLINK 16u  /* clears references to removed elements: `dio edit --unlink` */
#define DIO_CASCADE 32u /* also removes elements that refer to a removed element: `dio edit --cascade` */

/* Flags of dio_put_back. */
#define DIO_PARTLY 128u /* skips scene changes that cannot be applied to the file: `dio convert --onto --partly` */
#define DIO_DELETE 256u /* removes missing parts even if there are more than three: `dio convert --onto --delete` */

/* Flag of dio_find. */
#define DIO_EVERY_BYTE 64u /* searches at every byte, not only at every fourth byte */

/* ---- the library ------------------------------------------------------------------------------------------------ */

/* Returns the version, such as "1.2.3". The text stays valid until the program ends. */
DIO_API const char* dio_version(void);

/* Returns the formats as JSON: {"schema": "diorama.formats/1", "formats": [{"id", "title", "platform", "extensions",
 * "checks", "gltf", "placed"?, "node_kinds"?, "simulates"?, "archive"?, "compressed"?, "options"?}]}. `extensions` is
 * one text: ".iso .bin .img". `checks` is the number of rules that dio_check tests. `gltf` is true if dio_convert can
 * write the format as glTF. `placed` lists the node kinds that the edit "place" moves. `node_kinds` describes how
 * viewers show nodes: [{"kind", "path", "layer", "overlay", "content", "faint", "hidden", "state", "label",
 * "hides_as_game", "tiles", "tile_grid", "height", "point", "added_with", "cell"}]; only `kind` is always present.
 * `simulates` is true if dio_simulate supports the format. `options` is present if dio_make can create the format from
 * scenes, and lists its options: [{"name", "usage", "about", "remakes"}]. If `remakes` is true, the option also applies
 * when dio_make converts a file to another version. */
DIO_API dio_buffer* dio_formats(void);

/* Returns the list of generated sample files of all formats as JSON: {"schema": "diorama.samples/1", "samples":
 * [{"format", "name", "about", "size"}]}. Not available in the WebAssembly module. */
DIO_API dio_buffer* dio_samples(void);
/* Returns the bytes of a sample file from dio_samples. Names are unique within a format. */
DIO_API dio_buffer* dio_sample(const char* format, const char* name);

/* Returns the meaning of the id of a finding or an error as JSON: {"schema": "diorama.explain/1", "rule", "severity",
 * "also"?, "cause"?, "sentence", "why", "fix", "source"}. `sentence` states the rule, `why` the consequence of breaking
 * it, and `fix` the remedy. `also` lists other severities that findings of this rule may have. `cause` classifies an
 * error: "input" (the data is damaged or has no known format), "request" (an argument makes no sense), "absent" (the
 * requested item does not exist), "limit" (the result would exceed a limit or lose data), "system" (a file cannot be
 * read, written or found), "fault" (a bug). */
DIO_API dio_buffer* dio_explain(const char* id);

/* Returns the possible content of files of a format, derived from its samples. `form` is "json" for a JSON Schema
 * (2020-12) of the dio_decode result, or "markdown" for tables. Not available in the WebAssembly module. */
DIO_API dio_buffer* dio_schema(const char* format, const char* form);

/* Finds files of known formats inside other data. Returns JSON: {"schema": "diorama.find/1", "file": name,
 * "alignment", "found": [{"offset", "size", "format", "damaged_parts"}]}. Only offsets that are multiples of the
 * alignment are searched. Flags: DIO_EVERY_BYTE (alignment 1, otherwise 4). The running time grows with `size`.
 * Corresponds to `dio find`. */
DIO_API dio_buffer* dio_find(const void* bytes, size_t size, const char* name, uint32_t flags);

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Detects the format of the bytes and reads them. Never returns null. `name` is a file name, used for detection and in
 * messages. `as` is the id of the format to read the bytes as; if it is null or empty, the library uses the best match.
 * The function also returns a file for unreadable bytes: dio_error returns the reason, dio_check reports the reason as
 * a finding, and dio_trace and dio_tree show the file up to the damage. Flags: DIO_STRICT, DIO_KNOWN. */
DIO_API dio_file* dio_open(const void* bytes, size_t size, const char* name, const char* as, uint32_t flags);
/* Frees a file. Null is allowed. */
DIO_API void dio_close(dio_file* file);

/* A function of the caller: reads `size` bytes at `offset` into `to` and returns the number of bytes read. A smaller
 * number than `size` causes the error io.read. The requested range is always inside the file. The function must not
 * call the library. */
typedef size_t (*dio_read)(void* user, uint64_t offset, void* to, size_t size);

/* Opens a large file (the image of a cartridge or a disc) without holding all of it in memory. The library calls `read`
 * with `user`: first for the tables, later for the requested members, until the file and everything opened from it are
 * closed. These functions support such a file: dio_info (with the numbers of members and of truncated members),
 * dio_members (without the format ids of members), dio_member, dio_bytes and dio_game_open. Functions that need all
 * bytes return the error capi.argument. Any other file of up to 256 MiB is read completely. In WebAssembly, `read` may
 * be 0: the library then calls the import "read" of the module "diorama" with the numbers (user, offset, to, size), and
 * expects a number. One thread at a time may use a file that was opened in parts. Flags: DIO_STRICT, DIO_KNOWN. Errors:
 * those of dio_open, io.read. */
DIO_API dio_file* dio_open_parts(uint64_t size, const char* name, dio_read read, void* user, uint32_t flags);

/* Returns 1 if the file was read, or 0 if it could not be read or `file` is not a dio_file. */
DIO_API uint32_t dio_file_ok(const dio_file* file);
/* Returns the reason why a file could not be read, in a buffer for which dio_buffer_ok returns 0. Returns null, with
 * nothing to free, if the file was read. */
DIO_API dio_buffer* dio_error(const dio_file* file);
/* Returns the id of the file's format, or null if the format is unknown. The text stays valid until the file is
 * closed. */
DIO_API const char* dio_file_format(const dio_file* file);

/* Returns the names of a file's sibling files as JSON: {"schema": "diorama.beside/1", "names": ["room.vram",
 * "room.spu"]}. For a scene (.glb, .gltf, .obj), these are the files that it refers to; the pictures of an .obj are
 * listed once dio_together got its material files. The files need not exist: the caller looks for them and passes
 * existing files to dio_together. */
DIO_API dio_buffer* dio_beside(const dio_file* file);

/* Returns a new file: `file` combined with `count` sibling files, such as the textures and animations of a model or the
 * collision file of a course. `file` and `others` may be closed afterwards. dio_check, dio_convert, dio_textures,
 * dio_budget and dio_make then use all of these files. With a count of 0, dio_check reports missing sibling files. A
 * scene (.glb, .gltf) can be combined with any files that it refers to, named by their paths relative to the scene. If
 * one of the others cannot be used with `file`, the result has the error capi.argument. If one of the others cannot be
 * read, dio_check reports it. */
DIO_API dio_file* dio_together(const dio_file* file, const dio_file* const* others, size_t count);

/* Returns a summary of the file as JSON: {"schema": "diorama.info/1", "file", "format", "size", "certainty", "reason",
 * "info"}. `certainty` and `reason` describe the detection of the format. The members of `info` depend on the format;
 * its member "beside", if present, lists the names of the sibling files. */
DIO_API dio_buffer* dio_info(const dio_file* file);

/* Returns the findings for a file as JSON: {"schema": "diorama.check/1", "findings": [...], "summary": {...}, "files":
 * 1}. Also works for unreadable files. Findings known in retail files are left out, unless the file was opened with
 * DIO_KNOWN. */
DIO_API dio_buffer* dio_check(const dio_file* file);
/* Simulates the game's rules and returns the findings in the form of dio_check. Works for courses (kmp): pass the
 * collision file of the course with dio_together. Errors: capi.argument, and the error of the file. Corresponds to `dio
 * simulate --format json`. */
DIO_API dio_buffer* dio_simulate(const dio_file* file);

/* Combines the findings from `checks_count` results of dio_check, dio_simulate, dio_check_member and dio_game_check.
 * `form` is "json" (the form of these results), "sarif" (SARIF 2.1.0), "summary" (the number of findings per rule, as
 * JSON) or "text" (one line per finding). `options` are `count` texts: "rule=ID" keeps only findings whose id begins
 * with ID, "ignore=PATTERN" drops findings whose id matches PATTERN, and "baseline=JSON" drops findings that are in the
 * "json" result of an earlier run. "rule" and "ignore" may be given several times. Errors: capi.argument,
 * check.baseline. */
DIO_API dio_buffer* dio_report(const dio_buffer* const* checks, size_t checks_count, const char* form,
                               const char* const* options, size_t count);

/* Repairs every problem that has exactly one safe repair. Returns one file, in the form described under "results with
 * several files", with one more member: "repairs": [{"id", "path", "about"}]. If there is nothing to repair, the bytes
 * are unchanged. Errors: capi.argument (the format has no repairs), layout.*. Corresponds to `dio check --fix`. */
DIO_API dio_buffer* dio_repair(const dio_file* file);

/* Tests whether reading and writing the file restores every byte, and returns JSON: {"schema": "diorama.verify/1",
 * "file", "format", "size", "straight", "through_json", "decodes", "problem"?}. `straight` is the result without
 * JSON, `through_json` the result through dio_decode and dio_encode. `decodes` is false if the file is compressed and
 * its data cannot be decompressed. `problem` describes that, or the first difference. */
DIO_API dio_buffer* dio_verify(const dio_file* file);

/* Compares the values of two files and returns the differences as JSON: {"schema": "diorama.diff/1", "changes":
 * [{"kind", "a", "b", "old", "new"}]}. For archives, returns the members that differ: {"schema":
 * "diorama.archive-diff/1", "members": [{"change", "path", "what"}]}. Pass sibling files of either file with
 * dio_together. `options` are `count` texts: "bytes=yes" compares the bytes of any two files instead: {"schema":
 * "diorama.diff-bytes/1", "changes": [{"offset", "old", "new", "path"?}]}. Errors: capi.argument (different formats),
 * and the error of a file. */
DIO_API dio_buffer* dio_diff(const dio_file* a, const dio_file* b, const char* const* options, size_t count);

/* Merges two edits of one file. Returns the merged file in the form described under "results with several files", with
 * one more member: "collisions": [{"path", "what"}]. If the edits collide, `favor` decides which edit wins: "ours" or
 * "theirs". If `favor` is empty, the result then contains no file. Errors: capi.argument, merge.*, layout.*.
 * Corresponds to `dio merge`. */
DIO_API dio_buffer* dio_merge(const dio_file* base, const dio_file* ours, const dio_file* theirs, const char* favor);

/* Returns the bytes of the file with their meaning as a self-contained HTML page of at most 64 MiB. Errors: view.size.
 * Corresponds to `dio hex --html`. */
DIO_API dio_buffer* dio_hex_page(const dio_file* file);

/* Returns the position of every value as JSON: {"schema": "diorama.hex/1", "size", "spans": [{"path", "offset", "size",
 * "type", "value", ...}], "gaps": [{"offset", "size", "hex"}], "file", "format"}. Spans are values, and gaps are
 * unreferenced bytes; together they cover the whole file. */
DIO_API dio_buffer* dio_trace(const dio_file* file);

/* Returns all values with their positions, types and explanations as JSON: {"schema": "diorama.tree/1", "file",
 * "format", "path": "", "tree": {"name"?, "type", "offset", "size", "value", "show", "doc", "unit", "members"}}. The
 * root has no name. */
DIO_API dio_buffer* dio_tree(const dio_file* file);

/* dio_branch, dio_spans, dio_place and dio_path_at return parts of these results, for programs that show one screen of
 * a large file at a time. The first call of any of them traces the file; later calls return immediately. */

/* Returns a value and `count` of its children, starting with the child of index `from`, as JSON: {"path", "name",
 * "type", "offset", "size", "value", "show", "doc", "unit", "count", "total", "members": [{"path", ..., "count"}]}. In
 * the JSON, `count` and `total` are the number of all children of a value, and only numbers and texts have a `value`.
 * `path` has the syntax of `dio set`, and must select exactly one value; otherwise, the error is path.unknown. */
DIO_API dio_buffer* dio_branch(const dio_file* file, const char* path, size_t from, size_t count);
/* Returns the part of the dio_trace result in a range of bytes: {"schema", "size", "spans", "gaps"}. Long runs of
 * numbers or bytes and long gaps are cut at the range; `from` is then the index of the first returned element or
 * byte. */
DIO_API dio_buffer* dio_spans(const dio_file* file, uint64_t offset, uint64_t size);
/* Returns the position of a value as JSON: {"offset", "size"}, or `null` if there is no such value. `path` is as in
 * dio_branch. */
DIO_API dio_buffer* dio_place(const dio_file* file, const char* path);
/* Returns the path of the innermost value that has bytes at `offset`, as a JSON text, or `null` in a gap. */
DIO_API dio_buffer* dio_path_at(const dio_file* file, uint64_t offset);
/* Describes one value as JSON: {"schema": "diorama.explain/1", "file", "path", "type", "offset"?, "size"?, "show",
 * "doc"?, "unit"?, "words"?: [{"value", "word", "flag"?}]}. `path` has the syntax of `dio set`; if it selects several
 * values, the function describes the first. `words` lists the names that the format has for values. Errors: path.*.
 * Corresponds to `dio explain FILE#PATH`. */
DIO_API dio_buffer* dio_explain_value(const dio_file* file, const char* path);
/* Returns `size` bytes of the file from `offset` on, or fewer at the end of the file. */
DIO_API dio_buffer* dio_bytes(const dio_file* file, uint64_t offset, uint64_t size);

/* Returns the whole file, byte-exact, as JSON: {"schema": "diorama.document/1", "format", "size", "digest", "residue"?,
 * "document"}. `residue` holds the unreferenced bytes, if there are any. */
DIO_API dio_buffer* dio_decode(const dio_file* file);
/* Returns the result of dio_decode with references as element ids instead of indices, so that programs can remove,
 * insert and sort elements without knowing the format. Corresponds to `dio decode --refs`. */
DIO_API dio_buffer* dio_decode_refs(const dio_file* file);

/* Returns the result of dio_decode without values that can be computed from the rest, for version control. If the file
 * cannot be restored from the shorter JSON, the function returns the complete JSON. Corresponds to `dio decode
 * --lean`. */
DIO_API dio_buffer* dio_decode_lean(const dio_file* file);

/* Returns the bytes of a file from its JSON, edited or not: the result of dio_decode, dio_decode_refs or
 * dio_decode_lean. Flags: DIO_CANONICAL, DIO_LOSSY. Errors: layout.*, json.*. */
DIO_API dio_buffer* dio_encode(const char* json, size_t size, uint32_t flags);

/* Returns the bytes of the file. Without flags, these are the original bytes. Flags: DIO_CANONICAL, DIO_LOSSY. Errors:
 * layout.*. */
DIO_API dio_buffer* dio_save(const dio_file* file, uint32_t flags);

/* Returns the bytes of the file with new values. `assignments` are `count` texts in the syntax of `dio set`:
 * "KTPT.entries[0].position.x=12.5", "GOBJ[id=itembox].presence=7", "KTPT.position.y+=100", "GOBJ[*].position=1,2,3".
 * Sizes, counts and other derived fields are updated. `file` does not change. Errors: path.*, layout.*. */
DIO_API dio_buffer* dio_set(const dio_file* file, const char* const* assignments, size_t count);

/* ---- editing ---------------------------------------------------------------------------------------------------- */

/* Returns the edits that the file supports as JSON: {"schema": "diorama.edits/1", "format", "edits": [{"edit", "usage",
 * "about", "arguments"}]}. */
DIO_API dio_buffer* dio_edits(const dio_file* file);

/* Returns the references from and to the selected parts of the file as JSON: {"schema": "diorama.refs/1", "file",
 * "parts": [{"path", "refers_to": [{"from", "to", "exists", "part"?}], "referred_by": [the same], "names"?: [{"from",
 * "kind", "name", "defines", "others": [{"file", "path", "defines"}]}]}]}. If `part` is true, `to` is the id of a part
 * of the game, such as land/12. `names` lists names that link files to each other, such as material names; `others` are
 * the places with the same name in the file itself and in the files `others`. Errors: path.*. */
DIO_API dio_buffer* dio_refs(const dio_file* file, const char* path, const dio_file* const* others, size_t count);

/* Starts editing a copy of the file. Never returns null. Each edit is applied completely or not at all, keeps every
 * reference on its element, and can be undone to the same bytes. If the file cannot be read, every function that takes
 * the dio_editing returns the reason. Flags: DIO_LOSSY. */
DIO_API dio_editing* dio_editing_begin(const dio_file* file, uint32_t flags);
/* Frees a dio_editing. Null is allowed. */
DIO_API void dio_editing_close(dio_editing* editing);
/* Returns 1 if the file can be edited, else 0. */
DIO_API uint32_t dio_editing_ok(const dio_editing* editing);

/* Makes edits from the words of `dio edit`: {"remove", "POTI[0]"} or {"add", "GOBJ", "id=itembox", "position=1,2,3"}.
 * Several edits in one call count as one edit: the function makes all of them or none. Returns JSON: {"schema":
 * "diorama.edit/1", "done": [...], "changes": [{"kind", "path", "index"?, "before"?, "after"?, "order"?, "line"}],
 * "notes": [...], "edits", "can_undo", "can_redo"}. `done` has a line for each edit, then a line for each part of the
 * file that was rebuilt as a consequence. `notes` has a line for each new error that the format's rules find after the
 * edits. `edits` is the number of edits that can be undone. The `kind` of a change is "set" (the value at `path`),
 * "put" or "drop" (a part of the file), "insert" or "remove" (element `index` of the list at `path`), or "order"
 * (element i of the list was element order[i]). Flags: DIO_UNLINK, DIO_CASCADE. Errors: edit.*, path.*, layout.*, and
 * those of the format. */
DIO_API dio_buffer* dio_editing_run(dio_editing* editing, const char* const* words, size_t count, uint32_t flags);
/* Undoes the last edit (dio_editing_undo), or makes the last undone edit again (dio_editing_redo). Returns the JSON of
 * dio_editing_run with the changes of this call. Errors: capi.argument if there is nothing to undo or to redo. */
DIO_API dio_buffer* dio_editing_undo(dio_editing* editing);
DIO_API dio_buffer* dio_editing_redo(dio_editing* editing);

/* Returns the bytes of another file with the renamings of the edited file applied to it. If the other file contains
 * none of the old names, its bytes are unchanged. Errors: edit.*, layout.*. Corresponds to `dio edit --with`. */
DIO_API dio_buffer* dio_editing_follow(dio_editing* editing, const dio_file* other);

/* Returns the bytes of the edited file. After all edits are undone, these are the original bytes. Flags: DIO_CANONICAL,
 * DIO_LOSSY. Errors: layout.*. */
DIO_API dio_buffer* dio_editing_save(dio_editing* editing, uint32_t flags);

/* ---- conversions, pictures and questions ------------------------------------------------------------------------ */

/* Returns the file's use of resources and the limits of its console as JSON: {"schema": "diorama.budget/1", "file",
 * "format", "engine"?, "budgets": [{"name", "used", "of"?, "unit"?, "about"?}], ...}. Errors: capi.argument (no limits
 * are known for the format). */
DIO_API dio_buffer* dio_budget(const dio_file* file);

/* Returns the result of dio_budget as a picture (SVG). */
DIO_API dio_buffer* dio_budget_picture(const dio_file* file);

/* Returns the file converted to "glb" (binary glTF), "gltf" (glTF as text) or "json" (the result of dio_decode).
 * Errors: scene.none, gltf.*. */
DIO_API dio_buffer* dio_convert(const dio_file* file, const char* to);

/* Draws the file as a PNG picture of 640 x 480 pixels, in parallel projection from the upper right, on a transparent
 * background. `options` are `count` texts, which `dio help render` describes: "size=256x192", "scale=16" (a map from
 * above; determines the size), "samples=3", "background=#506070", "camera=top", "animation=turn", "time=1.5", "look=ds"
 * (256 x 192 pixels), "look=psx" (320 x 240 pixels), "zoom=2". For animations: "strip=8" (eight moments side by side),
 * "as=apng" or "as=gif" (an animated picture). The function can also draw a scene (.glb, .gltf). Errors: capi.argument,
 * scene.none, gltf.*, render.*. */
DIO_API dio_buffer* dio_render(const dio_file* file, const char* const* options, size_t count);

/* Draws small pictures of several files, with their names, on one sheet as PNG. `options` are those of dio_render
 * without "strip", "as" and "zoom". "size" is the size of each small picture (default: 128x128), and "columns=4" is the
 * number of pictures in a row. A grey cross stands for a file that cannot be drawn. Errors: capi.argument, render.*. */
DIO_API dio_buffer* dio_sheet(const dio_file* const* files, size_t files_count, const char* const* options,
                              size_t count);
/* Draws a thumbnail of the file as PNG, with at most `size` x `size` pixels (1 to 1024). For a file that contains only
 * textures, the thumbnail shows these. Errors: capi.argument, scene.none, gltf.*. Corresponds to `dio thumbnail`. */
DIO_API dio_buffer* dio_thumbnail(const dio_file* file, uint32_t size);

/* Draws a plan of a course (kmp) from above as SVG. `options` are `count` texts, which `dio help render` describes:
 * "size=1600x1200", "show=ckpt,enpt", "background=#ffffff", "race=yes". Pass sibling files (the collision file of the
 * course) with dio_together. Errors: capi.argument. */
DIO_API dio_buffer* dio_plan(const dio_file* file, const char* const* options, size_t count);

/* Returns the questions about a position that the file can answer, as JSON: {"schema": "diorama.questions/1", "format",
 * "questions": [{"question": "height", "usage": "X,Z", "about"}]}. */
DIO_API dio_buffer* dio_questions(const dio_file* file);
/* Returns the answer to a question from dio_questions as JSON. `argument` has the form that `usage` shows: "8,24".
 * Errors: capi.argument, question.argument. Corresponds to `dio explain FILE#QUESTION@ARGUMENT --json`. */
DIO_API dio_buffer* dio_ask(const dio_file* file, const char* question, const char* argument);

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* Creates the scene of a file. Never returns null. `options` are `count` texts, which `dio help convert` describes:
 * "lit=yes" (bakes the light of the game into vertex colours), "lamps=yes" (exports lights instead), "tick-rate=30"
 * (ticks per second), "race=yes" (adds the results of dio_simulate). A glTF file (.glb, .gltf) also has a scene, but no
 * options. Pass sibling files with dio_together. The scene is independent: the file may be closed. If there is no
 * scene, dio_scene_ok returns 0, and dio_scene_data returns the reason: capi.argument, scene.none, or the error of the
 * file. */
DIO_API dio_scene* dio_scene_of(const dio_file* file, const char* const* options, size_t count);
/* Creates the scene of an edited file, as dio_scene_of does. `before` is a scene of the file before the edit: content
 * of unchanged sibling files is copied from it, not created again. `before` may be closed afterwards. */
DIO_API dio_scene* dio_scene_again(const dio_file* file, const dio_scene* before, const char* const* options,
                                   size_t count);
/* Frees a scene. Null is allowed. */
DIO_API void dio_scene_close(dio_scene* scene);
/* Returns 1 if there is a scene, or 0 if there is none or `scene` is not a dio_scene. */
DIO_API uint32_t dio_scene_ok(const dio_scene* scene);

/* Returns the whole scene in one buffer: the size of a JSON text (4 bytes, least significant first); the text, padded
 * with spaces to a multiple of four bytes; then arrays, in the byte order of the machine. In the text, {"at", "count"}
 * refers to an array: `at` is the offset of its first byte from the end of the text, and `count` is the number of its
 * elements. docs/guide/c-interface.md lists the members. */
DIO_API dio_buffer* dio_scene_data(const dio_scene* scene);
/* Returns the result of dio_scene_data for a caller that already has the data of the scene `before`. {"same": N}
 * replaces image pixels and primitive arrays that are equal in both scenes: N is the index of the array in `before`,
 * counted from 0 in the order of its text. */
DIO_API dio_buffer* dio_scene_changes(const dio_scene* scene, const dio_scene* before);

/* Returns the scene as a file for 3D programs: "glb" or "gltf". The attribute _SOURCE holds the numbers for
 * dio_scene_source. `options` are `count` texts: "instances=yes" writes repeated meshes only once
 * (EXT_mesh_gpu_instancing). Corresponds to `dio world --instances`. */
DIO_API dio_buffer* dio_scene_convert(const dio_scene* scene, const char* to, const char* const* options, size_t count);

/* Draws the scene as PNG, with the options of dio_render. The default size is 640 x 480 pixels, also for parts of
 * games. Errors: capi.argument, render.*. */
DIO_API dio_buffer* dio_scene_render(const dio_scene* scene, const char* const* options, size_t count);
/* Draws a map from above as tiles: square pictures at several sizes, in a folder with a web page that shows them.
 * Returns several files, in the form described under "results with several files": index.html, tiles.json,
 * LEVEL/X/Y.png. `options` are those of dio_render without "size", "zoom", "strip" and "as"; "tiles=256" sets the width
 * and height of a tile in pixels. Errors: capi.argument, render.*. Corresponds to `dio render --tiles`. */
DIO_API dio_buffer* dio_scene_tiles(const dio_scene* scene, const char* const* options, size_t count);

/* Returns the origin of a vertex as JSON: {"file", "path", "offset"?, "size"?}, or `null` if the vertex comes from no
 * file. `node` is a node that shows the vertex, and `source` is the entry for the vertex in the array `sources` of its
 * primitive. For a primitive without sources, or for the node itself, pass DIO_NO_SOURCE. `offset` and `size` are a
 * range of bytes in the file: the whole value at `path`, or a part of it, such as one command of a display list. */
DIO_API dio_buffer* dio_scene_source(const dio_scene* scene, uint32_t node, uint32_t source);
#define DIO_NO_SOURCE 0xFFFFFFFFu

/* Returns the nodes that show a value of a file or a part of the value, as JSON: [{"node", "sources"?: [[first,
 * count]]}]. If there are none, returns the nodes that show the structure with this value. `sources` lists ranges of
 * source numbers: only vertices with these numbers show the value; without `sources`, the whole node does. Child nodes
 * are listed separately. `file` is as in dio_scene_source; `path` is as in dio_tree, and an empty path means the whole
 * file. */
DIO_API dio_buffer* dio_scene_shows(const dio_scene* scene, const char* file, const char* path);

/* ---- games ------------------------------------------------------------------------------------------------------- */

/* Opens the game in the image of a cartridge or a disc, or in another archive. Never returns null. `file` may be closed
 * afterwards; if it was opened in parts, the library still calls its read function. If there is no game, dio_game_ok
 * returns 0, and every other function returns the reason: game.unknown, archive.none, capi.argument, or the error of
 * the file. */
DIO_API dio_game* dio_game_open(const dio_file* file);

/* A file in a folder: its path in the folder, with / between its parts, its size, and the argument `user` for
 * `read`. */
typedef struct dio_source {
  const char* path;
  uint64_t size;
  void* user;
} dio_source;
/* Opens the game in a folder: an unpacked cartridge, the source tree of a decompilation, or the files of one map
 * (MAP001.GNS and its sibling files). Never returns null. `name` is the name of the folder, for messages. The library
 * calls `read` as in dio_open_parts, until the game and its scenes are closed. Flags: DIO_KNOWN. */
DIO_API dio_game* dio_game_open_files(const char* name, const dio_source* files, size_t count, dio_read read,
                                      uint32_t flags);
/* Frees a game; its scenes stay valid. Null is allowed. One thread at a time may use a game and its scenes. */
DIO_API void dio_game_close(dio_game* game);
/* Returns 1 if there is a game, or 0 if there is none or `game` is not a dio_game. */
DIO_API uint32_t dio_game_ok(const dio_game* game);

/* Returns a summary of the game as JSON: {"schema": "diorama.game/1", "name", "game": "platinum", "title", "files":
 * {...}, "overlays": ["tiles"], "options": ["time", "show", "rotation"], "scene_parts": [{"kind": "header", "title":
 * "Maps", "map": true}]}. `overlays` and `options` are those of dio_game_world. `scene_parts` lists the kinds of parts
 * that have scenes; `map` is true for places that players know. */
DIO_API dio_buffer* dio_game_info(const dio_game* game);
/* Returns all parts of the game that have an id, as JSON: {"schema": "diorama.parts/1", "game", "parts": [{"id":
 * "land/489", "kind", "number", "name"?, "path"?, "element"?}]}. `path` is the path of the part's file in the game. If
 * the file holds several parts, `element` is the path of this part in the file: "headers[411]". */
DIO_API dio_buffer* dio_game_parts(const dio_game* game);
/* Returns the table of maps as JSON. Corresponds to `dio maps --json`. */
DIO_API dio_buffer* dio_game_maps(const dio_game* game);
/* Describes one part as JSON. For a map with states, the JSON lists the changes of each state and the file that each
 * resource comes from; for other parts, it lists the parts that they use and that use them. `options` are those of
 * dio_game_world. Errors: capi.argument, game.part, game.state. Corresponds to `dio maps GAME PART --json`. */
DIO_API dio_buffer* dio_game_part(const dio_game* game, const char* part, const char* const* options, size_t count);
/* Returns the findings that concern several files of the game, as JSON. Findings known in retail files are left out,
 * unless the game was opened with DIO_KNOWN. Corresponds to `dio check --maps --format json`. */
DIO_API dio_buffer* dio_game_check(const dio_game* game);
/* Returns a part's use of resources and the limits of the console and the game, as JSON: {"schema": "diorama.budget/1",
 * "game", "part", "name"?, "budgets": [{"name", "used", "of", "unit", "about"}]}. An empty part means all maps and
 * areas: {"schema": "diorama.budgets/1", "game", "parts": [{"part", "name"?, "budgets"}]}. Errors: game.part,
 * game.budget (no limits are known for parts of this kind). Corresponds to `dio budget --maps --part`. */
DIO_API dio_buffer* dio_game_budget(const dio_game* game, const char* part);
/* Returns the result of dio_game_budget for one part as a picture (SVG). */
DIO_API dio_buffer* dio_game_budget_picture(const dio_game* game, const char* part);
/* Returns the graph of uses: the parts that each part uses and the parts that use it. An empty `part` means all parts
 * of the game; otherwise, the graph contains the part and its neighbours. `form` is "json": {"schema":
 * "diorama.graph/1", "game", "parts": [{"part", "name"?, "path"?, "uses", "used_by"}]}; "dot", for Graphviz; or
 * "mermaid". Error: game.part. Corresponds to `dio tree --maps`. */
DIO_API dio_buffer* dio_game_graph(const dio_game* game, const char* part, const char* form);
/* Returns the values in the game's files that refer to a part, and the parts that this part refers to, as JSON:
 * {"schema": "diorama.refs/1", "game": its name, "parts": [{"part", "refers_to": [{"file", "path", "from", "to"}],
 * "referred_by": [the same]}]}. Error: game.part. */
DIO_API dio_buffer* dio_game_refs(const dio_game* game, const char* part);
/* Returns the differences between the maps of `a` and `b` as JSON: {"schema": "diorama.map-diff/1", "changes":
 * [{"kind", "part", "name"?, "what"?, "old"?, "new"?, "count"?, "maps"}]}. Error: capi.argument (different games).
 * Corresponds to `dio diff --maps`. */
DIO_API dio_buffer* dio_game_diff(const dio_game* a, const dio_game* b);
/* Builds a file of the game from its other files and returns the bytes. Errors: game.make, and those of the other
 * files. Corresponds to `dio maps --make`. */
DIO_API dio_buffer* dio_game_make(const dio_game* game, const char* name);
/* Returns the paths of the other files that the game needs to show a part, as JSON: {"schema": "diorama.shown-with/1",
 * "part", "files": ["..."]}. For a mesh, these are the files with the textures and palettes of its map. Error:
 * game.part. */
DIO_API dio_buffer* dio_game_shown_with(const dio_game* game, const char* part);
/* Creates the scene of a part. Never returns null. An empty part means the largest world. `options` are `count` texts
 * with the names that dio_game_info lists: "time=20:30", "state=night", "show=tiles,events", "lamps=yes",
 * "all-states=yes", "tick-rate=30". For this scene, dio_scene_source returns paths in the game as file names. Errors:
 * capi.argument, game.part, game.state, scene.none. Corresponds to `dio world`. */
DIO_API dio_scene* dio_game_world(const dio_game* game, const char* part, const char* const* options, size_t count);

/* Returns the edits that change several files of the game, as JSON: {"schema": "diorama.edits/1", "game", "edits":
 * [{"edit", "usage", "about", "arguments"}]}. */
DIO_API dio_buffer* dio_game_edits(const dio_game* game);
/* Makes edits of the game from the words of `dio edit GAME`: {"add-prop", "land=3", "model=2", "x=8", "z=24"} or
 * {"move", "land/12", "before=3"}. The function makes all edits or none. The game then has the new files; its source
 * does not change. For edits that import a scene, such as {"make-map", "header=TOWN"}, `scene` is a scene from dio_open
 * and replaces the argument scene=FILE. For edits that store a file, such as {"add-file", "source=NAME"}, `scene` is
 * that file. For other edits, `scene` is null. Returns JSON: {"schema": "diorama.game-edit/1", "done": [...],
 * "changes": [...], "files": [{"path", "size"}], "notes": [...]}. `done` has a line for each edit, `changes` a line for
 * each changed value or file. `files` lists all files that differ from the source. `notes` lists content that could not
 * be kept. Flags: DIO_UNLINK. Errors: edit.*, game.part, and those of the files and the scene. */
DIO_API dio_buffer* dio_game_edit(dio_game* game, const char* const* words, size_t count, uint32_t flags,
                                  const dio_file* scene);
/* Returns the bytes of a file of the game, including all edits. An empty path means the whole image; a game in a folder
 * has no image (archive.none). Errors: file.missing, archive.*. */
DIO_API dio_buffer* dio_game_file(const dio_game* game, const char* path);

/* ---- results with several files --------------------------------------------------------------------------------- */

/* A result with one or several files is JSON: {"schema": "diorama.files/1", "files": [{"name", "size"}], "notes":
 * [...], ...}. `notes` are findings about differences from the source. dio_buffer_file returns the bytes of each file,
 * in the order of the list. */

/* Creates files of a format from a scene, or from a file of the same format in another version, such as
 * room.splashpack, room.vram and room.spu. A scene is a .glb or .gltf file from dio_open; dio_file_ok returns 0 for it,
 * because glTF is not one of the library's formats. `options` are `count` texts such as "layout=v21"; dio_formats lists
 * them. With the format yaz0, a scene becomes a whole Mario Kart Wii course archive (.szs), with the options of kmp,
 * kcl and brres. Errors: make.argument, gltf.*, and those of the format. Corresponds to `dio convert room.glb -o
 * room.splashpack --target-layout v21`. */
DIO_API dio_buffer* dio_make(const dio_file* file, const char* format, const char* const* options, size_t count);

/* Applies an edited scene (.glb, .gltf, from dio_open) to the file that the scene was made from. Returns one file, and
 * JSON with more members: `what` describes the changes in words, `deleted` is the number of elements or polygons that
 * the scene lacks, and `lost` is the number of scene changes that were not applied; the notes name them. Flags:
 * DIO_CANONICAL, DIO_LOSSY, DIO_UNLINK, DIO_CASCADE, DIO_PARTLY, DIO_DELETE. Without DIO_PARTLY and DIO_DELETE, losses
 * are errors (scene.lost, scene.deleted). Errors: capi.argument (edited scenes cannot be applied to this format),
 * scene.*, gltf.*, edit.*, layout.*. Corresponds to `dio convert --onto`. */
DIO_API dio_buffer* dio_put_back(const dio_file* file, const dio_file* scene, uint32_t flags);

/* Returns the pictures of a file as PNG files, and textures.json, which describes them. A picture whose entry in
 * textures.json has the part "video memory" shows the whole video memory. `options` are `count` texts:
 * "all-palettes=yes" returns each picture with each palette that fits, and "pal=yes" also returns palettes as .pal
 * files (JASC). Errors: capi.argument (the format has no textures), and those of the format. Corresponds to `dio
 * textures`. */
DIO_API dio_buffer* dio_textures(const dio_file* file, const char* const* options, size_t count);

/* Imports edited pictures from a folder that dio_textures made. Returns one file, and JSON with the numbers of pictures
 * as more members: `changed`, `unchanged`, `added`. Pictures and .pal files that are missing from the folder stay as
 * they are in the file; textures.json is required. `options` are `count` texts: "add=yes" turns .png files that
 * textures.json does not name into new textures, and "rescale=yes" adapts texture coordinates to new picture sizes
 * (both only for nsbmd and nsbtx). Flags: DIO_LOSSY. Errors: capi.argument, file.missing, png.*, jasc.*, json.*,
 * textures.*, layout.*, and those of the format. */
DIO_API dio_buffer* dio_take_textures(const dio_file* file, const dio_named* folder, size_t folder_count,
                                      const char* const* options, size_t count, uint32_t flags);

/* Returns the decoded sounds of a file. The entries of the list have more members: {"name", "size", "path", "rate",
 * "loops", "samples"}. `path` is the path of the sound's record in the file, `rate` the number of samples per second,
 * `loops` true if the sound repeats, and `samples` the number of samples. The bytes are 16-bit little-endian samples of
 * one channel. There are no bytes if the samples are in a sibling file (room.spu) that was not passed to dio_together.
 * The list is empty if the file has no sounds. */
DIO_API dio_buffer* dio_sounds(const dio_file* file);

/* ---- archives ---------------------------------------------------------------------------------------------------- */

/* Returns the members of an archive as JSON: {"schema": "diorama.members/1", "file", "format", "folders": [],
 * "members": [{"number", "path", "offset", "size", "what"?}], "first"?}. `what` is the role of a member in the game, or
 * the id of its format. `first` is the path of the member to show first, if any member has a picture; a file that was
 * opened in parts has no `first`. Error: archive.none (the file is not an archive). */
DIO_API dio_buffer* dio_members(const dio_file* file);

/* Returns the decompressed bytes of a member. `path` is a path from dio_members, or continues into nested archives:
 * "fielddata/land_data/land_data.narc/12". An empty path means the whole content of a compressed file, such as the
 * archive in a .szs file. Errors: file.missing, archive.none. */
DIO_API dio_buffer* dio_member(const dio_file* file, const char* path);

/* Returns the findings for a member in the form of dio_check. The check uses related files from the archive: the
 * member's sibling files, and the files that a course needs. `edited` are `count` members with new bytes, or null if
 * there are none. Errors: those of dio_member and dio_replace. */
DIO_API dio_buffer* dio_check_member(const dio_file* file, const char* path, const dio_named* edited, size_t count);

/* Returns the archive with new bytes for a member, which may be in a nested archive. `file` does not change. An empty
 * path replaces the whole content of a compressed file. Errors: file.missing, archive.*, layout.*. */
DIO_API dio_buffer* dio_replace(const dio_file* file, const char* path, const void* bytes, size_t size);

/* Returns the archive with new bytes for several members, in one pass. No two of them may be inside the same member of
 * the outermost archive. Errors: capi.argument (two are inside the same member), and those of dio_replace. */
DIO_API dio_buffer* dio_replace_all(const dio_file* file, const dio_named* members, size_t count);

/* Returns the members of an archive, or of one of its folders, as files with safe names. The folder `_system` holds the
 * data that dio_pack needs to restore the same archive. Returns several files. Errors: archive.none, file.missing,
 * archives.names, layout.*. Corresponds to `dio unpack`. */
DIO_API dio_buffer* dio_unpack(const dio_file* file, const char* folder);

/* Packs the files of a folder and returns the archive. The folder's content determines the kind of archive, or else
 * the option "as": "nds", "narc", "u8", "yaz0" (a compressed U8 archive, or one compressed file), "lz10", "lz11",
 * "iso" or "bin". Other `options`: "named=yes" (a NARC keeps the file names), "byte-order=ff-fe" (the byte order of
 * some NARCs). Errors: capi.argument, archive.full, archive.pack, archives.names, archives.lz, layout.*. Corresponds
 * to `dio pack`. */
DIO_API dio_buffer* dio_pack(const dio_named* files, size_t files_count, const char* const* options, size_t count);

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* Returns 1 if the buffer holds a result, or 0 if it holds the JSON of an error or `buffer` is not a dio_buffer. */
DIO_API uint32_t dio_buffer_ok(const dio_buffer* buffer);
/* Returns the bytes of a buffer (dio_buffer_data) and their number (dio_buffer_size). The pointer is never null for a
 * valid buffer, and stays valid until the buffer is freed. A NUL, which the size does not include, follows JSON and
 * glTF text. */
DIO_API const void* dio_buffer_data(const dio_buffer* buffer);
DIO_API size_t dio_buffer_size(const dio_buffer* buffer);
/* Returns the bytes of one file of a result with several files; `number` counts from 0. The returned buffer is
 * independent of `buffer`. */
DIO_API dio_buffer* dio_buffer_file(const dio_buffer* buffer, size_t number);
/* Frees a buffer. Null is allowed. */
DIO_API void dio_buffer_free(dio_buffer* buffer);

/* ---- memory for callers in WebAssembly -------------------------------------------------------------------------- */

/* Returns memory for arguments, aligned for any type, or null if there is not enough. */
DIO_API void* dio_alloc(size_t size);
/* Frees memory from dio_alloc. Null is allowed. */
DIO_API void dio_free(void* memory);

#ifdef __cplusplus
}
#endif

#endif /* DIORAMA_H */
