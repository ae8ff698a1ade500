// documents.hpp: converts JSON sources to the documents that the build makes from them, and back. Keys mean what the
// converters of the decompilation do with them: README.md, "The decompilation".
#pragma once
#include "formats/platinum/layout/tables.hpp"
#include "formats/platinum/sources/source_text.hpp"

namespace dio::platinum {

/// Parse sources like the build; errors are in `SourceText::problem`.
MapMatrix parse_matrix(const SourceText&, const SourceNames&);
AreaData parse_area(const SourceText&, const SourceNames&);
AreaBuild parse_prop_set(const SourceText&, const SourceNames&);
/// `ends_in_line`: the build adds a line break to this file.
AreaLight parse_area_light(const SourceText&, bool ends_in_line);
ZoneEvent parse_events(const SourceText&, const SourceNames&);

/// Change the text so that the build makes the given document from it. Return an error if a number has no name.
std::optional<Diagnostic> update_matrix_source(SourceText&, const MapMatrix&, const SourceNames&);
std::optional<Diagnostic> update_area_source(SourceText&, const AreaData&, const SourceNames&);
std::optional<Diagnostic> update_prop_set_source(SourceText&, const AreaBuild&, const SourceNames&);
/// Objects are numbered by list position, except clones of objects on another map. `gone`: the script names of removed
/// objects.
std::optional<Diagnostic> update_events_source(SourceText&, const ZoneEvent&, const SourceNames&, Diagnostics& notes,
                                               std::vector<std::string>& gone);

/// The texts of new sources, before their values are set.
inline constexpr std::string_view k_new_matrix =
    "{\n    \"name\": \"\",\n    \"headers\": [],\n    \"altitudes\": [],\n    \"maps\": []\n}\n";
inline constexpr std::string_view k_new_area =
    "{\n    \"mapPropSet\": \"\",\n    \"mapTextureSet\": \"\",\n    \"lightingSet\": \"\",\n    \"dummy\": 0\n}\n";
inline constexpr std::string_view k_new_prop_set = "{\n    \"mapPropModels\": []\n}\n";
inline constexpr std::string_view k_new_events =
    "{\n    \"bg_events\": [],\n    \"object_events\": [],\n    \"warp_events\": [],\n    \"coord_events\": []\n}\n";

/// The name of a number as JSON text, or the error if it has none.
struct Named {
  std::string text;
  std::optional<Diagnostic> problem;
};
Named format_name(const SourceText&, std::string_view place, i64 number, const SourceNames&, Space,
                  std::initializer_list<std::string_view> prefixes = {""});

/// For each element of the new list, the matching element of the old list, or nothing.
std::vector<std::optional<u32>> match_list_elements(const Value& was, const Value& now);

}  // namespace dio::platinum
