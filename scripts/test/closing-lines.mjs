// Reads the counts in the last lines of a test runner's output. A runner whose closing line is
// missing or counts no test has failed, whatever its exit code.

const doctest = /^\[doctest\] test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed.*$/m;
const nodeRunner = (word) => new RegExp(`^[ℹ#] ${word} (\\d+)$`, "gm");

/** Reads doctest's output: `{ passed, failed, line }`, or undefined. */
export function readDoctest(output) {
  const match = doctest.exec(output);
  return match && { passed: Number(match[1]), failed: Number(match[2]), line: match[0] };
}

/**
 * Reads the output of Node's runner: `{ passed, failed, line }`, or undefined. Cancelled tests have
 * not passed.
 */
export function readNodeTest(output) {
  // A test may print the closing lines of an inner runner: the last ones belong to this one.
  const count = (word) => Number([...output.matchAll(nodeRunner(word))].at(-1)?.[1] ?? Number.NaN);
  const [tests, passed, failed, cancelled, skipped] = [
    "tests",
    "pass",
    "fail",
    "cancelled",
    "skipped",
  ].map(count);
  if (Number.isNaN(tests)) return undefined;
  const line = `tests ${tests}, pass ${passed}, fail ${failed + cancelled}, skipped ${skipped}`;
  return { passed, failed: failed + cancelled, line };
}

/** The files in which Node's runner reports a failed test, each once. */
export function failedFiles(output) {
  const matches = output.matchAll(/^\s*test at (\S+\.test\.mjs):\d+:\d+$/gm);
  return [...new Set([...matches].map(([, file]) => file))];
}

/** Reads the output of the fuzzers' harnesses: `{ passed, failed, line }`, or undefined. */
export function readHarnesses(output) {
  const match = /^(\d+) harnesses ran clean, (\d+) failed$/m.exec(output);
  return match && { passed: Number(match[1]), failed: Number(match[2]), line: match[0] };
}

/** A checker that has no tests, such as a type checker, counts as one test. */
export function readCheck(output, code) {
  const lines = output.split("\n").filter((line) => /[a-z]/i.test(line));
  const line = lines.findLast((text) => /^Found \d+ error/.test(text)) ?? lines.at(-1);
  return {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    line: line?.trim() ?? "no complaint",
  };
}
