/* diorama.h: the library for other languages: C, Python's ctypes, and JavaScript through WebAssembly. C99.
 *
 * Ownership. The caller owns every dio_buffer*, dio_file*, dio_editing*, dio_scene* and dio_game* that a function
 * returns, and releases it with dio_buffer_free, dio_close, dio_editing_close, dio_scene_close or dio_game_close.
 * Arguments are borrowed; the library copies what it keeps.
 *
 * Errors. Functions that return a dio_buffer never return null, except dio_error if there is no error. If
 * dio_buffer_ok returns 0, the buffer holds the JSON of one diagnostic instead of the result, in the form of the
 * findings of `dio check --format json`:
 *   {"severity": "stop", "id": "layout.truncated", "file": "course.kmp", "offset": 36, "size": 4, "path": "...",
 *    "message": "...", "expected": "...", "found": "...", "hint": "..."}
 * Unknown members are left out. Wrong arguments (null where a value is needed, an unknown flag) are errors of this kind
 * too, with the id capi.argument; so is a dio_buffer passed as a dio_file, or the other way round, and a question that
 * files of this format cannot answer. Any function that takes a file may give capi.argument and, if the file could not
 * be read, the reason of that; comments name the other errors. Other invalid pointers and freed ones cannot be
 * detected. Running out of memory ends the process; in WebAssembly it traps.
 *
 * Texts are UTF-8; invalid bytes become U+FFFD in JSON. A const char* argument ends with a NUL; null means an empty
 * text. The JSON of a file is identical to what the program `dio` prints for the same file and verb.
 *
 * Stability. symbols.txt beside this file lists every function; docs/guide/c-interface.md says what stays as it is.
 *
 * Threads. There is no global mutable state. A dio_file never changes after dio_open, and neither does a dio_buffer:
 * several threads may use the same one, as long as none of them frees it in the meantime. A dio_editing, a dio_scene
 * and a dio_game are for one thread at a time: a game together with its scenes, and a file that was opened in parts
 * together with the games opened from it.
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

/* Bytes with a name: a file of a folder, of an archive, or beside another one. Paths have / between their parts. */
typedef struct dio_named {
  const char* name;
  const void* bytes;
  size_t size;
} dio_named;

/* A result, or an error: bytes or text. */
typedef struct dio_buffer dio_buffer;
/* A file that was opened, readable or not. */
typedef struct dio_file dio_file;
/* A file that is edited: its values, and a log of what was done. */
typedef struct dio_editing dio_editing;
/* What a file, or a part of a game, looks like: nodes, meshes, materials, animations. */
typedef struct dio_scene dio_scene;
/* A whole game: maps made of several files, in a cartridge, on a disc or in a folder. */
typedef struct dio_game dio_game;

/* Flags of dio_open. */
#define DIO_STRICT 1u /* a damaged part makes the file unreadable, instead of being kept as raw bytes */
#define DIO_KNOWN 8u  /* dio_check includes findings known in retail files: `dio check --known` */

/* Flags of dio_save and dio_encode. */
#define DIO_CANONICAL 2u /* rewrites even an unedited document in canonical layout, and discards unreferenced bytes */
#define DIO_LOSSY 4u     /* an edited document may lose unreferenced bytes that are not zero */

/* Flags of dio_editing_run. */
#define DIO_UNLINK 16u  /* references to what is removed lead nowhere from then on: `dio edit --unlink` */
#define DIO_CASCADE 32u /* what refers to it is removed as well: `dio edit --cascade` */

/* Flags of dio_put_back. */
#define DIO_PARTLY 128u /* changes of the scene that cannot be taken are left out: `dio convert --onto --partly` */
#define DIO_DELETE 256u /* more than three parts that the scene lacks are removed: `dio convert --onto --delete` */

/* Flag of dio_find. */
#define DIO_EVERY_BYTE 64u /* files may begin anywhere, not only at every fourth byte */

/* ---- the library ------------------------------------------------------------------------------------------------ */

/* "1.2.3". Lives as long as the program. */
DIO_API const char* dio_version(void);

/* The formats, as JSON: {"schema": "diorama.formats/1", "formats": [{"id", "title", "platform", "extensions",
 * "checks", "gltf", "placed", "node_kinds", "simulates", "options"}]}: the number of rules of dio_check, whether
 * dio_convert can make glTF from it, the kinds of nodes in its scenes that the edit "place" moves, if any, how viewers
 * show nodes: [{"kind", "path", "layer", "overlay", "content", "faint", "hidden", "state", "label", "hides_as_game",
 * "tiles", "tile_grid", "height", "point", "added_with", "cell"}], of which only "kind" is always there, true if
 * dio_simulate plays it, and, if dio_make can make it from scenes, the options: [{"name", "usage", "about",
 * "remakes"}], where `remakes` says whether they also hold for a file in another version. `extensions` is one text:
 * ".iso .bin .img". */
DIO_API dio_buffer* dio_formats(void);

/* Generated sample files of every format, as JSON:
 * {"schema": "diorama.samples/1", "samples": [{"format", "name", "about", "size"}]}. Not in the WebAssembly module. */
