// property_edits.hpp: properties in extras of an edited scene become values of the file.
#pragma once
#include <set>

#include "operations/apply_scene.hpp"
#include "operations/scene_edits/matched_scenes.hpp"

namespace dio {

class PropertyEdits {
 public:
  /// `editing`: before any edits of the scene, because the scene says of which bytes it was made.
  PropertyEdits(Editing& editing, const MatchedScenes& scenes, SceneEdits& result);

  /// Sets the values whose properties in the extras of nodes, materials and the scene were edited.
  Result<bool> apply();
  /// Adds the values of an element whose properties in extras were edited; poses follow from the nodes. `owner`: the
  /// name of what has the properties.
  void collect(const std::string& owner, const Value& was, const Value& now, std::vector<Assignment>& out);
  /// Adds the values of a new element that extras state. `computed`: properties that the scene shows of elements of its
  /// list; those without a value in the file are ignored.
  void collect_new(const std::string& owner, const std::string& element, const std::set<std::string>& computed,
                   const Value& extras, std::vector<Assignment>& out);
  /// Notes the edited properties that the file has no value for.
  void note_not_applied();

 private:
  bool collect_new_values(const std::string& path, const Value& stored, std::vector<Assignment>& out) const;
  bool collect_values(const std::string& path, const Value* was, const Value& stored,
                      std::vector<Assignment>& out) const;
  bool is_read_elsewhere(const Value& extras, std::string_view name) const;
  bool is_companion_property(std::string_view name) const;

  Editing& e_;
  const MatchedScenes& s_;
  SceneEdits& result_;
  const bool has_scene_of_file_;                  // not of an older version, or of a whole game
  std::vector<std::string> not_taken_, unknown_;  // owners and properties
};

}  // namespace dio
