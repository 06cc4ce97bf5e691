// Which commit is measured.

import { spawnSync } from "node:child_process";

/** The commit of the checkout, with a + where files differ from it; undefined outside of git. */
export function commitOf(root) {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "--short", "HEAD");
  if (status !== 0) return undefined;
  return stdout.trim() + (git("status", "--porcelain").stdout ? "+" : "");
}