DIO_API dio_buffer* dio_samples(void);
/* The bytes of one of them. Names are unique within a format. */
DIO_API dio_buffer* dio_sample(const char* format, const char* name);

/* The meaning of the id of a finding or an error, as JSON:
 * {"schema": "diorama.explain/1", "rule", "severity", "also"?, "cause"?, "sentence", "why", "fix", "source"}: what is
 * right, what happens if it is not, what to do. "also": the other severities its findings may have. "cause" of an
 * error: "input" (what was read is damaged, or of no known format), "request" (an argument makes no sense), "absent"
 * (what was asked for is not there), "limit" (the result would exceed a limit or lose something), "system" (a file
 * cannot be read, written or found), "fault" (a bug). */
DIO_API dio_buffer* dio_explain(const char* id);

/* What files of a format can hold, learned from its samples: `form` "json" is a JSON Schema (2020-12) of dio_decode,
 * "markdown" are tables for people. Not in the WebAssembly module. */
DIO_API dio_buffer* dio_schema(const char* format, const char* form);

/* The files inside any bytes, as JSON: {"schema": "diorama.find/1", "file": name, "found": [{"offset", "size",
 * "format", "damaged_parts"}]}: `dio find`. Flags: DIO_EVERY_BYTE. The time grows with `size`. */
DIO_API dio_buffer* dio_find(const void* bytes, size_t size, const char* name, uint32_t flags);

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Detects the format of the bytes and reads them; never null. `name` is a file name, used for detection and in
 * messages. `as` is the id of a format to read them as; null or empty: the one that matches best. Unreadable bytes give
 * a file as well: dio_error has the reason, dio_check reports it as a finding, and dio_trace and dio_tree show the file
 * up to the damage. */
DIO_API dio_file* dio_open(const void* bytes, size_t size, const char* name, const char* as, uint32_t flags);
/* Frees a file. Null is fine. */
DIO_API void dio_close(dio_file* file);

/* Reads `size` bytes at `offset` into `to` and returns how many it has read; fewer are the error io.read. It is called
 * with bytes that are inside of the file, and must not call the library. */
typedef size_t (*dio_read)(void* user, uint64_t offset, void* to, size_t size);

/* As dio_open, for a large file without all of it in memory: the image of a cartridge or a disc. Its tables are read,
 * and then the members that are asked for, by `read` with `user`, until the file and all that was opened from it are
 * closed. dio_info (with the numbers of members and of those that are cut off), dio_members (without the ids of their
 * formats), dio_member, dio_bytes and dio_game_open work with it; what needs all of its bytes gives the error
 * capi.argument. Any other file of up to 256 MiB is read
 * completely. In WebAssembly, `read` may be 0 for the import "read" of the module "diorama": (user, offset, to, size),
 * all of them numbers, which returns a number. A file that was opened in parts is for one thread at a time. Flags:
 * DIO_STRICT, DIO_KNOWN. Errors: those of dio_open, io.read. */
DIO_API dio_file* dio_open_parts(uint64_t size, const char* name, dio_read read, void* user, uint32_t flags);

/* 1: the file was read. 0: it could not be read, or `file` is not a dio_file. */
DIO_API uint32_t dio_file_ok(const dio_file* file);
/* Why a file could not be read: a buffer that is not ok. Null, with nothing to free, if it was read. */
DIO_API dio_buffer* dio_error(const dio_file* file);
/* The id of its format; null if it is unknown. Lives as long as the file. */
DIO_API const char* dio_file_format(const dio_file* file);

/* The names of companion files in the same folder, as JSON: {"schema": "diorama.beside/1", "names":
 * ["room.vram", "room.spu"]}; of a scene (.glb, .gltf), the files that it refers to. The caller looks for them and
 * passes those that exist to dio_together. */
DIO_API dio_buffer* dio_beside(const dio_file* file);

/* The same file together with `count` companions: files of the same folder, textures and animations of a model, a pack
 * for its textures. The result is independent: the others, and the first, may be closed. dio_check, dio_convert,
 * dio_textures, dio_budget and dio_make use all of them; with a count of 0, dio_check reports what is missing. A scene
 * (.glb, .gltf) takes any files that it refers to, named by their paths relative to it. A file that cannot be a
 * companion gives the error capi.argument; one that cannot be read is a finding of dio_check. */
DIO_API dio_file* dio_together(const dio_file* file, const dio_file* const* others, size_t count);

/* A summary, as JSON:
 * {"schema": "diorama.info/1", "file", "format", "size", "certainty", "reason", "info": {..., "beside"?: the names of
 * its companions}}. */
DIO_API dio_buffer* dio_info(const dio_file* file);

/* What is wrong with it, as JSON: {"schema": "diorama.check/1", "findings": [...], "summary": {...}, "files": 1}. Works
 * for unreadable files too. Findings known in retail files are left out, unless the file was opened with DIO_KNOWN. */
DIO_API dio_buffer* dio_check(const dio_file* file);
/* What is wrong when it is played by the rules of the game, in the same form: `dio simulate --format json`. For courses
 * (kmp), whose collision comes through dio_together. Errors: capi.argument, and that of the file. */
DIO_API dio_buffer* dio_simulate(const dio_file* file);

