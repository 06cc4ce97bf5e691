// Debian's package manager: finds missing packages, installs them, and reads a suite of the same
// mirror without changing the machine's own package lists.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProgram, isRoot, readOutput, run, runOrFail, SetupError } from "./process.mjs";
import { formatBytes } from "./progress.mjs";

const quiet = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
const archiveKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const groups = JSON.parse(
  readFileSync(join(dirname(fileURLToPath(import.meta.url)), "system-packages.json"), "utf8"),
);

/** The Debian packages of the named groups (see system-packages.json) that this machine lacks. */
export function missingPackages(...names) {
  return names
    .flatMap((name) => groups[name])
    .filter(({ program, file }) => !(program ? findProgram(program) : existsSync(file)))
    .map((entry) => entry.package);
}

let updated = false;

/** Refreshes the package lists once a run. Broken third-party sources are ignored. */
export async function updateLists() {
  if (updated) return;
  updated = true;
  await run("apt-get", ["update", "-q"], { env: quiet });
}

/** The version of a package that the machine's own release offers, or undefined. */
export function candidateVersion(name) {
  const policy = readOutput("apt-cache", ["policy", name], { env: quiet }) ?? "";
  const version = /Candidate: (\S+)/.exec(policy)?.[1];
  return version === "(none)" ? undefined : version;
}

/** Installs packages as root; `steps.note` gets apt's own download and installation progress. */
export async function installPackages(names, steps) {
  if (!isRoot() || !findProgram("apt-get")) {
    throw new SetupError(
      `Missing on this machine: ${names.join(", ")}. Install these as root ` +
        "(Debian: apt-get install) and run the same command again.",
    );
  }
  await updateLists();
  // Repairs an interrupted installation, whoever started it.
  if (readOutput("dpkg", ["--audit"])) {
    await runOrFail("dpkg", ["--configure", "-a"], { env: quiet, uninterruptible: "dpkg" });
  }
  const install = ["install", "-y", "-q", "--no-install-recommends"];
  const plan = readOutput("apt-get", [...install, "--print-uris", ...names], { env: quiet }) ?? "";
  const sizes = [...plan.matchAll(/^'\S+' \S+ (\d+)/gm)].map((match) => Number(match[1]));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const onStatus = (line) => {
    const [kind, name, percent] = line.split(":");
    if (kind === "dlstatus") {
      steps.note(`downloaded ${formatBytes((total * percent) / 100)} of ${formatBytes(total)}`);
    } else if (kind === "pmstatus") {
      steps.note(`installing ${name}, ${Math.round(percent)} %`);
    }
  };
  const { code, output } = await run(
    "apt-get",
    ["-o", "APT::Status-Fd=3", "-o", "DPkg::Lock::Timeout=600", ...install, ...names],
    { env: quiet, onStatus, uninterruptible: "the installation of Debian packages" },
  );
  if (code !== 0) {
    const lines = output.trimEnd().split("\n").slice(-40).join("\n");
    throw new SetupError(`apt-get install failed (exit ${code})\n${lines}`);
  }
  return total ? `${sizes.length} packages, ${formatBytes(total)}` : "from apt's own cache";
}

/**
 * The source of this machine's Debian release: `{ uri, keyring, codename }`, or undefined. apt must
 * have read its package lists.
 */
export function releaseSource() {
  const release = readFileSync("/etc/os-release", "utf8");
  const codename = /^VERSION_CODENAME=(\S+)$/m.exec(release)?.[1];
  const format = "$(REPO_URI) $(CODENAME) $(LABEL) $(SIGNED_BY)";
  const targets =
    readOutput("apt-get", ["indextargets", "--format", format, "Created-By: Packages"]) ?? "";
  for (const line of targets.split("\n")) {
    const [uri, code, label, signedBy] = line.split(" ");
    if (label !== "Debian" || code !== codename) continue;
    return { uri, codename, keyring: signedBy?.startsWith("/") ? signedBy : archiveKeyring };
  }
  return undefined;
}

function folderSize(folder) {
  let size = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    try {
      size += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
    } catch {
      // Renamed by apt between listing and reading.
    }
  }
  return size;
}

/**
 * Reads another suite of the machine's own mirror with a separate apt state in `folder`: signatures
 * are checked, the machine's package lists do not change, nothing is installed.
 */
export class IsolatedSuite {
  #options;
  #folder;

  constructor(folder) {
    this.#folder = folder;
    this.#options = [
      "Dir::State::status=/dev/null",
      `Dir::State=${join(folder, "state")}`,
      `Dir::Cache=${join(folder, "cache")}`,
      `Dir::Etc::sourcelist=${join(folder, "source.list")}`,
      "Dir::Etc::sourceparts=/dev/null",
      "Dir::Etc::preferencesparts=/dev/null",
      "APT::Sandbox::User=",
      // An outdated mirror is sufficient: the signature counts, not the age.
      "Acquire::Check-Valid-Until=false",
    ].flatMap((option) => ["-o", option]);
  }

  /** Downloads the suite's package list. */
  async open(suite) {
    const source = releaseSource();
    if (!source || !existsSync(source.keyring)) {
      throw new SetupError(
        "No new enough emcc is on the PATH and this is not a Debian machine with an archive " +
          "keyring: install Emscripten by hand and run the same command again.",
      );
    }
    for (const part of ["state/lists/partial", "cache/archives/partial", "debs"]) {
      mkdirSync(join(this.#folder, part), { recursive: true });
    }
    const line = `deb [signed-by=${source.keyring}] ${source.uri} ${suite} main\n`;
    writeFileSync(join(this.#folder, "source.list"), line);
    await runOrFail("apt-get", [...this.#options, "update", "-q"], { env: quiet });
  }

  /** Downloads packages; resolves to their files and the total bytes. */
  async download(names, steps) {
    const folder = join(this.#folder, "debs");
    const options = { env: quiet, cwd: folder };
    const plan = await runOrFail(
      "apt-get",
      [...this.#options, "--print-uris", "download", ...names],
      options,
    );
    const entries = [...plan.output.matchAll(/^'\S+' (\S+) (\d+)/gm)];
    const total = entries.reduce((sum, entry) => sum + Number(entry[2]), 0);
    const before = folderSize(folder);
    const timer = setInterval(() => {
      const done = Math.min(total, folderSize(folder) - before);
      steps.note(`downloaded ${formatBytes(done)} of ${formatBytes(total)}`);
    }, 500);
    try {
      await runOrFail("apt-get", [...this.#options, "-q", "download", ...names], options);
    } finally {
      clearInterval(timer);
    }
    return { bytes: total, files: entries.map((entry) => join(folder, entry[1])) };
  }
}
