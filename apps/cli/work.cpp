#include "work.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "archive_files.hpp"
#include "formats/contract/making.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace dio::cli {

// ---- many files ----------------------------------------------------------------------------------------------------

namespace {

Report guarded(const Job& one, const Input& input, size_t index) {
  Report report;
  try {
    return one(input, index);
  } catch (const std::bad_alloc&) {
    report.err = input.name + ": there is not enough memory\n";
    report.exit = Exit::system;
  } catch (const std::exception& e) {
    report.err = input.name + ": internal fault: " + e.what() + "\n    this is a bug in dio, not in the file\n";
    report.exit = Exit::fault;
  }
  return report;
}

}  // namespace

Summary for_each(const Request& request, const std::vector<Input>& inputs, const Job& one) {
  Summary summary;
  Progress progress(request, inputs.size() > 1);
  const auto finish = [&](const Report& report, size_t i) {
    progress.clear();
    if (report.skipped)
      ++summary.skipped;
    else
      ++summary.files;
    summary.negative += report.exit == Exit::no;
    summary.failed += report.exit > Exit::no;
    summary.exit = std::max(summary.exit, report.exit);
    if (!print(report)) summary.exit = std::max(summary.exit, Exit::system);
    if (i + 1 < inputs.size())
      progress.show(std::to_string(i + 1) + '/' + std::to_string(inputs.size()) + ' ' + inputs[i + 1].name);
  };
  const size_t processors = request.jobs ? request.jobs : std::max(1u, std::thread::hardware_concurrency());
  const size_t workers = std::min(processors, inputs.size());
  if (workers <= 1) {
    for (size_t i = 0; i < inputs.size(); ++i) finish(guarded(one, inputs[i], i), i);
    return summary;
  }

  std::vector<std::optional<Report>> reports(inputs.size());
  std::mutex mutex;
  std::condition_variable changed;
  size_t next = 0, printed = 0;
  std::vector<std::jthread> threads;
  for (size_t t = 0; t < workers; ++t)
    threads.emplace_back([&] {
      for (;;) {
        size_t mine;
        {
          // Results wait for their turn to be printed: not too many of them.
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] { return next >= inputs.size() || next < printed + 8 * workers; });
          if (next >= inputs.size()) return;
          mine = next++;
        }
        Report report = guarded(one, inputs[mine], mine);
        {
          std::lock_guard lock(mutex);
          reports[mine] = std::move(report);
        }
        changed.notify_all();
      }
    });
  for (size_t i = 0; i < inputs.size(); ++i) {
    Report report;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return reports[i].has_value(); });
      report = std::move(*reports[i]);
      reports[i].reset();
      ++printed;
    }
    changed.notify_all();
    finish(report, i);
  }
  return summary;
}

void say_if_none(const Request& request, const Summary& s, Report& report) {
  if (s.files || s.exit != Exit::done) return;
  report.err += "there is no file of a known format" +
                std::string(request.recursive ? "" : "; -r looks into folders as well") + "\n";
  report.raise(Exit::unreadable);
}

Exit for_each_input(const Request& request, const Job& one) {
  return for_each_input(request, expand(request.inputs, request.recursive), one);
}

Exit for_each_input(const Request& request, const std::vector<Input>& inputs, const Job& one) {
  const Summary s = for_each(request, inputs, one);
  Report end;
  end.exit = s.exit;
  say_if_none(request, s, end);
  if (inputs.size() > 1 && s.failed)
    end.err += grouped(s.failed) + " of " + cli::counted(s.files, "file", "files") + " failed\n";
  if (request.verbose && s.skipped)
    end.err += cli::counted(s.skipped, "file", "files") + " of no known format left out\n";
  print(end);
  return end.exit;
}

Exit for_one_input(const Request& request, const Job& one) {
  const std::vector<Input> inputs = expand(request.inputs, false);
  if (inputs.size() == 1 && !inputs[0].walked) return for_each_input(request, inputs, one);
  Report wrong;
  fail_usage(
      wrong, request,
      "one file at a time: " + request.inputs[0] + (is_folder(request.inputs[0]) ? " is a folder" : " means several"));
  print(wrong);
  return wrong.exit;
}

// ---- opening -------------------------------------------------------------------------------------------------------

namespace {

/// Read, or a report why not.
std::optional<Bytes> bytes_of(const Request& request, const Input& input, Report& report) {
  auto bytes = read_input(input);
  if (bytes) return std::move(*bytes);
  fail(report, request, bytes.error());
  return {};
}

void not_opened(const Request& request, const Input& input, const Diagnostic& d, ByteView bytes, Report& report) {
  if (input.walked && d.id == "detect.unknown")
    report.skipped = true;
  else
    fail(report, request, with_guess(d, input.name, bytes), bytes);
}

}  // namespace