/* The findings of `count` results of dio_check, dio_simulate, dio_check_member and dio_game_check together. `form` is
 * "json" (as these have it), "sarif" (SARIF 2.1.0), "summary" (how often each rule was broken, as JSON) or "text" (a
 * line each). Of `options`, "rule=ID" keeps those whose id starts so, "ignore=PATTERN" leaves those out whose id
 * matches, and "baseline=JSON" leaves those out that this result of an earlier run has; each may be given several times
 * but the last. Errors: capi.argument, check.baseline. */
DIO_API dio_buffer* dio_report(const dio_buffer* const* checks, size_t checks_count, const char* form,
                               const char* const* options, size_t count);

/* The file with everything repaired that has one safe repair: `dio check --fix`. A result of one file, as those under
 * "several files at once", with one more member: "repairs": [{"id", "path", "about"}]. Without repairs, the bytes are
 * the same. Errors: capi.argument (the format has no repairs), layout.*. */
DIO_API dio_buffer* dio_repair(const dio_file* file);

/* Whether it is read and written byte for byte, as JSON: {"schema": "diorama.verify/1", "file", "format", "size",
 * "straight", "through_json", "problem"?}: directly, and through dio_decode and dio_encode. */
DIO_API dio_buffer* dio_verify(const dio_file* file);

/* How `b` differs from `a` by meaning, as JSON: {"schema": "diorama.diff/1", "changes": [{"kind", "a", "b", "old",
 * "new"}]}. Of archives, which members do: {"schema": "diorama.archive-diff/1", "members": [{"change", "path",
 * "what"}]}. Companions that belong to either come through dio_together. Of `options`, "bytes=yes" compares bytes, of
 * any files:
 * {"schema": "diorama.diff-bytes/1", "changes": [{"offset", "old", "new", "path"?}]}. Errors: capi.argument (files of
 * different formats), and that of a file. */
DIO_API dio_buffer* dio_diff(const dio_file* a, const dio_file* b, const char* const* options, size_t count);

/* Two edits of one file as one: `dio merge`. A result of one file, or of none if the edits collide and `favor`, "ours"
 * or "theirs", does not say who is right; with one more member: "collisions": [{"path", "what"}]. Errors:
 * capi.argument, merge.*, layout.*. */
DIO_API dio_buffer* dio_merge(const dio_file* base, const dio_file* ours, const dio_file* theirs, const char* favor);

/* The bytes with their meaning as a page (HTML) that opens by itself: `dio hex --html`. */
DIO_API dio_buffer* dio_hex_page(const dio_file* file);

/* The position of every value, as JSON: {"schema": "diorama.hex/1", "size", "spans": [{"path", "offset", "size",
 * "type", "value", ...}], "gaps": [{"offset", "size", "hex"}], "file", "format"}. Spans and gaps add up to the file. */
DIO_API dio_buffer* dio_trace(const dio_file* file);

/* All values with positions, types and explanations, as JSON: {"schema": "diorama.tree/1", "file", "format", "path":
 * "", "tree": {"name"?, "type", "offset", "size", "value", "show", "doc", "unit", "members"}}. The root has no name. */
DIO_API dio_buffer* dio_tree(const dio_file* file);

/* The same in parts, for programs that show a screenful of a large file. The first of these calls traces the file, the
 * others answer at once. */

/* A value and `count` of its children from number `from` on, as JSON: {"path", "name", "type", "offset", "size",
 * "value", "show", "doc", "unit", "count", "total", "members": [{"path", ..., "count"}]}. `count` and `total`: how many
 * children there are; `value`: of numbers and texts only. Paths are as people type them, if they mean one value; any
 * other gives the error path.unknown. */
DIO_API dio_buffer* dio_branch(const dio_file* file, const char* path, size_t from, size_t count);
/* What dio_trace has in a range of bytes: {"schema", "size", "spans", "gaps"}. Of a long run of numbers or bytes, and
 * of a gap, only the part in the range is the value; "from" is then the number of its first element or byte. */
DIO_API dio_buffer* dio_spans(const dio_file* file, uint64_t offset, uint64_t size);
/* Where a value is, by its path as for dio_branch: {"offset", "size"}; `null` if there is none. */
DIO_API dio_buffer* dio_place(const dio_file* file, const char* path);
/* The path of the innermost value with bytes at an offset, as a JSON text; `null` in a gap. */
DIO_API dio_buffer* dio_path_at(const dio_file* file, uint64_t offset);
/* What is known of one value, as JSON: {"schema": "diorama.explain/1", "file", "path", "type", "offset"?, "size"?,
 * "show", "doc"?, "unit"?, "words"?: [{"value", "word", "flag"?}]}: `dio explain FILE#PATH`. Paths are as people type
 * them; the first value that one means counts. Errors: path.*. */
DIO_API dio_buffer* dio_explain_value(const dio_file* file, const char* path);
/* Bytes of the file: at most `size` from `offset` on, fewer at its end. */
DIO_API dio_buffer* dio_bytes(const dio_file* file, uint64_t offset, uint64_t size);

/* The whole file, byte-exact, as JSON: {"schema": "diorama.document/1", "format", "size",
 * "digest", "residue"?, "document"}. `residue`: the bytes that nothing refers to, if there are any. */
