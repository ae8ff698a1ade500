#include "bridge/report/refs.hpp"

namespace dio::report {

Value references_of(const Spans& spans, const References& references, const Spot& part) {
  const auto found = references.of(part);
  Value v = Value::object();
  v.add("path", spans.path(part));
  const auto add = [&](const char* name, const std::vector<const Referral*>& list) {
    Value& all = v.add(name, Value::list());
    for (const Referral* r : list) {
      Value& one = all.push(Value::object());
      one.add("from", spans.path(r->from));
      one.add("to", references.target(*r));
      one.add("exists", references.exists(*r));
      if (r->is_part()) one.add("part", true);
    }
  };
  add("refers_to", found.out);
  add("referred_by", found.in);
  return v;
}

}  // namespace dio::report