Diagnostic with_guess(Diagnostic d, const std::string& name, ByteView bytes) {
  if (d.id != "detect.unknown") return d;
  constexpr struct {
    std::string_view magic, what;
  } k_others[] = {
      {"Yaz0", "a compressed archive (.szs, Yaz0): unpack it, and look at the files in it"},
      {"U\xaa\x38\x2d", "an archive (.u8, .arc): unpack it, and look at the files in it"},
      {"glTF",
       "a scene: `dio convert SCENE.glb` makes a pack of it (-o NEW.splashpack), or puts it back (--onto FILE)"},
      {"PK\x03\x04", "a zip archive: unpack it, and look at the files in it"}};
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const auto& other : k_others)
    if (text.starts_with(other.magic)) d.hint = "this is " + std::string(other.what);
  if (text.substr(0, 200).find("\"diorama.document/") != text.npos)
    d.hint = "this is JSON from `dio decode`: `dio encode " + name + " -o FILE` makes a file of it";
  return d;
}

std::optional<Opened> open_input(const Request& request, const Input& input, Report& report) {
  auto bytes = bytes_of(request, input, report);
  if (!bytes) return {};
  // The error is shown with the bytes it means, and opening takes them.
  auto opened = dio::open(*bytes, input.name, request.as, request.strict);
  if (opened) {
    open_neighbours(request, input, *opened, &report);
    return std::move(*opened);
  }
  not_opened(request, input, opened.error(), *bytes, report);
  return {};
}

void open_neighbours(const Request& request, const Input& input, Opened& opened, Report* report) {
  if (input.is_stdin) return;
  const std::string& own = input.archive ? input.member : input.name;
  const std::string folder = own.substr(0, own.find_last_of('/') + 1);
  open_beside(opened, [&](const std::string& name) -> std::optional<Bytes> {
    std::error_code error;
    if (!input.archive && !std::filesystem::exists(folder + name, error)) return {};
    auto bytes = input.archive ? input.archive->read(folder + name) : read_file(folder + name);
    if (bytes) return std::move(*bytes);
    if (!input.archive) opened.beside_problems.push_back(bytes.error());
    return {};
  });
  if (report && !request.quiet)
    for (const Diagnostic& d : opened.beside_problems) report->err += note_line(d);
}

std::optional<TracedFile> trace_input(const Request& request, const Input& input, Report& report) {
  auto bytes = bytes_of(request, input, report);
  if (!bytes) return {};
  TracedFile file;
  file.name = input.name;
  file.bytes = std::move(*bytes);
  file.format = request.as.format;
  file.options = request.as.options;
  if (!file.format) {
    const auto found = detect(file.bytes, file.name);
    if (!found) {
      not_opened(request, input, found.error(), file.bytes, report);
      return {};
    }
    file.format = found->format;
  }
  file.traced = file.format->trace(file.bytes, file.options);
  if (file.traced.stop) {
    Diagnostic stop = *file.traced.stop;
    stop.place.file = file.name;
    fail(report, request, stop, file.bytes);
  }
  return file;
}

std::optional<Spot> find_path(const Request& request, const Spans& spans, const std::string& file,
                              const std::string& path, Report& report) {
  if (const auto spot = spans.find(path)) return spot;
  // As far as it goes, and what there is from there.
  std::string known = path, next;
  std::optional<Spot> spot;
  while (!spot) {
    const size_t cut = known.find_last_of(".[");
    const size_t start = cut == known.npos ? 0 : cut + (known[cut] == '.');
    next = known.substr(start, known.find_first_of(".[", start + 1) - start);
    known.resize(cut == known.npos ? 0 : cut);
    spot = spans.find(known);
  }
  Diagnostic d;
  d.id = "path.unknown";
  d.place.file = file;
  d.place.path = path;
  const std::string where = known.empty() ? "the file" : known;
  const Span& s = spans[spot->span];
  if (s.kind == Span::Kind::object && !spot->element) {
    std::vector<std::string> names;
    spans.each_child(spot->span, [&](u32 i) {
      if (spans[i].is_value() && spans[i].key.name) names.emplace_back(spans[i].key.name);
    });
    d.found = where + " has no member " + next;
    const std::string like = nearest(next, names);
    d.hint = like.empty() ? "it has " + joined(names, ", ")
                          : "did you mean " + (known.empty() ? "" : known + ".") + like + "?";
  } else if ((s.kind == Span::Kind::list || s.kind == Span::Kind::numbers) && !spot->element) {
    u64 n = 0;
    if (s.kind == Span::Kind::numbers)
      n = spans.count(s);
    else
      spans.each_child(spot->span, [&](u32) { ++n; });
    d.found = where + " has " + cli::counted(n, "element", "elements") +
              (n ? ", [0] to [" + std::to_string(n - 1) + "]" : "");
  } else {
    d.found = where + " has no parts: it is " + spans.type(spot->span);
  }
  fail(report, request, d);
  return {};
}

