/* The header as C99 sees it, and every function called as C calls it. */
#include <string.h>

#include "diorama.h"

#define CHECK(condition) \
  do {                   \
    if (!(condition)) {  \
      failed = __LINE__; \
      goto done;         \
    }                    \
  } while (0)

/* 0, or the line of the check that failed. */
int capi_from_c(void) {
  int failed = 0;
  const char* set[1] = {"STGI.entries[0].laps=4"};
  const char* option[1] = {"layout=v21"};
  const dio_file* others[1];
  dio_buffer *sample = NULL, *text = NULL, *other = NULL;
  dio_file *file = NULL, *beside = NULL, *both = NULL;
  dio_scene* scene = NULL;

  CHECK(dio_version()[0] >= '0');
  text = dio_formats();
  CHECK(dio_buffer_ok(text) == 1 && strlen(dio_buffer_data(text)) == dio_buffer_size(text));
  dio_buffer_free(text);
  text = dio_samples();
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_explain("layout.magic");
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);

  sample = dio_sample("kmp", "race.kmp");
  CHECK(dio_buffer_ok(sample));
  file = dio_open(dio_buffer_data(sample), dio_buffer_size(sample), "race.kmp", NULL, DIO_STRICT);
  CHECK(dio_file_ok(file) && !strcmp(dio_file_format(file), "kmp"));
  text = dio_error(file);
  CHECK(!text);
  text = dio_info(file);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_check(file);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_trace(file);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_tree(file);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_set(file, set, 1);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_convert(file, "glb");
  CHECK(dio_buffer_ok(text) && !memcmp(dio_buffer_data(text), "glTF", 4));
  dio_buffer_free(text);
  text = dio_branch(file, "KTPT.entries", 0, 10);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_spans(file, 0, 16);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_place(file, "KTPT");
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_path_at(file, 5);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_bytes(file, 0, 4);
  CHECK(dio_buffer_size(text) == 4 && !memcmp(dio_buffer_data(text), "RKMD", 4));
  dio_buffer_free(text);
  scene = dio_scene_of(file, NULL, 0);
  CHECK(dio_scene_ok(scene));
  text = dio_scene_data(scene);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_scene_shows(scene, "race.kmp", "KTPT.entries[0]");
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_scene_source(scene, 1, DIO_NO_SOURCE);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_decode(file);
  CHECK(dio_buffer_ok(text));
  other = dio_encode(dio_buffer_data(text), dio_buffer_size(text), DIO_CANONICAL | DIO_LOSSY);
  CHECK(dio_buffer_ok(other));
  dio_buffer_free(other);
  other = dio_save(file, 0);
  CHECK(dio_buffer_size(other) == dio_buffer_size(sample));
  CHECK(!memcmp(dio_buffer_data(other), dio_buffer_data(sample), dio_buffer_size(sample)));
  dio_buffer_free(other);
  dio_buffer_free(text);
  dio_buffer_free(sample);
  dio_close(file);
  file = NULL;
  other = text = NULL;

  sample = dio_sample("splashpack", "scene_d.bin");
  file = dio_open(dio_buffer_data(sample), dio_buffer_size(sample), "room.bin", NULL, 0);
  text = dio_make(file, "splashpack", option, 1);
  CHECK(dio_buffer_ok(text));
  other = dio_buffer_file(text, 1);
  CHECK(dio_buffer_ok(other) && !memcmp(dio_buffer_data(other), "VR", 2));
  beside = dio_open(dio_buffer_data(other), dio_buffer_size(other), "room.vram", NULL, 0);
  dio_buffer_free(other);
  other = dio_buffer_file(text, 0);
  dio_close(file);
  file = dio_open(dio_buffer_data(other), dio_buffer_size(other), "room.splashpack", NULL, 0);
  dio_buffer_free(text);
  text = dio_beside(file);
  CHECK(dio_buffer_ok(text));
  others[0] = beside;
  both = dio_together(file, others, 1);
  CHECK(dio_file_ok(both));
  dio_buffer_free(text);
  text = dio_textures(both, NULL, 0);
  CHECK(dio_buffer_ok(text));
  dio_buffer_free(text);
  text = dio_budget(both);
  CHECK(dio_buffer_ok(text));

done:
  dio_buffer_free(other);
  dio_buffer_free(text);
  dio_buffer_free(sample);
  dio_scene_close(scene);
  dio_close(both);
  dio_close(beside);
  dio_close(file);
  dio_free(dio_alloc(16));
  return failed;
}
