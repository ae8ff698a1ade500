// dio find: files inside any other file.
#include <algorithm>
#include <filesystem>

#include "../command_line/print.hpp"
#include "../command_line/progress.hpp"
#include "../command_line/text.hpp"
#include "../input/batch.hpp"
#include "../output/results.hpp"
#include "core/printing.hpp"
#include "formats/contract/format.hpp"
#include "verbs.hpp"

namespace dio::cli {

namespace {

struct Found {
  u64 offset, size;
  const Format* format;
  size_t damaged;  // parts that do not read as they should
};

/// What begins here, if it is one of that format. Its size is where the last described byte ends, if it reads as well
/// without what follows.
Result<Found> file_at(const Format& format, ByteView rest, u64 at) {
  // Loading keeps a copy of all unreferenced bytes, so only a part of a large image is passed.
  constexpr size_t k_window = 64 << 20;
  const ByteView window = rest.first(std::min(rest.size(), k_window));
  auto loaded = format.load(window, {});
  ByteView bytes = window;
  if (!loaded && window.size() < rest.size()) {
    loaded = format.load(rest, {});
    bytes = rest;
  }
  if (!loaded) return refuse(std::move(loaded.error()));
  const Traced traced = format.trace(bytes, {});
  const auto gaps = traced.spans.gaps();
  u64 end = bytes.size();
  if (!gaps.empty() && gaps.back().offset + gaps.back().size == end) end = gaps.back().offset;
  // The size that the file states counts, whether all of it is described or not.
  if (const auto said = format.size_path.empty() ? std::nullopt : traced.spans.find(format.size_path))
    if (const u64 size = traced.spans.value(*said).bits(); size <= bytes.size()) end = std::max(end, size);
  if (!format.load(bytes.first(size_t(end)), {})) end = bytes.size();
  return Found{at, end, &format, loaded->notes.size()};
}

std::vector<Found> scan(const Request& request, ByteView bytes, const std::string& name, bool only, Report& report) {
  std::vector<Found> out;
  Progress progress(request, only);
  const u64 step = request.every_byte ? 1 : 4;
  std::vector<const Format*> marked;
  for (const Format* f : formats())
    if (!f->needs_name) marked.push_back(f);
  for (u64 at = 0; at < bytes.size(); at += step) {
    if ((at & 0xFFFFF) == 0) progress.show(std::to_string(100 * at / bytes.size()) + "% of " + name);
    const ByteView rest = bytes.subspan(size_t(at));
    for (const Format* f : marked) {
      // Only what is certain: at some offset of a large file, anything looks likely.
      if (f->sniff(rest, "").certainty != Sniff::Certainty::certain) continue;
      auto found = file_at(*f, rest, at);
      if (found) {
        out.push_back(*found);
      } else if (request.verbose) {
        Diagnostic d = std::move(found.error());
        d.place.file.clear();
        report.err += name + ": " + hex_number(at, 8) + ": starts like " + std::string(f->title) +
                      ", but cannot be read: " + to_line(d) + "\n";
      }
    }
  }
  return out;
}

}  // namespace

Exit run_find(const Request& request) {
  const std::vector<Input> inputs = inputs_of(request);
  Report wrong;
  if (!request.output.empty() && !request.output.ends_with('/') && !is_folder(request.output))
    fail_usage(wrong, request, "-o must name a folder for the files that are found: -o " + request.output + "/");
  if (wrong.exit != Exit::done) return finish(wrong);
  return for_each_input(request, inputs, [&](const Input& input, size_t) {
    Report report;
    const auto bytes = read_input(request, input, report);
    if (!bytes) return report;
    const std::vector<Found> found = scan(request, *bytes, input.name, inputs.size() == 1, report);
    if (found.empty()) report.raise(Exit::no);
    if (request.json) {
      Value v = described_by("diorama.find/1");
      v.add("file", input.name);
      Value& list = v.add("found", Value::list());
      for (const Found& f : found) {
        Value& one = list.push(Value::object());
        one.add("offset", f.offset);
        one.add("size", f.size);
        one.add("format", f.format->id);
        one.add("damaged_parts", u64(f.damaged));
      }
      report.out = json_text(v);
    } else {
      Table table("> >");
      for (const Found& f : found)
        table.row({hex_number(f.offset, 8), std::string(f.format->id), std::to_string(f.size),
                   std::string(f.format->title) + (f.damaged ? ", damaged" : "")});
      report.out =
          (inputs.size() > 1 && !found.empty() ? input.name + "\n" : "") + table.text(inputs.size() > 1 ? "  " : "");
      if (found.empty() && !request.quiet) report.err += input.name + ": nothing found\n";
    }
    if (!request.output.empty()) {
      const std::string stem = std::filesystem::path(input.inside).stem().string();
      for (const Found& f : found) {
        if (report.exit > Exit::no) break;
        const ByteView part = ByteView(*bytes).subspan(size_t(f.offset), size_t(f.size));
        write_output(
            request, inputs,
            (std::filesystem::path(request.output) / (stem + "-" + hex_number(f.offset, 8) + extension_of(*f.format)))
                .string(),
            part, report);
      }
    }
    return report;
  });
}

}  // namespace dio::cli
