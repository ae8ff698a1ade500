#include "samples/shape.hpp"

#include "formats/contract/format.hpp"
#include "samples/samples.hpp"

namespace dio {

static report::Shape shape_of(const Format& format, const std::vector<Sample>& samples) {
  report::Shape shape;
  std::vector<Value> documents;
  for (const Sample& s : samples) {
    const Spans spans = format.trace(s.bytes, {}).spans;
    shape.add(spans);
    documents.push_back(spans.value(0));
  }
  for (Value& d : documents) shape.detect_optional_members(d, format);
  shape.mark_referenced_elements();
  return shape;
}

report::Shape shape_of(const Format& format) { return shape_of(format, samples_of(format)); }

report::Shape widest_shape_of(const Format& format) {
  std::vector<Sample> samples = samples_of(format);
  for (Sample& s : shape_samples_of(format)) samples.push_back(std::move(s));
  return shape_of(format, samples);
}

}  // namespace dio
