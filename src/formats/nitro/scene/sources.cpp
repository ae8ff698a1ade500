#include "formats/nitro/scene/sources.hpp"

#include <algorithm>

#include "formats/contract/scenes.hpp"
#include "formats/nitro/parts.hpp"
#include "layout/path_steps.hpp"

namespace dio::nitro {

namespace {

constexpr u32 k_most_sources = u32(1) << 24;
constexpr u32 k_in_packet = 4;  // commands

std::string display_list_path(const CommandNumbers::List& l) {
  const std::string index = "[" + std::to_string(l.index) + "]";
  return (l.is_shape ? "shapes" : "sbc") + index + ".list";
}

/// Removes `models[0]` from the start of a path.
const Model* parse_model_prefix(const Nsbmd& file, std::string_view& path) {
  const auto number = take_element(path, "models");
  return number && *number < file.models.size() ? &file.models[*number] : nullptr;
}

}  // namespace

CommandNumbers::CommandNumbers(const Model& m) {
  u64 next = 0;
  const auto add_list = [&](bool is_shape, size_t index, const Bytes& bytes) {
    List l{.is_shape = is_shape, .index = u32(index), .first = u32(next), .bytes = &bytes};
    l.whole = for_each_gx_command(bytes, [&](u8, const u8*) { ++l.count; });
    next += l.count;
    if (next <= k_most_sources) lists_.push_back(l);
  };
  for (size_t i = 0; i < m.shapes.size(); ++i) add_list(true, i, m.shapes[i].list);
  for (size_t i = 0; i < m.sbc.size(); ++i)
    if (m.sbc[i].code == sbc::calldl) add_list(false, i, m.sbc[i].list);
}

void CommandNumbers::add_sources(scene::Primitive& p, const Draw& d, const Geometry& g) const {
  const auto list = std::ranges::find(lists_, d.list, &List::bytes);
  if (list == lists_.end()) return;
  p.sources.reserve(g.corners.size());
  for (const GxVertex& c : g.corners) p.sources.push_back(list->first + c.command);
}

std::optional<ValuePart> value_of_source(const Nsbmd& file, std::string_view node, u32 source) {
  const Model* model = parse_model_prefix(file, node);
  if (!model) return {};
  const CommandNumbers numbers(*model);
  for (const CommandNumbers::List& l : numbers.lists()) {
    if (source - l.first >= l.count) continue;
    const u32 wanted = source - l.first;
    u32 n = 0;
    u64 code_at = 0, at = 0, size = 0;  // in the list
    for_each_gx_command(*l.bytes, [&](u8 code, const u8* p) {
      if (n++ != wanted) return;
      at = u64(p - l.bytes->data());
      size = 4 * u64(gx_parameter_count(code));
    });
    // Where its packet starts: the codes of four commands, before the parameters of the first.
    u32 k = 0;
    for_each_gx_command(*l.bytes, [&](u8, const u8* p) {
      if (k++ == wanted / k_in_packet * k_in_packet) code_at = u64(p - l.bytes->data()) - 4 + wanted % k_in_packet;
    });
    ValuePart out;
    out.path = "models[" + std::to_string(model - file.models.data()) + "]." + display_list_path(l);
    if (l.whole) {
      out.path += ".packets[" + std::to_string(wanted / k_in_packet) + "].commands[" +
                  std::to_string(wanted % k_in_packet) + "]";
      at -= code_at;  // the value begins with its code
    }
    out.offset = at, out.size = size;
    return out;
  }
  return {};
}

std::vector<SourceRun> sources_of_value(const Nsbmd& file, std::string_view node, std::string_view path) {
  const Model* model = parse_model_prefix(file, node);
  if (!model || parse_model_prefix(file, path) != model) return {};
  std::vector<SourceRun> out;
  const CommandNumbers numbers(*model);
  const bool all_shapes = path == ".shapes", all_sbc = path == ".sbc";
  for (const CommandNumbers::List& l : numbers.lists()) {
    std::string_view rest = path;
    if (!(l.is_shape ? all_shapes : all_sbc)) {
      const auto index = take_element(rest, l.is_shape ? "shapes" : "sbc");
      if (!index || *index != l.index) continue;
    } else {
      rest = {};
    }
    SourceRun run{l.first, l.count};
    if (take_name(rest, "list")) {
      if (const auto packet = take_element(rest, "packets")) {
        run = {u32(l.first + k_in_packet * *packet), k_in_packet};
        if (const auto command = take_element(rest, "commands")) run = {u32(run.first + *command), 1};
        if (*packet >= l.count / k_in_packet || run.first - l.first >= l.count) continue;
      }
    }
    if (run.count) out.push_back(run);
  }
  return out;
}

}  // namespace dio::nitro
