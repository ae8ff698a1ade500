// documents.hpp: the sources in JSON and the documents that the build makes of them, in both directions. What the keys
// mean is what the converters of the decompilation do with them: README.md, "The decompilation".
#pragma once
#include "formats/platinum/layout/tables.hpp"
#include "formats/platinum/sources/source_text.hpp"

namespace dio::platinum {

/// As the build reads them; what is wrong is `SourceText::problem`.
MapMatrix parse_matrix(const SourceText&, const SourceNames&);
AreaData parse_area(const SourceText&, const SourceNames&);
AreaBuild parse_prop_set(const SourceText&, const SourceNames&);
/// `ends_in_line`: the build adds a line break to this file.
AreaLight parse_area_light(const SourceText&, bool ends_in_line);
ZoneEvent parse_events(const SourceText&, const SourceNames&);

/// Changes the text so that the build makes this of it. Returns why that cannot be: there is no name for a number.
std::optional<Diagnostic> update_matrix_source(SourceText&, const MapMatrix&, const SourceNames&);
std::optional<Diagnostic> update_area_source(SourceText&, const AreaData&, const SourceNames&);
std::optional<Diagnostic> update_prop_set_source(SourceText&, const AreaBuild&, const SourceNames&);
/// Objects are numbered by their places in the list, but for those that are clones of an object of another map.
/// `gone`: what scripts called objects that are no longer there.
std::optional<Diagnostic> update_events_source(SourceText&, const ZoneEvent&, const SourceNames&, Diagnostics& notes,
                                               std::vector<std::string>& gone);

/// The texts of new ones, before their values are set.
inline constexpr std::string_view k_new_matrix =
    "{\n    \"name\": \"\",\n    \"headers\": [],\n    \"altitudes\": [],\n    \"maps\": []\n}\n";
inline constexpr std::string_view k_new_area =
    "{\n    \"mapPropSet\": \"\",\n    \"mapTextureSet\": \"\",\n    \"lightingSet\": \"\",\n    \"dummy\": 0\n}\n";
inline constexpr std::string_view k_new_prop_set = "{\n    \"mapPropModels\": []\n}\n";
inline constexpr std::string_view k_new_events =
    "{\n    \"bg_events\": [],\n    \"object_events\": [],\n    \"warp_events\": [],\n    \"coord_events\": []\n}\n";

/// The name of a number as text of JSON; or why there is none.
struct Named {
  std::string text;
  std::optional<Diagnostic> problem;
};
Named format_name(const SourceText&, std::string_view place, i64 number, const SourceNames&, Space,
                  std::initializer_list<std::string_view> prefixes = {""});

/// For each element of the new list, the one of the old list that it is, or nothing.
std::vector<std::optional<u32>> match_list_elements(const Value& was, const Value& now);

}  // namespace dio::platinum
