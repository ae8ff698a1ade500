// dio find: files inside any other file.
#include "../text.hpp"
#include "../verbs.hpp"
#include "../work.hpp"
#include "layout/printing.hpp"

namespace dio::cli {

namespace {

struct Found {
  u64 offset, size;
  const Format* format;
  size_t damaged;  // parts that do not read as they should
};

/// Where the last described byte ends. That is the size of the file if it reads as well without what follows.
u64 size_of(const Format& format, ByteView bytes) {
  const Traced traced = format.trace(bytes);
  u64 end = bytes.size();
  const auto gaps = traced.spans.gaps();
  if (!gaps.empty() && gaps.back().offset + gaps.back().size == end) end = gaps.back().offset;
  return format.load(bytes.first(size_t(end))) ? end : bytes.size();
}

std::vector<Found> scan(ByteView bytes, u64 step, bool verbose, const std::string& name, Report& report) {
  std::vector<Found> out;
  for (u64 at = 0; at < bytes.size(); at += step) {
    const ByteView rest = bytes.subspan(size_t(at));
    for (const Format* f : formats()) {
      // Only what is certain: at some offset of a large file, anything looks likely.
      if (f->sniff(rest, "").certainty != Sniff::Certainty::certain) continue;
      if (const auto loaded = f->load(rest)) {
        out.push_back({at, size_of(*f, rest), f, loaded->notes.size()});
      } else if (verbose) {
        Diagnostic d = loaded.error();
        report.err += name + ": " + hex_number(at, 4) + ": begins like a " + std::string(f->title) + ", but: ";
        d.place.file.clear();
        report.err += to_line(d) + "\n";
      }
    }
  }
  return out;
}

}  // namespace

Exit run_find(const Request& request) {
  const std::vector<Input> inputs = expand(request.inputs, request.recursive);
  Report wrong;
  if (!request.output.empty() && !request.output.ends_with('/') && !is_folder(request.output))
    fail_usage(wrong, request, "what is found goes into a folder: -o " + request.output + "/");
  if (wrong.exit != Exit::done) {
    print(wrong);
    return wrong.exit;
  }
  return for_each_input(request, inputs, [&](const Input& input, size_t) {
    Report report;
    const auto bytes = read_input(input);
    if (!bytes) {
      fail(report, request, bytes.error());
      return report;
    }
    const std::vector<Found> found = scan(*bytes, request.every_byte ? 1 : 4, request.verbose, input.name, report);
    if (found.empty()) report.raise(Exit::no);
    if (request.json) {
      Value v = Value::object();
      v.add("schema", "diorama.find/1");
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
        const ByteView part = ByteView(*bytes).subspan(size_t(f.offset), size_t(f.size));
        const std::string extension(f.format->extensions.substr(0, f.format->extensions.find(' ')));
        write_output(
            request, inputs,
            (std::filesystem::path(request.output) / (stem + "-" + hex_number(f.offset, 8) + extension)).string(), part,
            report);
      }
    }
    return report;
  });
}

}  // namespace dio::cli
