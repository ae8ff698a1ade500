// scene_properties.hpp: compares properties in extras of an edited scene with those of the original scene.
#pragma once
#include "core/value.hpp"

namespace dio {

/// A property in the form that it had before another program stored it: whole numbers may come back as reals or as
/// text, yes and no as 1 and 0. A word may be stated by its number. `was`: null for a new property.
Value property_as_before(const Value* was, const Value& now);

/// Whether a property is unchanged, except for its form and for numbers that were stored as f32. Programs cannot store
/// null: members of objects that are null may be missing.
bool is_same_property(const Value& was, const Value& now);

}  // namespace dio
