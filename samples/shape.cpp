#include "samples/shape.hpp"

#include "formats/contract/format.hpp"
#include "samples/samples.hpp"

namespace dio {

report::Shape shape_of(const Format& format) {
  report::Shape shape;
  std::vector<Value> documents;
  for (const Sample& s : samples_of(format)) {
    const Spans spans = format.trace(s.bytes, {}).spans;
    shape.add(spans);
    documents.push_back(spans.value(0));
  }
  for (Value& d : documents) shape.detect_optional_members(d, format);
  return shape;
}

}  // namespace dio
