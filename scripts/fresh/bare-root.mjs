// A bare Debian in a folder, and commands in it. All mounts for a command are in a separate
// namespace, which ends with the command: nothing remains mounted, however it ends.

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { installPackages, releaseSource, updateLists } from "../setup/apt.mjs";
import { findProgram, isRoot, readOutput, run, runOrFail, SetupError } from "../setup/process.mjs";
import { copyNetworkSettings } from "./network.mjs";

// Packages that the README requires; Node is copied from this machine, since a release's may be too
// old.
const packages = ["git", "g++", "ca-certificates"];
const namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"];

// $1 is the root, $2 the working directory, the rest the command. The shell is the first process of
// its namespace: when it ends, the kernel ends all others.
const enter = `
trap 'exit 143' TERM INT HUP
root=$1 folder=$2
shift 2
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys" || true
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" || true
chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$folder" "$@" &
wait $!
`;

/** Runs a command inside the root, like `run` of process.mjs. */
export function runInside(root, { folder = "/", env, ...options }, command) {
  mkdirSync(join(root, "dev/shm"), { recursive: true });
  mkdirSync(join(root, "dev/pts"), { recursive: true });
  const args = [...namespaces, "sh", "-c", enter, "enter", root, folder, ...command];
  return run("unshare", args, { ...options, env });
}

function proxyVariables() {
  const proxy = (protocol) =>
    /='(.+)'/.exec(
      readOutput("apt-config", ["shell", "x", `Acquire::${protocol}::Proxy`]) ?? "",
    )?.[1];
  const [http, https] = ["http", "https"].map(proxy);
  return { ...(http && { http_proxy: http }), ...(https && { https_proxy: https }) };
}

async function requireDebootstrap(steps) {
  if (!isRoot()) throw new SetupError("A bare Debian is made as root: run this as root.");
  if (!findProgram("unshare") || !findProgram("apt-get")) {
    throw new SetupError("This needs a Debian machine: apt-get and unshare are missing.");
  }
  if (readOutput("unshare", [...namespaces, "true"]) === undefined) {
    throw new SetupError("This machine does not allow new namespaces (unshare --mount --pid).");
  }
  await updateLists();
  if (!findProgram("debootstrap")) await installPackages(["debootstrap"], steps);
}

// Installs Node and npm at the paths of an archive from nodejs.org.
function copyNode(root) {
  const npm = dirname(dirname(realpathSync(findProgram("npm"))));
  copyFileSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
  mkdirSync(join(root, "usr/local/lib/node_modules"), { recursive: true });
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true, dereference: true });
  for (const name of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name));
  }
}

/** Makes the root; resolves to the environment for commands in it. */
export async function makeRoot(root, steps) {
  steps.begin(`A bare Debian with ${packages.join(", ")}`);
  await requireDebootstrap(steps);
  const source = releaseSource();
  if (!source) throw new SetupError("apt has no source of this machine's Debian release.");
  removeRoot(root);
  mkdirSync(root, { recursive: true });
  const args = ["--variant=minbase", `--include=${packages.join(",")}`];
  if (existsSync(source.keyring)) args.push(`--keyring=${source.keyring}`);
  const onLine = (line) => steps.note(line.replace(/^I: /, ""));
  const made = await run(
    "unshare",
    [...namespaces, "debootstrap", ...args, source.codename, root, source.uri],
    { env: { ...process.env, ...proxyVariables() }, onLine },
  );
  if (made.code !== 0) {
    const tail = made.output.trimEnd().split("\n").slice(-25).join("\n");
    throw new SetupError(`debootstrap failed (exit ${made.code})\n${tail}`);
  }
  steps.end(source.codename);
  steps.begin("This machine's Node, npm and network settings, copied");
  copyNode(root);
  const env = {
    ...copyNetworkSettings(root),
    HOME: "/root",
    LANG: "C.UTF-8",
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    TERM: "dumb",
  };
  const { code, output } = await runInside(root, { env }, ["npm", "--version"]);
  if (code !== 0) {
    throw new SetupError(`This machine's Node does not run in a bare Debian:\n${output.trim()}`);
  }
  steps.end(`Node ${process.versions.node}, npm ${output.trim().split("\n").at(-1)}`);
  return env;
}

/** Clones the committed state into the root's `folder`; resolves to the commit's short name. */
export async function cloneInto(root, folder, checkout) {
  const target = join(root, folder);
  await runOrFail("git", ["clone", "--quiet", "--no-local", checkout, target]);
  const commit = readOutput("git", ["-C", checkout, "rev-parse", "HEAD"]);
  await runOrFail("git", ["-C", target, "checkout", "--quiet", "--detach", commit]);
  return commit.slice(0, 8);
}

/** Removes the root. Its commands may take a moment to end. */
export function removeRoot(root) {
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