DIO_API dio_buffer* dio_decode(const dio_file* file);
/* The same with ids of elements in place of numbers that refer to them, so that elements can be removed, inserted and
 * sorted without knowing the format: `dio decode --refs`. */
DIO_API dio_buffer* dio_decode_refs(const dio_file* file);

/* The same without what follows from the rest, for version control: `dio decode --lean`. Where the file cannot be
 * restored from that, it is that of dio_decode. */
DIO_API dio_buffer* dio_decode_lean(const dio_file* file);

/* The inverse of all of them: bytes from their JSON, edited or not. Flags: DIO_CANONICAL, DIO_LOSSY. Ids: layout.*,
 * json.reference. */
DIO_API dio_buffer* dio_encode(const char* json, size_t size, uint32_t flags);

/* The bytes of the file; without flags those it was opened from. Flags: DIO_CANONICAL, DIO_LOSSY. Errors: layout.*. */
DIO_API dio_buffer* dio_save(const dio_file* file, uint32_t flags);

/* The bytes of the file with other values: `count` texts as for `dio set`: "KTPT.entries[0].position.x=12.5",
 * "GOBJ[id=itembox].presence=7", "KTPT.position.y+=100", "GOBJ[*].position=1,2,3". Sizes, counts and other derived
 * fields are updated. The file itself does not change. Errors: path.*, layout.*. */
DIO_API dio_buffer* dio_set(const dio_file* file, const char* const* assignments, size_t count);

/* ---- editing ---------------------------------------------------------------------------------------------------- */

/* The edits that can be made in the file, as JSON: {"schema": "diorama.edits/1", "format", "edits": [{"edit", "usage",
 * "about"}]}. */
DIO_API dio_buffer* dio_edits(const dio_file* file);

/* Who refers to the parts of the file that a path selects, and to what they refer, as JSON: {"schema":
 * "diorama.refs/1", "file", "parts": [{"path", "refers_to": [{"from", "to", "exists", "part"?}], "referred_by": [the
 * same], "names"?: [{"from", "kind", "name", "defines", "others": [{"file", "path", "defines"}]}]}]}; with `part`, `to`
 * is the id of a part of the game, such as land/12. `names` are those that files have in common; they are looked for in
 * the file itself and in `others`. Errors: path.*. */
DIO_API dio_buffer* dio_refs(const dio_file* file, const char* path, const dio_file* const* others, size_t count);

/* Begins to edit a copy of the file; never null. Edits keep every reference on the element it meant, are made as a
 * whole or not at all, and can be undone to the same bytes. Flags: DIO_LOSSY. If the file cannot be read, everything
 * that is done with it gives the reason. */
DIO_API dio_editing* dio_editing_begin(const dio_file* file, uint32_t flags);
/* Frees it. Null is fine. */
DIO_API void dio_editing_close(dio_editing* editing);
/* 1: it can be edited. */
DIO_API uint32_t dio_editing_ok(const dio_editing* editing);

/* Makes edits, given as the words of `dio edit`: {"remove", "POTI[0]"} or {"add", "GOBJ", "id=itembox",
 * "position=1,2,3"}. Several in a row are one edit: all are made, or none. The result: {"schema": "diorama.edit/1",
 * "done": what each has done, in a line, and then what became due, "changes": [{"kind", "path", "index"?, "before"?,
 * "after"?, "order"?, "line"}], "notes": errors that the rules of the format find since then, in a line each, "edits":
 * how many there are to undo, "can_undo", "can_redo"}. Kinds: set (the value at the path), put and drop (a part of the
 * file), insert and remove (element "index" of the list at the path), order (what is element i was element order[i]).
 * Flags: DIO_UNLINK, DIO_CASCADE. Errors: edit.*, path.*, layout.*, and those of the format. */
DIO_API dio_buffer* dio_editing_run(dio_editing* editing, const char* const* words, size_t count, uint32_t flags);
/* Takes the last edit back, or makes it again. The result is that of dio_editing_run, with the changes made now.
 * Errors: capi.argument if there is none. */
DIO_API dio_buffer* dio_editing_undo(dio_editing* editing);
DIO_API dio_buffer* dio_editing_redo(dio_editing* editing);

/* The bytes of another file in which names follow what was renamed in the edited one: `dio edit --with`. They are those
 * of the file where it has none of them. Errors: edit.*, layout.*. */
DIO_API dio_buffer* dio_editing_follow(dio_editing* editing, const dio_file* other);

/* The bytes of the file as edited; when everything is undone, those it was opened from. Flags: DIO_CANONICAL,
 * DIO_LOSSY. Errors: layout.*. */
DIO_API dio_buffer* dio_editing_save(dio_editing* editing, uint32_t flags);

/* ---- what it says ----------------------------------------------------------------------------------------------- */

/* Its resource use against the limits of the console, as JSON: {"schema": "diorama.budget/1", "file",
 * "format", "engine"?, "budgets": [{"name", "used", "of"?, "unit"?, "about"?}], ...}. Errors: capi.argument (no limits
 * are known for its format). */
DIO_API dio_buffer* dio_budget(const dio_file* file);