// ---- outputs -------------------------------------------------------------------------------------------------------

std::string scene_summary(const scene::Scene& s) {
  u64 triangles = 0;
  for (const auto& m : s.meshes)
    for (const auto& p : m.primitives)
      if (p.shape == scene::Primitive::Shape::triangles)
        triangles += (p.indices.empty() ? p.positions.size() : p.indices.size()) / 3;
  std::string out = counted(s.nodes.size(), "node", "nodes") + ", " + counted(triangles, "triangle", "triangles");
  if (!s.cameras.empty()) out += ", " + counted(s.cameras.size(), "camera", "cameras");
  if (!s.animations.empty()) out += ", " + counted(s.animations.size(), "animation", "animations");
  return out;
}

std::string extension_of(const Format& format) {
  return std::string(format.extensions.substr(0, format.extensions.find(' ')));
}

bool has_extension(const Format& f, std::string_view extension) {
  return (" " + std::string(f.extensions) + " ").find(" " + std::string(extension) + " ") != std::string::npos;
}

std::optional<Outputs> outputs_of(const Request& request, const std::vector<Input>& inputs, std::string_view extension,
                                  Report& report) {
  namespace fs = std::filesystem;
  Outputs out;
  out.is_folder = request.output.ends_with('/') || is_folder(request.output);
  if (!out.is_folder) {
    if (inputs.size() > 1) {
      fail_usage(report, request,
                 request.output.empty() || request.output == "-"
                     ? "several files need a folder: -o FOLDER/"
                     : "several files need a folder: -o " + request.output + "/");
      return {};
    }
    out.names = {request.output};
    return out;
  }
  for (const Input& i : inputs) out.names.push_back((fs::path(request.output) / i.inside).lexically_normal().string());
  const auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto stems = [&](std::vector<std::string> names) {
    for (std::string& n : names) n = with_extension(n, "");
    return sorted(std::move(names));
  };
  // Files that only their extensions tell apart keep them: MAP001.8.json, MAP001.9.json.
  std::vector<std::string> different = sorted(out.names);
  different.erase(std::unique(different.begin(), different.end()), different.end());
  const auto first = stems(std::move(different));
  for (std::string& n : out.names) {
    const auto [from, to] = std::equal_range(first.begin(), first.end(), with_extension(n, ""));
    if (to - from > 1 && fs::path(n).has_extension()) n += ".of";
  }
  const auto all = stems(out.names);
  if (const auto twice = std::adjacent_find(all.begin(), all.end()); twice != all.end()) {
    fail_usage(report, request, "two of the files would both become " + *twice + std::string(extension));
    return {};
  }
  return out;
}

namespace {

/// The archive that the name of a result leads into. A file that is none is in the way of a folder.
Result<std::shared_ptr<ArchiveFile>> archive_at(const ArchivePath& to, const std::string& name) {
  auto archive = ArchiveFile::open(to.file);
  if (!archive && archive.error().id == "archive.none")
    return refuse(io_problem("io.write", name, "a folder to write into", to.file + " is a file"));
  return archive;
}

/// A result in place of a member of an archive: -o game.nds/data/maps.narc/12.
void write_member(const Request& request, const ArchivePath& to, const std::string& name, ByteView bytes,
                  Report& report) {
  const auto archive = archive_at(to, name);
  if (!archive) return fail(report, request, archive.error());
  if (request.output != name)
    return fail(report, request,
                io_problem("io.write", name, "a folder on disk", "it is inside of " + to.file,
                           "one member at a time can be replaced: -o " + to.file + "/MEMBER -f"));
  if (auto old = (*archive)->read(to.inside); !old) return fail(report, request, old.error());
  if (!request.overwrite)
    return fail(report, request, io_problem("io.exists", name, "a new file", "it exists already", "-f overwrites it"));
  if (!request.dry_run)
    if (auto done = (*archive)->replace(to.inside, bytes, {true, {}, false, true}); !done)
      return fail(report, request, done.error());
  if (request.dry_run || !request.quiet)
    report.err += (request.dry_run ? "would change " : "changed ") + name + " (" +
                  cli::counted(bytes.size(), "byte", "bytes") + ")\n";
}

}  // namespace

