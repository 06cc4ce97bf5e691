// Copies this machine's access to package servers into another root: apt's sources and proxies,
// npm's configuration, certificates. No server's name is fixed here: all is read from the machine.

import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { readOutput } from "../setup/process.mjs";

const indexFormat = "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN) $(SIGNED_BY)";

/** apt's one-line sources for Debian itself, from the output of `apt-get indextargets`. */
export function sourceLines(indexTargets) {
  const sources = new Map();
  for (const line of indexTargets.split("\n").filter(Boolean)) {
    const [uri, suite, component, origin, signedBy] = line.split(" ");
    if (origin !== "Debian") continue;
    const option = signedBy?.startsWith("/") ? `[signed-by=${signedBy}] ` : "";
    const source = `deb ${option}${uri} ${suite}`;
    sources.set(source, [...(sources.get(source) ?? []), component]);
  }
  return [...sources].map(([source, parts]) => `${source} ${[...new Set(parts)].join(" ")}`);
}

/** apt's settings of proxies, retries and checks, from the output of `apt-config dump`. */
export function acquireLines(dump) {
  const wanted = /^Acquire::(?:https?::|Check-|Retries|ForceIPv|Max-FutureTime)/;
  return dump
    .split("\n")
    .filter((line) => wanted.test(line) && !/ "";$/.test(line) && !line.includes("Auto-Detect"));
}

const ofNpm = "npm_config_(?:registry|cafile|proxy|https_proxy|noproxy)";
const passed = new RegExp(
  `^(?:https?_proxy|no_proxy|${ofNpm}|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$`,
  "i",
);

/** The environment variables for network access; all others of the machine are omitted. */
export function networkVariables(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)));
}

// Keeps the path, so that settings which name the file remain valid.
function copyTo(root, path, target = path) {
  if (!existsSync(path)) return;
  mkdirSync(dirname(join(root, target)), { recursive: true });
  cpSync(path, join(root, target), { recursive: true, dereference: true });
}

function copyAptSettings(root) {
  const targets = readOutput("apt-get", [
    "indextargets",
    "--format",
    indexFormat,
    "Created-By: Packages",
  ]);
  const lines = sourceLines(targets ?? "");
  writeFileSync(join(root, "etc/apt/sources.list"), `${lines.join("\n")}\n`);
  for (const [, keyring] of lines.join("\n").matchAll(/signed-by=(\S+?)\]/g)) copyTo(root, keyring);
  const settings = acquireLines(readOutput("apt-config", ["dump"]) ?? "");
  if (settings.length) {
    writeFileSync(join(root, "etc/apt/apt.conf.d/90network"), `${settings.join("\n")}\n`);
  }
  copyTo(root, "/etc/apt/auth.conf");
  copyTo(root, "/etc/apt/auth.conf.d");
}

function copyNpmSettings(root) {
  const globalFile = readOutput("npm", ["config", "get", "globalconfig"]) ?? "/etc/npmrc";
  const userFile = process.env.npm_config_userconfig || join(homedir(), ".npmrc");
  const targets = { [globalFile]: "/usr/local/etc/npmrc", [userFile]: "/root/.npmrc" };
  for (const [file, target] of Object.entries(targets)) {
    if (!existsSync(file)) continue;
    copyTo(root, file, target);
    for (const [, named] of readFileSync(file, "utf8").matchAll(/^cafile\s*=\s*"?([^"\n]+)/gm)) {
      copyTo(root, named.trim());
    }
  }
}

/** Copies the machine's network settings into `root`; resolves to the environment to run with. */
export function copyNetworkSettings(root) {
  copyFileSync("/etc/resolv.conf", join(root, "etc/resolv.conf"));
  copyTo(root, "/etc/hosts");
  copyTo(root, "/etc/ssl/certs/ca-certificates.crt");
  copyAptSettings(root);
  copyNpmSettings(root);
  const variables = networkVariables(process.env);
  for (const value of Object.values(variables)) if (value.startsWith("/")) copyTo(root, value);
  return variables;
}
