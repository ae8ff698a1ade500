// through_text.hpp: what becomes of values on their way through JSON, for `verify`.
#pragma once
#include "bridge/report/json.hpp"

namespace dio::test {

inline Result<Value> through_text(const Value& head, const Spans& spans) {
  return json::read(json::write_document(head, spans));
}

}  // namespace dio::test
