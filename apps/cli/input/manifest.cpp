#include "manifest.hpp"

#include <cerrno>
#include <cstring>

#include "../command_line/print.hpp"
#include "../system/files.hpp"
#include "core/json.hpp"

namespace dio::cli {

namespace {

/// The file that holds an input, as it is now: of a member, its archive. Nothing if it cannot be told.
std::optional<FileState> input_file_state(const Input& input) {
  if (input.is_stdin) return {};
  return file_state(input.archive ? input.archive->name() : input.name);
}
std::string format_change_time(const FileState& s) {
  return std::to_string(s.seconds) + '.' + std::to_string(s.nanoseconds);
}
std::string manifest_key(std::string_view file, u64 size, std::string_view changed) {
  return std::string(file) + '\0' + std::to_string(size) + '\0' + std::string(changed);
}

Diagnostic not_a_manifest_error(const std::string& name) {
  return make_diagnostic("io.manifest", Location::in_file(name),
                         {.message = "the file is not a dio manifest and was left unchanged",
                          .hint = "give --manifest the name of a new file"});
}

}  // namespace

Result<std::unique_ptr<Manifest>> Manifest::open(const std::string& name, const std::string& command) {
  std::unique_ptr<Manifest> out(new Manifest);
  out->command_ = command;
  bool is_cut = false;
  if (file_id(name)) {
    const auto bytes = read_regular_file(name);
    if (!bytes) return refuse(bytes.error());
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    bool is_first = true;
    is_cut = !text.empty() && text.back() != '\n';
    for (size_t start = 0; start < text.size();) {
      const size_t end = text.find('\n', start);
      // A line without an end is what a process wrote that was killed.
      if (end == text.npos) {
        if (is_first) return refuse(not_a_manifest_error(name));
        break;
      }
      const auto line = json::read(text.substr(start, end - start));
      start = end + 1;
      const Value* file = line ? line->find("file") : nullptr;
      const Value* size = line ? line->find("size") : nullptr;
      const Value* changed = line ? line->find("changed") : nullptr;
      const Value* by = line ? line->find("command") : nullptr;
      const Value* exit = line ? line->find("exit") : nullptr;
      if (!file || !size || !changed || !by || !exit) {
        if (is_first) return refuse(not_a_manifest_error(name));
        continue;
      }
      is_first = false;
      const i64 code = i64(exit->bits());
      if (by->text() == command && code >= 0 && code < i64(ExitCode::system))
        out->done_[manifest_key(file->text(), size->bits(), changed->text())] = ExitCode(code);
    }
  }
  out->file_ = os::open_for_appending(name);
  if (!out->file_)
    return refuse("io.write", Location::in_file(name),
                  {.message = std::string("cannot be written: ") + std::strerror(errno)});
  if (is_cut) std::fputc('\n', out->file_);  // or the next line would be part of that one
  return out;
}

Manifest::~Manifest() {
  if (file_) std::fclose(file_);
}

std::optional<ExitCode> Manifest::previous_exit(const Input& input) const {
  const auto state = done_.empty() ? std::nullopt : input_file_state(input);
  if (!state) return {};
  const auto found = done_.find(manifest_key(input.name, state->size, format_change_time(*state)));
  return found == done_.end() ? std::nullopt : std::optional(found->second);
}

bool Manifest::add(const Input& input, ExitCode exit) {
  const auto state = input_file_state(input);
  if (!state) return true;
  Value line = Value::object();
  line.add("file", input.name);
  line.add("size", state->size);
  line.add("changed", format_change_time(*state));
  line.add("command", command_);
  line.add("exit", i64(exit));
  // One write at the end of the file: lines of several processes do not mix.
  const std::string text = json_text(line, true);
  return std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
}

}  // namespace dio::cli
