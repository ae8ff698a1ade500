#include "formats/nitro/scene/sbc_run.hpp"

#include <utility>

namespace dio::nitro {
namespace {

class Runner {
 public:
  explicit Runner(const Model& m) : m_(m) {
    p_.matrices.emplace_back();
    slots_.fill(k_unset);
  }

  Program run_sbc() {
    for (at_ = 0; at_ < m_.sbc.size(); ++at_) execute_command(m_.sbc[at_]);
    return std::move(p_);
  }

  Program run_sbc(std::span<const MaterialShape> list) {
    SbcCommand c;
    c.code = sbc::posscale, c.options = 0;
    execute_command(c);
    for (at_ = 0; at_ < list.size(); ++at_) {
      if (list[at_].material >= m_.materials.size())
        add_fault("material " + std::to_string(list[at_].material) + " does not exist");
      else if (list[at_].shape >= m_.shapes.size())
        add_fault("shape " + std::to_string(list[at_].shape) + " does not exist");
      else {
        material_ = list[at_].material;
        add_draw(list[at_].shape, m_.shapes[list[at_].shape].list);
      }
    }
    return std::move(p_);
  }

 private:
  void execute_command(const SbcCommand& c) {
    using Kind = MatrixStep::Kind;
    switch (c.code) {
      case sbc::node:
        node_ = c.index;
        visible_ = c.visible & 1;
        return;
      case sbc::mtx:
        return void(load_matrix(c.index));
      case sbc::mat:
        if (c.index >= m_.materials.size()) return add_fault("material " + std::to_string(c.index) + " does not exist");
        material_ = c.index;
        texgen_ = Draw::Texgen::material;
        return;
      case sbc::shp:
        if (c.index >= m_.shapes.size()) return add_fault("shape " + std::to_string(c.index) + " does not exist");
        return add_draw(c.index, m_.shapes[c.index].list);
      case sbc::calldl:
        return add_draw(k_called, c.list);
      case sbc::nodedesc:
        if (c.loads()) load_matrix(c.load);
        if (c.index >= m_.nodes.size()) {
          add_fault("node " + std::to_string(c.index) + " does not exist");
        } else {
          MatrixStep s;
          s.kind = Kind::node;
          s.base = current_;
          s.node = c.index;
          s.parent = c.parent;
          s.undo_parent_scale = c.flags & 1;
          add_matrix(std::move(s));
        }
        if (c.stores()) store_matrix(c.store);
        return;
      case sbc::bb:
      case sbc::bby: {
        if (c.loads()) load_matrix(c.load);
        MatrixStep s;
        s.kind = c.code == sbc::bb ? Kind::billboard : Kind::billboard_y;
        s.base = current_;
        s.node = c.index;
        add_matrix(std::move(s));
        if (c.stores()) store_matrix(c.store);
        return;
      }
      case sbc::nodemix: {
        MatrixStep s;
        s.kind = Kind::mix;
        for (const Mix& x : c.mix) {
          if (x.slot >= k_slots || slots_[x.slot] == k_unset)
            add_fault("slot " + std::to_string(x.slot) + " was not stored");
          else if (x.node >= m_.envelopes.size())
            add_fault("envelope " + std::to_string(x.node) + " does not exist");
          else
            s.mix.push_back({slots_[x.slot], x.node, x.weight / 256.0});
        }
        add_matrix(std::move(s));
        return store_matrix(c.store);
      }
      case sbc::posscale: {
        const f64 scale = (c.options & 1 ? m_.inverse_pos_scale : m_.pos_scale).value();
        if (scale == 1 || scale == 0) return;  // a scale of 0 would hide the model: more likely the field is unused
        MatrixStep s = p_.matrices[current_];
        s.scaled_from = current_;
        s.scale *= scale;
        return add_matrix(std::move(s));
      }
      case sbc::envmap:
      case sbc::prjmap:
        texgen_ = c.code == sbc::envmap ? Draw::Texgen::sphere : Draw::Texgen::projection;
        return;
      default:
        return;
    }
  }

  void add_matrix(MatrixStep s) {
    current_ = u32(p_.matrices.size());
    p_.matrices.push_back(std::move(s));
  }
  void load_matrix(u8 slot) {
    if (slot >= k_slots || slots_[slot] == k_unset)
      return add_fault("slot " + std::to_string(slot) + " was not stored");
    current_ = slots_[slot];
  }
  void store_matrix(u8 slot) {
    if (slot >= k_slots) return add_fault("slot " + std::to_string(slot) + " does not exist");
    slots_[slot] = current_;
    changed_ = true;
  }
  void add_draw(u16 shape, const Bytes& list) {
    if (changed_) p_.stacks.push_back(slots_);
    changed_ = false;
    Draw d;
    d.shape = shape, d.list = &list, d.material = material_, d.matrix = current_;
    d.node = node_, d.visible = visible_, d.texgen = std::exchange(texgen_, Draw::Texgen::material);
    d.slots = u32(p_.stacks.size() - 1);
    p_.draws.push_back(d);
  }
  void add_fault(std::string what) { p_.faults.emplace_back(u32(at_), std::move(what)); }

  const Model& m_;
  Program p_;
  size_t at_ = 0;
  Slots slots_;
  bool changed_ = true;
  u32 current_ = k_identity, material_ = k_unset;
  u8 node_ = 0;
  bool visible_ = true;
  Draw::Texgen texgen_ = Draw::Texgen::material;
};

}  // namespace

Program run_sbc(const Model& m) { return Runner(m).run_sbc(); }
Program build_program(const Model& m, std::span<const MaterialShape> list) { return Runner(m).run_sbc(list); }

}  // namespace dio::nitro
