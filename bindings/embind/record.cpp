#include "calls/record.h"

#include <string>

#include "boundary.h"

namespace wf::binding {
namespace {

using calls::Record;
using calls::RecordRequest;

std::string term_name(const Record& record, int index) { return record.term_name(index); }

}  // namespace
}  // namespace wf::binding

EMSCRIPTEN_BINDINGS(record) {
  using namespace wf::binding;
  emscripten::enum_<wf::RecordKind>("RecordKind")
#define WF_RECORD_KIND(name, bit, word) .value(word, wf::name)
      WF_RECORD_KINDS(WF_RECORD_KIND);
#undef WF_RECORD_KIND
  emscripten::enum_<wf::HeadMeasure>("HeadMeasure")
#define WF_HEAD_MEASURE(name, word) .value(word, wf::name)
      WF_HEAD_MEASURES(WF_HEAD_MEASURE);
#undef WF_HEAD_MEASURE
  emscripten::value_object<RecordRequest>("RecordRequest")
      .field("kinds", &RecordRequest::kinds)
      .field("heads", &RecordRequest::heads)
      .field("rows", &RecordRequest::rows)
      .field("columns", &RecordRequest::columns);
  emscripten::class_<Record>("Record")
      .function("heads()", &Record::heads)
      .function("rows()", &Record::rows)
      .function("columns()", &Record::columns)
      .function("pairs()", &Record::pairs)
      .function("valueChannels()", &Record::value_channels)
      .function("floats(kind)", &Record::floats)
      .function("termCount()", &Record::term_count)
      .function("termName(index)", &term_name)
      .function("term(index)", &Record::term)
      .function("measures()", &Record::measures)
      .function("curves()", &Record::curves)
      .function("curveCounts()", &Record::curve_counts)
      .function("measuredPairs()", &Record::measured_pairs)
      .function("pairLengths()", &Record::pair_lengths)
      .function("pairShares()", &Record::pair_shares);
}
