// How far the engine is from each golden file: measured by the tests that compare, recorded in
// tests/golden/deviations.json, and held against the record in every run.
//
//   WF_WRITE_DEVIATIONS=1 build/sanitize/core_tests
//
// writes the record anew; with a filter on the command line, the rows of what was measured.
#pragma once

#include <string>

namespace wf::reference {

// One quantity of a golden file. Fails where it is beyond the manifest's tolerance, where the
// record has no row for it, and where it is ten times what the record says. `allowed` replaces the
// manifest's tolerance where that depends on the case; what is recorded is then in proportion.
void check_golden(const std::string& name, const std::string& quantity, double deviation,
                  double allowed = 0);

// After a run: writes the record where that is asked for; after a whole run, false where a file of
// the manifest was not compared, or where the record has rows or numbers that no test finds again.
bool finish_deviations(bool whole_run);

}  // namespace wf::reference