/* The same as a picture (SVG). */
DIO_API dio_buffer* dio_budget_picture(const dio_file* file);

/* The file converted to "glb" (binary glTF), "gltf" (glTF as text) or "json" (as dio_decode). Errors: scene.none,
 * gltf.*. */
DIO_API dio_buffer* dio_convert(const dio_file* file, const char* to);

/* A picture of it as PNG: 640 x 480 pixels, parallel, from the right and above, on a transparent ground. `options` are
 * `count` texts: "size=256x192" (or, of a map from above, "scale=16", which makes its size), "samples=3",
 * "background=#506070", "camera=top", "animation=turn", "time=1.5", "look=ds" (then 256 x 192; "look=psx": 320 x 240),
 * "zoom=2"; `dio help render` describes them. Several moments of what moves: "strip=8" (side by side), "as=apng" or
 * "as=gif" (a picture that moves). A scene (.glb, .gltf) can be drawn, too. Errors: capi.argument, scene.none, gltf.*,
 * render.*. */
DIO_API dio_buffer* dio_render(const dio_file* file, const char* const* options, size_t count);

/* Small pictures of files with their names on one sheet, as PNG. `options` are those of dio_render but "strip", "as"
 * and "zoom"; "size" is that of a picture (128x128), "columns=4" how many stand side by side. What cannot be drawn is a
 * grey cross. Errors: capi.argument, render.*. */
DIO_API dio_buffer* dio_sheet(const dio_file* const* files, size_t files_count, const char* const* options,
                              size_t count);
/* A small picture of the file, or of its textures if it has nothing else to show, as PNG of at most `size` x `size`
 * pixels (1 to 1024): `dio thumbnail`. Errors: capi.argument, scene.none, gltf.*. */
DIO_API dio_buffer* dio_thumbnail(const dio_file* file, uint32_t size);

/* Its plan, drawn from above, as SVG: for courses (kmp). `options` are `count` texts: "size=1600x1200",
 * "show=ckpt,enpt", "background=#ffffff", "race=yes"; `dio help render` describes them. Companions (the collision of a
 * course) come through dio_together. Errors: capi.argument. */
DIO_API dio_buffer* dio_plan(const dio_file* file, const char* const* options, size_t count);

/* The questions that can be asked about a position in the file, as JSON: {"schema": "diorama.questions/1", "format",
 * "questions": [{"question": "height", "usage": "X,Z", "about"}]}. */
DIO_API dio_buffer* dio_questions(const dio_file* file);
/* The answer to one of them, as JSON: `dio explain FILE#QUESTION@ARGUMENT --json`. Errors: capi.argument,
 * question.argument. */
DIO_API dio_buffer* dio_ask(const dio_file* file, const char* question, const char* argument);

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* The scene of a file, or of a glTF file itself (.glb, .gltf; without options), never null. `options` are `count`
 * texts: "lit=yes" (bakes the light of the game into vertex colours), "lamps=yes" (exports lights instead),
 * "tick-rate=30", "race=yes" (what a race on a course shows); `dio help convert` describes them. Companions come
 * through dio_together. The scene is independent: the file may be closed. dio_scene_ok returns 0 if there is none, and
 * dio_scene_data the reason: capi.argument, scene.none, and the error of the file. */
DIO_API dio_scene* dio_scene_of(const dio_file* file, const char* const* options, size_t count);
/* The same after an edit: `before` is a scene of the file as it was; what it shows of companions that are still the
 * same is not made again. It may be closed afterwards. */
DIO_API dio_scene* dio_scene_again(const dio_file* file, const dio_scene* before, const char* const* options,
                                   size_t count);
/* Frees a scene. Null is fine. */
DIO_API void dio_scene_close(dio_scene* scene);
/* 1: there is a scene. 0: there is none, or `scene` is not a dio_scene. */
DIO_API uint32_t dio_scene_ok(const dio_scene* scene);

/* The whole scene in one buffer: the size of a JSON text (4 bytes, least significant first); the text, filled with
 * spaces so that it ends at a multiple of four; then arrays, in the byte order of the machine. In the text, {"at",
 * "count"} stands for an array: its first byte, counted from the end of the text, and how many numbers it has.
 * docs/guide/c-interface.md lists the members. */
DIO_API dio_buffer* dio_scene_data(const dio_scene* scene);
/* The same for whoever has the data of another scene: {"same": N} stands for pixels and for arrays of primitives that
 * are equal to the Nth of `before`, counted from 0 in the order in which its text names them. */
DIO_API dio_buffer* dio_scene_changes(const dio_scene* scene, const dio_scene* before);

/* The scene as a file for 3D programs: "glb" or "gltf". The attribute _SOURCE holds what dio_scene_source takes. Of
 * `options`, "instances=yes" writes what stands in many places once (EXT_mesh_gpu_instancing): `dio world --instances`.
 */
DIO_API dio_buffer* dio_scene_convert(const dio_scene* scene, const char* to, const char* const* options, size_t count);

/* A picture of the scene as PNG, with the options of dio_render: of parts of games, too, at 640 x 480 pixels like any
 * other. Errors: capi.argument, render.*. */
