/* diorama.h: the library for other languages: C, Python's ctypes, and JavaScript by way of WebAssembly. C99.
 *
 * Ownership. What a function returns as dio_buffer* or dio_file* belongs to the caller, who gives it back with
 * dio_buffer_free or dio_close. Arguments are only borrowed, and copied where they are kept.
 *
 * Errors. Functions that return a dio_buffer never return null; only dio_error does, where there is no error. If
 * dio_buffer_ok says 0, the buffer holds the JSON of one diagnostic instead of the result, in the shape of the findings
 * of `dio check --format json`:
 *   {"severity": "stop", "id": "layout.truncated", "file": "course.kmp", "offset": 36, "size": 4, "path": "...",
 *    "message": "...", "expected": "...", "found": "...", "hint": "..."}
 * What is unknown is left out. Wrong arguments (null where something is needed, a flag the function does not know) are
 * errors of this kind too, with the id capi.argument. So is a dio_buffer given as a dio_file, or the other way round;
 * pointers that point to neither, or to something already freed, cannot be told. Running out of memory ends the
 * process; in WebAssembly it traps.
 *
 * Texts are UTF-8; what is not shows as U+FFFD in JSON. Those passed in as const char* end with a NUL, and null means
 * an empty text. JSON of a file is, byte for byte, what the program `dio` prints for the same file and verb.
 *
 * Threads. Nothing here is global and changes. A dio_file never changes after dio_open, and neither does a dio_buffer:
 * several threads may use the same one, as long as none of them frees it meanwhile.
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

/* A result: bytes or text, and whether it is what was asked for or an error. */
typedef struct dio_buffer dio_buffer;
/* A file that was opened, readable or not. */
typedef struct dio_file dio_file;

/* Flags of dio_open. */
#define DIO_STRICT 1u /* a part that reads only in part, and would be kept as raw bytes, makes the file unreadable */
#define DIO_KNOWN 8u  /* dio_check says what the makers of a game shipped the file with, too: `dio check --known` */

/* Flags of dio_save and dio_encode. */
#define DIO_CANONICAL 2u /* lays out even an unedited document anew, and drops bytes that nobody described */
#define DIO_LOSSY 4u     /* an edited document may lose bytes that nobody described and that are not zero */

/* ---- the library ------------------------------------------------------------------------------------------------ */

/* "1.2.3". Lives as long as the program. */
DIO_API const char* dio_version(void);

/* The formats, as JSON: {"schema": "diorama.formats/1", "formats": [{"id", "title", "platform", "extensions",
 * "checks", "gltf", "options"}]}: how many rules dio_check knows for it, whether dio_convert can make glTF of it;
 * where dio_make can make it of scenes, what it may be told: [{"name", "usage",
 * "about"}]. */
DIO_API dio_buffer* dio_formats(void);

/* Small files of every format, made from nothing, as JSON:
 * {"schema": "diorama.samples/1", "samples": [{"format", "name", "about", "size"}]}. Not in the WebAssembly module. */
DIO_API dio_buffer* dio_samples(void);
/* The bytes of one of them. Names are unique within a format. */
DIO_API dio_buffer* dio_sample(const char* format, const char* name);

/* What the id of a finding or an error means, as JSON:
 * {"schema": "diorama.explain/1", "rule", "severity", "also"?, "sentence", "why", "source"}. "also": the other severities its findings
 * may have. */
DIO_API dio_buffer* dio_explain(const char* id);

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Finds out what the bytes are and reads them; never null. `name` is a file name: it helps to tell formats apart and
 * stands in messages. `as` is the id of a format to read them as; null or empty: the one that fits best. Bytes that
 * cannot be read give a file all the same: dio_error tells why, dio_check lists it as a finding, and dio_trace and
 * dio_tree go as far as reading went. */
DIO_API dio_file* dio_open(const void* bytes, size_t size, const char* name, const char* as, uint32_t flags);
/* Frees a file. Null is fine. */
DIO_API void dio_close(dio_file* file);

/* 1: it was read. 0: it could not be, or `file` is none. */
DIO_API uint32_t dio_file_ok(const dio_file* file);
/* Why a file could not be read: a buffer that is not ok. Null, and nothing to free, if it could be. */
DIO_API dio_buffer* dio_error(const dio_file* file);
/* The id of its format; null if it is unknown. Lives as long as the file. */
DIO_API const char* dio_file_format(const dio_file* file);

/* The names of files that belong to it and lie beside it, as JSON: {"schema": "diorama.beside/1", "names":
 * ["room.vram", "room.spu"]}. It is the caller who looks for them, and gives those that are there to dio_together. */
DIO_API dio_buffer* dio_beside(const dio_file* file);

/* The same file together with `count` others that belong to it: what lies beside it, textures and animations of a
 * model, a pack for its textures. It is a file of its own: the others, and the first, may be closed. dio_check,
 * dio_convert, dio_textures, dio_budget and dio_make see all of them; with a count of 0 dio_check says what is missing.
 * The file of a scene (.glb, .gltf) takes any others: those that it names, by their paths from where it lies.
 * A file that cannot belong to the first gives an error: capi.argument; one that cannot be read is a finding of
 * dio_check. */
DIO_API dio_file* dio_together(const dio_file* file, const dio_file* const* others, size_t count);

/* What it is in short, as JSON:
 * {"schema": "diorama.info/1", "file", "format", "size", "certainty", "reason", "info": {...}}. */
