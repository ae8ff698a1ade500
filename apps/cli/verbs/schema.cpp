// dio schema: the JSON of a format, described.
#include "bridge/report/schema.hpp"

#include "../command_line/print.hpp"
#include "../output/results.hpp"
#include "formats/contract/format.hpp"
#include "samples/shape.hpp"
#include "verbs.hpp"

namespace dio::cli {

ExitCode run_schema(const Request& request) {
  Report report;
  const Format& format = *find_format(request.topic);  // one of the choices
  const std::string text = request.markdown
                               ? report::schema_markdown(shape_of(format))
                               : json_text(report::schema_json(widest_shape_of(format), format.id, format.title));
  write_output(request, {}, request.output, as_bytes(text), report);
  return finish(report);
}

}  // namespace dio::cli