DIO_API dio_buffer* dio_scene_render(const dio_scene* scene, const char* const* options, size_t count);
/* The scene from above as a folder of small pictures at several sizes, with a page that shows it: `dio render --tiles`.
 * A result of several files, as those under "several files at once": index.html, tiles.json, LEVEL/X/Y.png. `options`
 * are those of dio_render but "size", "zoom", "strip" and "as", and "tiles=256", the pixels of a tile along an axis.
 * Errors: capi.argument, render.*. */
DIO_API dio_buffer* dio_scene_tiles(const dio_scene* scene, const char* const* options, size_t count);

/* Where a vertex comes from, as JSON: {"file", "path", "offset", "size"}. `source` is its number in the array `sources`
 * of its primitive, and `node` a node that shows the primitive; without sources, or for the node itself,
 * DIO_NO_SOURCE. `offset` and `size` are the bytes: all of the value at `path`, or a part of it, such as one command of
 * a display list. `null` if it comes from no file. */
DIO_API dio_buffer* dio_scene_source(const dio_scene* scene, uint32_t node, uint32_t source);
#define DIO_NO_SOURCE 0xFFFFFFFFu

/* The other way, as JSON: the nodes that show a value of a file or a part of it or, if there are none, what it is a
 * field of: [{"node", "sources"?: [[first, count]]}]. `sources`: only the vertices with these sources; without it, the
 * whole node. Each node stands for itself, not for those below it. `file` is as in dio_scene_source; `path` is as in
 * dio_tree, an empty one is the whole file. */
DIO_API dio_buffer* dio_scene_shows(const dio_scene* scene, const char* file, const char* path);

/* ---- games ------------------------------------------------------------------------------------------------------- */

/* The game in the image of a cartridge or a disc, or in another archive; never null. The file may be closed; one that
 * was opened in parts is still read. dio_game_ok returns 0 if there is no game, and every other function the reason:
 * game.unknown, archive.none, capi.argument, and the error of the file. */
DIO_API dio_game* dio_game_open(const dio_file* file);

/* A file of a folder: its path in the folder, with /, its size, and what `read` gets as `user`. */
typedef struct dio_source {
  const char* path;
  uint64_t size;
  void* user;
} dio_source;
/* The game in a folder: an unpacked cartridge, the tree of a decompilation, or the files of one map that belong
 * together (MAP001.GNS and the files beside it). `name` is that of the folder, for messages. `read` is used as in
 * dio_open_parts, until the game and its scenes are closed. Flags: DIO_KNOWN. */
DIO_API dio_game* dio_game_open_files(const char* name, const dio_source* files, size_t count, dio_read read,
                                      uint32_t flags);
/* Frees a game; its scenes live on. Null is fine. A game, with its scenes, is for one thread at a time. */
DIO_API void dio_game_close(dio_game* game);
/* 1: there is a game. 0: there is none, or `game` is not a dio_game. */
DIO_API uint32_t dio_game_ok(const dio_game* game);

/* What it is, as JSON: {"schema": "diorama.game/1", "name", "game": "platinum", "title", "files": {...}, "overlays":
 * ["tiles"], "options": ["time", "show", "rotation"], "scene_parts": [{"kind": "header", "title": "Maps", "map":
 * true}]}: the overlays and the options of dio_game_world, and the kinds of parts that it makes scenes of; those that
 * are a "map" are places that players know. */
DIO_API dio_buffer* dio_game_info(const dio_game* game);
/* Everything in it that can be referred to, as JSON: {"schema": "diorama.parts/1", "game", "parts": [{"id": "land/489",
 * "kind", "number", "name"?, "path"?, "element"?}]}. Paths are those of files in the game; the element is the one in
 * the file that is the part, "headers[411]", where the file holds several. */
DIO_API dio_buffer* dio_game_parts(const dio_game* game);
/* The table of maps, as JSON: `dio maps --json`. */
DIO_API dio_buffer* dio_game_maps(const dio_game* game);
/* One part, as JSON: `dio maps GAME PART --json`: what the states of a map change, and which file has what; of other
 * parts, what they use and what uses them. `options` are as for dio_game_world. Errors: capi.argument, game.part,
 * game.state. */
DIO_API dio_buffer* dio_game_part(const dio_game* game, const char* part, const char* const* options, size_t count);
/* What is wrong across its files, as JSON: `dio check --maps --format json`. Findings known in retail files are left
 * out, unless DIO_KNOWN was given. */
DIO_API dio_buffer* dio_game_check(const dio_game* game);
/* What a part takes of what the console and the game have, as JSON: {"schema": "diorama.budget/1", "game", "part",
 * "name"?, "budgets": [{"name", "used", "of", "unit", "about"}]}: `dio budget --maps --part`. With an empty part those
 * of all maps and areas: {"schema": "diorama.budgets/1", "game", "parts": [{"part", "name"?, "budgets"}]}. Errors:
 * game.part, game.budget (no limits are known for parts of this kind). */
DIO_API dio_buffer* dio_game_budget(const dio_game* game, const char* part);
/* The same of one part as a picture (SVG). */
DIO_API dio_buffer* dio_game_budget_picture(const dio_game* game, const char* part);
/* Which parts use which, of all of the game or of one part with its neighbours. `form` is "json": {"schema":
 * "diorama.graph/1", "game", "parts": [{"part", "name"?, "path"?, "uses", "used_by"}]}; "dot", for Graphviz; or
 * "mermaid": `dio tree --maps`. Error: game.part. */