DIO_API dio_buffer* dio_info(const dio_file* file);

/* What is wrong with it, as JSON: {"schema": "diorama.check/1", "findings": [...], "summary": {...}, "files": 1}. Works for unreadable
 * files too. What the makers of a game shipped the file with is left out, unless it was opened with DIO_KNOWN. */
DIO_API dio_buffer* dio_check(const dio_file* file);

/* Where everything lies, as JSON: {"schema": "diorama.hex/1", "size", "spans": [{"path", "offset", "size", "type",
 * "value", ...}], "gaps": [{"offset", "size", "hex"}], "file", "format"}. Spans and gaps add up to the file. */
DIO_API dio_buffer* dio_trace(const dio_file* file);

/* All values with places, types and explanations, as JSON: {"schema": "diorama.tree/1", "file", "format", "path": "",
 * "tree": {"name", "type", "offset", "size", "value", "show", "doc", "unit", "members"}}. */
DIO_API dio_buffer* dio_tree(const dio_file* file);

/* Everything that is needed for the same bytes again, as JSON: {"schema": "diorama.document/1", "format", "size",
 * "digest", "residue", "document"}. */
DIO_API dio_buffer* dio_decode(const dio_file* file);

/* The inverse of dio_decode: bytes from its JSON, edited or not. Flags: DIO_CANONICAL, DIO_LOSSY. */
DIO_API dio_buffer* dio_encode(const char* json, size_t size, uint32_t flags);

/* The bytes of the file; without flags those it was opened from. Flags: DIO_CANONICAL, DIO_LOSSY. */
DIO_API dio_buffer* dio_save(const dio_file* file, uint32_t flags);

/* The bytes of the file with other values: `count` texts such as "KTPT.entries[0].position.x=12.5", as `dio set` takes
 * them. Sizes, counts and other fields that follow from what changed are adapted. The file itself stays as it is. */
DIO_API dio_buffer* dio_set(const dio_file* file, const char* const* assignments, size_t count);

/* What its console has of everything and what it takes of that, as JSON: {"schema": "diorama.budget/1", "file",
 * "format", "engine", "budgets": [{"name", "used", "of", "unit"}], ...}. */
DIO_API dio_buffer* dio_budget(const dio_file* file);

/* The file as something else: "glb" (binary glTF), "gltf" (glTF as text), "json" (dio_decode). */
DIO_API dio_buffer* dio_convert(const dio_file* file, const char* to);

/* ---- several files at once -------------------------------------------------------------------------------------- */

/* These functions give JSON: {"schema": "diorama.files/1", "files": [{"name", "size"}], "notes": [...]}. Notes are
 * findings: what is not as it was in the source. The bytes of the files: dio_buffer_file, in this order. */

/* Files of a format, of a scene or of a file of this format in another version, as `dio convert scene.glb -o
 * scene.splashpack --layout v21` makes them: room.splashpack, room.vram, room.spu. A scene is the file of a .glb or
 * .gltf, for which dio_file_ok says 0, as it is of no format here. `options` are `count` texts such as "layout=v21";
 * dio_formats lists them. Errors: make.argument, gltf.*, and those of the format. */
DIO_API dio_buffer* dio_make(const dio_file* file, const char* format, const char* const* options, size_t count);

/* Its pictures as PNG, and textures.json, which says what each is. Of a file that happens to have none: no files. */
DIO_API dio_buffer* dio_textures(const dio_file* file);

/* ---- archives ---------------------------------------------------------------------------------------------------- */

/* The members of an archive, as JSON: {"schema": "diorama.members/1", "file", "format", "folders": [], "members":
 * [{"number", "path", "offset", "size", "what"}]}. `what` is what a member is to the game, or the id of its format,
 * where either is known. A file that is no archive is an error: archive.none. */
DIO_API dio_buffer* dio_members(const dio_file* file);

/* The bytes of a member, as the game gets it. The path is one of dio_members, or leads on into archives in the archive:
 * "fielddata/land_data/land_data.narc/12". Errors: file.missing, archive.none. */
DIO_API dio_buffer* dio_member(const dio_file* file, const char* path);

/* The bytes of the archive with others in place of a member, through all archives around it. The file itself stays as
 * it is. */
DIO_API dio_buffer* dio_replace(const dio_file* file, const char* path, const void* bytes, size_t size);

/* ---- results ---------------------------------------------------------------------------------------------------- */

/* 1: it is the result. 0: it is the JSON of an error, or `buffer` is none. */
DIO_API uint32_t dio_buffer_ok(const dio_buffer* buffer);
/* The bytes; never null for a buffer. Behind JSON and glTF text stands a NUL that is not counted. */
DIO_API const void* dio_buffer_data(const dio_buffer* buffer);
DIO_API size_t dio_buffer_size(const dio_buffer* buffer);
/* The bytes of one of several files, counted from 0. It does not need the buffer any more. */
DIO_API dio_buffer* dio_buffer_file(const dio_buffer* buffer, size_t number);
/* Frees a buffer. Null is fine. */
DIO_API void dio_buffer_free(dio_buffer* buffer);

/* ---- memory, for those who cannot hand out their own (WebAssembly) ----------------------------------------------- */

/* Memory to put arguments into, aligned for anything; null if there is not so much. */
DIO_API void* dio_alloc(size_t size);
/* Frees what dio_alloc gave. Null is fine. */
DIO_API void dio_free(void* memory);

#ifdef __cplusplus
}
#endif

#endif /* DIORAMA_H */
