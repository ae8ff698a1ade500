// polygon_changes.hpp: moves, removes, splits and adds polygons of a file.
#pragma once
#include <set>

#include "formats/contract/scenes.hpp"
#include "formats/fft/from_scene/edit_notes.hpp"
#include "formats/fft/from_scene/new_polygons.hpp"

namespace dio::fft {

/// A quad with missing triangles, or triangles that no longer meet.
struct BrokenQuad {
  PolygonRef r;
  std::vector<DrawnPolygon> halves;  // triangles
  std::optional<u32> other;          // the only one of its pieces that is missing or elsewhere
};

class PolygonChanges {
 public:
  /// `keeps_normals`: for polygons of which only some vertices move.
  PolygonChanges(Mesh& file, const scene::Scene& original, bool keeps_normals);

  const Mesh& before() const { return before_; }
  const OriginalPieces& pieces() const { return pieces_; }
  EditNotes& notes() { return notes_; }
  /// Gives a polygon all these corners. Ids: fft.scene-range.
  std::optional<Diagnostic> change(const PolygonRef&, const std::vector<DrawnVertex>& corners);
  /// Makes the back of a polygon its front.
  void flip(const PolygonRef&);
  /// Marks a polygon as edited, so that no other polygon is taken for it.
  void mark_edited(const PolygonRef& r) { is_edited_.insert(r); }
  void remove(const PolygonRef& r) { gone_.push_back(r); }
  /// A polygon of a mesh missing from the scene.
  void miss(const PolygonRef& r) { missing_.push_back(r); }
  void break_quad(BrokenQuad b) { broken_.push_back(std::move(b)); }
  void add_triangle(DrawnPolygon t) { loose_.push_back(std::move(t)); }
  bool has_new() const { return !loose_.empty(); }
  /// Combines the triangles to polygons, removes, appends and counts. Ids: fft.scene-range, fft.scene-limit.
  Result<SceneImportResult> finish();

 private:
  std::optional<Diagnostic> give_triangles_back_to_quads();
  u32 polygon_number(const PolygonRef&) const;
  std::optional<Diagnostic> add_new_polygons();
  template <class Polygon>
  void add_polygon(const DrawnPolygon&, Polygon& made, const std::vector<Polygon>& list);
  template <class Polygon>
  bool take_vacant_place(const DrawnPolygon&, const Polygon& made, const std::vector<Polygon>& list);
  bool is_of_missing_mesh(const DrawnPolygon&, const auto& made);
  void remove_and_append();
  std::optional<Diagnostic> check_limits() const;
  void count_changed();
  bool may_be_another(const PolygonRef&) const;
  void count_polygons();

  Mesh& file_;
  const Mesh before_;
  const OriginalPieces pieces_;
  PolygonValues values_;
  PolygonMaker maker_;
  const bool keeps_normals_;
  std::vector<DrawnPolygon> loose_;  // triangles
  std::vector<PolygonRef> missing_, gone_, split_, vacant_;
  std::vector<BrokenQuad> broken_;
  std::set<PolygonRef> is_edited_;       // edited polygons
  std::set<PolygonRef> is_restored_;     // polygons first taken for broken or deleted
  std::set<std::vector<i32>> there_;     // the look of existing polygons
  std::array<Geometry, k_meshes> made_;  // new polygons
  bool last_was_new_ = false;
  std::string last_added_;
  SceneImportResult taken_;
  EditNotes notes_;
};

}  // namespace dio::fft