DIO_API dio_buffer* dio_game_graph(const dio_game* game, const char* part, const char* form);
/* Which values of its files refer to a part, and to which parts it refers, as JSON: {"schema": "diorama.refs/1",
 * "game": its name, "parts": [{"part", "refers_to": [{"file", "path", "from", "to"}], "referred_by": [the same]}]}.
 * Error: game.part. */
DIO_API dio_buffer* dio_game_refs(const dio_game* game, const char* part);
/* How the maps of `b` differ from those of `a`, as JSON: {"schema": "diorama.map-diff/1", "changes": [{"kind", "part",
 * "name"?, "what"?, "old"?, "new"?, "count"?, "maps"}]}: `dio diff --maps`. Error: capi.argument (different games). */
DIO_API dio_buffer* dio_game_diff(const dio_game* a, const dio_game* b);
/* A file of the game that follows from others: `dio maps --make`. Errors: game.make, and those of its sources. */
DIO_API dio_buffer* dio_game_make(const dio_game* game, const char* name);
/* The other files that the game needs to show a part, as JSON: {"schema": "diorama.shown-with/1", "part", "files":
 * ["..."]}: for a mesh, those with the textures and palettes of its map. Error: game.part. */
DIO_API dio_buffer* dio_game_shown_with(const dio_game* game, const char* part);
/* A part as a scene, never null: `dio world`. An empty part is the largest world. `options` are `count` texts, of the
 * names in dio_game_info: "time=20:30", "state=night", "show=tiles,events", "lamps=yes", "all-states=yes",
 * "tick-rate=30". The files that dio_scene_source names are paths in the game. Errors: capi.argument, game.part,
 * game.state, scene.none. */
DIO_API dio_scene* dio_game_world(const dio_game* game, const char* part, const char* const* options, size_t count);

/* The edits that take several files of the game, as JSON: {"schema": "diorama.edits/1", "game", "edits": [{"edit",
 * "usage", "about"}]}. */
DIO_API dio_buffer* dio_game_edits(const dio_game* game);
/* Makes edits of the game, given as the words of `dio edit GAME`: {"add-prop", "land=3", "model=2", "x=8", "z=24"} or
 * {"move", "land/12", "before=3"}. From then on the game is as edited; what it was opened from does not change. All are
 * made, or none. `scene`: for edits that bring one in, such as {"make-map", "header=TOWN"}, a file that is a scene,
 * from dio_open, whose argument scene=FILE is then left out; null for others. The result: {"schema":
 * "diorama.game-edit/1", "done": what each has done, in a line, and then
 * what became due, "changes": the values that were set, in a line each,
 * "files": [{"path", "size"}], all that are not as they were, "notes": what could not be kept}. Flags: DIO_UNLINK.
 * Errors: edit.*, game.part, those of the files, and of what is made of a scene. */
DIO_API dio_buffer* dio_game_edit(dio_game* game, const char* const* words, size_t count, uint32_t flags,
                                  const dio_file* scene);
/* The bytes of a file of the game by its path, as edited. With an empty path, the image: a game in a folder has none
 * (archive.none). Errors: file.missing, archive.*. */
DIO_API dio_buffer* dio_game_file(const dio_game* game, const char* path);

/* ---- several files at once -------------------------------------------------------------------------------------- */

/* These functions return JSON: {"schema": "diorama.files/1", "files": [{"name", "size"}], "notes": [...], ...}. Notes
 * are findings about differences from the source. dio_buffer_file returns the bytes of the files, in this order. */

/* Files of a format, made from a scene or from a file of the same format in another version, as by `dio convert
 * scene.glb -o scene.splashpack --target-layout v21`: room.splashpack, room.vram, room.spu. A scene is a .glb or .gltf
 * opened with dio_open; dio_file_ok returns 0 for it, because glTF is not one of the formats. `options` are `count`
 * texts such as "layout=v21"; dio_formats lists them. Errors: make.argument, gltf.*, and those of the format. */
DIO_API dio_buffer* dio_make(const dio_file* file, const char* format, const char* const* options, size_t count);

/* An edited scene (.glb, .gltf, from dio_open) back into the file it was made of: `dio convert --onto`. One file, and
 * "what": what has changed, in words; "deleted": how many elements or polygons the scene lacks; "lost": how many of its
 * changes are not taken, which the notes name. Flags: DIO_CANONICAL, DIO_LOSSY, DIO_UNLINK, DIO_CASCADE, DIO_PARTLY,
 * DIO_DELETE; without the last two, losses are errors (scene.lost, scene.deleted). Errors: capi.argument (the format
 * takes no scenes), scene.*, gltf.*, edit.*, layout.*. */
DIO_API dio_buffer* dio_put_back(const dio_file* file, const dio_file* scene, uint32_t flags);