void write_output(const Request& request, const std::vector<Input>& inputs, const std::string& name, ByteView bytes,
                  Report& report) {
  if (name == "-") {
    report.out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return;
  }
  if (const auto inside = archive_path(name)) return write_member(request, *inside, name, bytes, report);
  const auto output = file_id(name);
  for (const Input& i : inputs) {
    if (!output || i.id != output) continue;
    const bool can_in_place =
        request.verb == "set" || request.verb == "edit" || request.verb == "convert" || request.verb == "textures";
    return fail(report, request,
                io_problem("io.exists", name, "another file than the input", "it is the input itself",
                           can_in_place ? "-i changes it in place" : ""));
  }
  if (request.dry_run) {
    std::error_code error;
    if (std::filesystem::exists(name, error) && !request.overwrite)
      return fail(report, request,
                  io_problem("io.exists", name, "a new file", "it exists already", "-f overwrites it"));
    report.err += "would write " + name + " (" + cli::counted(bytes.size(), "byte", "bytes") + ")\n";
    return;
  }
  const auto parent = std::filesystem::path(name).parent_path().string();
  if (request.output.ends_with('/') && !parent.empty())
    if (auto made = make_folder(parent); !made) return fail(report, request, made.error());
  if (auto done = write_file(name, bytes, {request.overwrite, {}, false, request.overwrite}); !done)
    return fail(report, request, done.error());
  if (!request.quiet) report.err += "wrote " + name + " (" + cli::counted(bytes.size(), "byte", "bytes") + ")\n";
}

void write_outputs(const Request& request, const std::vector<Input>& inputs, const std::string& name,
                   const std::vector<MadeFile>& files, Report& report) {
  if (files.size() == 1) return write_output(request, inputs, name, files[0].bytes, report);
  const auto inside = archive_path(name);
  if (inside)
    if (const auto archive = archive_at(*inside, name); !archive) return fail(report, request, archive.error());
  if (name == "-" || inside)
    return fail_usage(report, request, "several files are made: give the name of a new one with -o");
  std::vector<std::string> names = {name};
  for (size_t i = 1; i < files.size(); ++i) names.push_back(with_extension(name, files[i].extension));
  // What would stop one of them stops all, before any is written.
  Request trial = request;
  trial.dry_run = true;
  for (size_t i = 0; i < files.size(); ++i) {
    Report said;
    write_output(trial, inputs, names[i], files[i].bytes, said);
    if (said.exit == Exit::done && is_folder(names[i]))
      fail(said, request, io_problem("io.write", names[i], "a file", "a folder"));
    if (said.exit != Exit::done || request.dry_run) report.err += said.err;
    report.raise(said.exit);
    if (said.exit != Exit::done) return;
  }
  if (request.dry_run) return;
  std::vector<std::string> written;
  for (size_t i = 0; i < files.size() && report.exit == Exit::done; ++i) {
    std::error_code error;
    const bool is_new = !std::filesystem::exists(names[i], error);
    write_output(request, inputs, names[i], files[i].bytes, report);
    if (report.exit == Exit::done && is_new) written.push_back(names[i]);
  }
  if (report.exit == Exit::done) return;
  for (const std::string& n : written) {
    std::error_code error;
    std::filesystem::remove(n, error);
  }
}

void say_what_stays(const Request& request, const Input& input, const Format& format, const std::string& output,
                    Report& report) {
  if (request.quiet || report.exit != Exit::done || !belonging_of(format).beside || input.is_stdin || output == "-")
    return;
  const std::string& own = input.archive ? input.member : input.name;
  const auto split = [](const std::string& name) { return name.find_last_of('/') + 1; };  // npos + 1 is 0
  const size_t in = split(own), out = split(output);
  const auto here = belonging_of(format).beside(own.substr(in)),
             there = belonging_of(format).beside(output.substr(out));
  std::vector<std::string> stay, wanted;
  std::error_code error;
  for (size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    const std::string from = own.substr(0, in) + here[i], to = output.substr(0, out) + there[i];
    const bool is_here = input.archive ? bool(input.archive->read(from)) : std::filesystem::exists(from, error);
    if (!is_here || std::filesystem::exists(to, error)) continue;
    stay.push_back(from);
    wanted.push_back(to);
  }
  if (!stay.empty())
    report.err += output + ": what belongs to it stays where it is: copy " + joined(stay, ", ") + " to " +
                  joined(wanted, ", ") + "\n";
}

void write_in_place(const Request& request, const Input& input, ByteView bytes, Report& report) {
  if (request.dry_run) {
    report.err += "would change " + input.name + " (" + cli::counted(bytes.size(), "byte", "bytes") + ")\n";
    return;
  }
  const WriteOptions options{true, request.backup, request.overwrite, request.overwrite};
  const std::string& file = input.archive ? input.archive->name() : input.name;
  const auto done =
      input.archive ? input.archive->replace(input.member, bytes, options) : write_file(file, bytes, options);
  if (!done) return fail(report, request, done.error());
  if (!request.quiet)
    report.err +=
        "changed " + input.name + (request.backup.empty() ? "" : "; the old one is " + file + request.backup) + "\n";
}

}  // namespace dio::cli
