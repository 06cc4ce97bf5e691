// The commit that is measured.

import { spawnSync } from "node:child_process";

/** Returns the commit of the checkout, with a + if files differ from it; undefined outside git. */
export function commitOf(root) {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "--short", "HEAD");
  if (status !== 0) return undefined;
  return stdout.trim() + (git("status", "--porcelain").stdout ? "+" : "");
}