/* Its pictures as PNG, and textures.json, which describes them; one whose entry has the part "video memory" shows all
 * of it. Of `options`, "all-palettes=yes" gives each picture with each palette that fits, and "pal=yes" palettes as
 * .pal files (JASC), too: `dio textures`. Errors: capi.argument (the format has no textures), and those of the
 * format. */
DIO_API dio_buffer* dio_textures(const dio_file* file, const char* const* options, size_t count);

/* Edited pictures back: one file, with pictures from a folder that dio_textures has made, and "changed", "unchanged"
 * and "added": how many are. Pictures and .pal files that are not given stay as they are; textures.json is needed. Of
 * `options`, "add=yes" makes new textures of .png files that textures.json does not name, and "rescale=yes" has texture
 * coordinates follow other sizes (both nsbmd, nsbtx). Flags: DIO_LOSSY. Errors: capi.argument, file.missing, png.*,
 * jasc.*, json.*, textures.*, layout.*, and those of the format. */
DIO_API dio_buffer* dio_take_textures(const dio_file* file, const dio_named* folder, size_t folder_count,
                                      const char* const* options, size_t count, uint32_t flags);

/* Its sounds, decoded: the list has more members, {"name", "size", "path", "rate", "loops", "samples"}: the path of its
 * record in the file, samples per second, whether it repeats, and their number. The bytes are 16-bit little-endian
 * numbers of one channel; none if the samples are in a companion that was not passed to dio_together (room.spu). No
 * files if the file has no sounds. */
DIO_API dio_buffer* dio_sounds(const dio_file* file);

/* ---- archives ---------------------------------------------------------------------------------------------------- */

/* The members of an archive, as JSON: {"schema": "diorama.members/1", "file", "format", "folders": [], "members":
 * [{"number", "path", "offset", "size", "what"}]}. `what` is the role of a member in the game, or the id of its
 * format, if either is known. "first": the path of the member to show first, if any has a picture; not of a file that
 * was opened in parts. A file that is not an archive gives the error archive.none. */
DIO_API dio_buffer* dio_members(const dio_file* file);

/* The bytes of a member, decompressed. The path is one of dio_members, or continues into nested archives:
 * "fielddata/land_data/land_data.narc/12". An empty path is all that a compressed file holds: the archive in a .szs.
 * Errors: file.missing, archive.none. */
DIO_API dio_buffer* dio_member(const dio_file* file, const char* path);

/* What is wrong with a member, as dio_check says it of a file that is open together with all that it belongs to in the
 * archive: companions, and the files that a course needs. `edited`: `count` members that have other bytes now; null, if
 * there are none. Errors: as dio_member, and as dio_replace. */
DIO_API dio_buffer* dio_check_member(const dio_file* file, const char* path, const dio_named* edited, size_t count);

/* The bytes of the archive with new bytes for a member, which may be in a nested archive. The file itself does not
 * change. An empty path replaces all that a compressed file holds. Errors: file.missing, archive.*, layout.*. */
DIO_API dio_buffer* dio_replace(const dio_file* file, const char* path, const void* bytes, size_t size);

/* The same of several members, no two of them in the same member of the outermost archive: in one pass. Errors:
 * capi.argument (two are), and those of dio_replace. */
DIO_API dio_buffer* dio_replace_all(const dio_file* file, const dio_named* members, size_t count);

/* The members of an archive as files with safe names, or those below one of its folders, and in the folder `_system`
 * what dio_pack needs to make the same archive again: `dio unpack`. A result of several files. Errors: archive.none,
 * file.missing, archives.names, layout.*. */
DIO_API dio_buffer* dio_unpack(const dio_file* file, const char* folder);

/* An archive of files, by what is in their folder: `dio pack`. Of `options`, "as=nds", "narc", "u8", "yaz0" (a U8
 * archive in it; of one file, that file), "lz10", "lz11", "iso" or "bin" says what it becomes where the folder does
 * not; "named=yes" has a NARC keep names, "byte-order=ff-fe" is that of some NARCs. Errors: capi.argument,
 * archive.full, archive.pack, archives.names, archives.lz, layout.*. */
DIO_API dio_buffer* dio_pack(const dio_named* files, size_t files_count, const char* const* options, size_t count);

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* 1: it is the result. 0: it is the JSON of an error, or `buffer` is not a dio_buffer. */
DIO_API uint32_t dio_buffer_ok(const dio_buffer* buffer);
/* The bytes; never null for a buffer. JSON and glTF text is followed by a NUL that is not counted. */
DIO_API const void* dio_buffer_data(const dio_buffer* buffer);
DIO_API size_t dio_buffer_size(const dio_buffer* buffer);
/* The bytes of one of several files, counted from 0. The result is independent of `buffer`. */
DIO_API dio_buffer* dio_buffer_file(const dio_buffer* buffer, size_t number);
/* Frees a buffer. Null is fine. */
DIO_API void dio_buffer_free(dio_buffer* buffer);

/* ---- memory, for callers that cannot pass their own (WebAssembly) ----------------------------------------------- */

/* Memory for arguments, aligned for any type; null if there is not enough. */
DIO_API void* dio_alloc(size_t size);
/* Frees memory from dio_alloc. Null is fine. */
DIO_API void dio_free(void* memory);

#ifdef __cplusplus
}
#endif

#endif /* DIORAMA_H */
