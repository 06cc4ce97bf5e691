// Deviations of the engine from each golden file. Every run compares the measured deviations with
// the record in tests/golden/deviations.json.
//
//   WF_WRITE_DEVIATIONS=1 build/sanitize/core_tests
//
// writes a new record; with a filter on the command line, only the rows of the tests that ran.
#pragma once

#include <string>

namespace wf::reference {

// Checks one quantity of a golden file. Fails if the deviation is larger than the manifest's
// tolerance, if the record has no row for it, or if it is ten times the recorded one. `allowed`
// replaces the manifest's tolerance if that depends on the case; the deviation is then recorded in
// proportion.
void check_golden(const std::string& name, const std::string& quantity, double deviation,
                  double allowed = 0);

// Writes the record after a run if WF_WRITE_DEVIATIONS is set. Returns false after a whole run if a
// file of the manifest was not compared, or if the record has rows or numbers that differ from the
// measured ones.
bool finish_deviations(bool whole_run);

}  // namespace wf::reference
