// Runs scripts in a separate Node process.

import { execFileSync } from "node:child_process";

const experiments = process.execArgv.filter((flag) => flag.startsWith("--exp"));

/** Runs a module and returns its output; a hang is a failure. */
export const inNode = (script, flags = experiments) =>
  execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", script], {
    encoding: "utf8",
    timeout: 60_000,
  }).trim();
