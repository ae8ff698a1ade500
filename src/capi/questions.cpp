// questions.cpp: questions of diorama.h about positions in a file, and its sounds.
#include <algorithm>

#include "capi/diorama.h"
#include "capi/handles.hpp"
#include "formats/contract/edits.hpp"
#include "formats/contract/format.hpp"
#include "formats/contract/sounds.hpp"
#include "operations/describe_json.hpp"

using namespace dio;
using namespace dio::capi;

extern "C" {

dio_buffer* dio_questions(const dio_file* file) {
  return with_opened(file, [](const OpenedFile& o) {
    Value v = Value::object();
    v.add("schema", "diorama.questions/1");
    v.add("format", o.format_id());
    Value& list = v.add("questions", Value::list());
    for (const Question& q : questions_of(*o.format)) {
      Value& one = list.push(Value::object());
      one.add("question", q.name);
      one.add("usage", q.usage);
      one.add("about", q.about);
    }
    return make_buffer(v);
  });
}

dio_buffer* dio_ask(const dio_file* file, const char* question, const char* argument) {
  return with_opened(file, [&](const OpenedFile& o) {
    const std::string_view name = text_of(question);
    const auto questions = questions_of(*o.format);
    const auto asked = std::ranges::find(questions, name, &Question::name);
    if (asked == questions.end())
      return make_buffer(
          argument_error({.message = "the format " + o.format_id() + " has no question " + in_quotes(name)}), file);
    const std::string whole = std::string(name) + '@' + std::string(text_of(argument));
    auto answer = asked->answer(*o.document, text_of(argument));
    if (!answer) {
      Diagnostic& d = answer.error();
      d.place.path = whole;
      if (d.hint.empty())
        d.hint = std::string(asked->name) + "@" + std::string(asked->usage) + ": " + std::string(asked->about);
      return make_buffer(std::move(d), file);
    }
    return make_buffer(answer_json(o.name, whole, std::move(*answer)));
  });
}

dio_buffer* dio_sounds(const dio_file* file) {
  return with_opened(file, [&](const OpenedFile& o) {
    std::vector<Sound> sounds;
    if (o.format->sounds) sounds = o.format->sounds->sounds(*o.document, collect_companions(o));
    std::vector<std::pair<std::string, Bytes>> files;
    for (const Sound& s : sounds) {
      Bytes bytes;
      for (const i16 sample : s.samples) bytes.push_back(u8(sample)), bytes.push_back(u8(u16(sample) >> 8));
      files.emplace_back(s.name, std::move(bytes));
    }
    return make_buffer(std::move(files), {}, *file, [&](size_t i, Value& one) {
      one.add("path", sounds[i].path);
      one.add("rate", sounds[i].rate);
      one.add("loops", sounds[i].loops);
      one.add("samples", u64(sounds[i].samples.size()));
    });
  });
}

}  // extern "C"
