// Trains with the page's own figure of training, once for every scheme, task and seed, and keeps
// the results of the tests in web/figures/train-short/recorded.json: the figure shows them until
// the reader trains.
//   node scripts/train-short.mjs          # schemes that have no results yet
//   node scripts/train-short.mjs --again  # all schemes

import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fragment, openBrowser, openPage, pathOfFigure } from "../tests/web/browser.mjs";
import { ensure, root } from "./setup/ensure.mjs";
import { runMain } from "./setup/process.mjs";
import { say } from "./setup/progress.mjs";

const tag = "wf-train-short";
const target = fileURLToPath(new URL("../web/figures/train-short/recorded.json", import.meta.url));
const tasks = ["text", "copy", "induction"];
/** The figure trains at most this many schemes together. */
const together = 5;
const decimals = { text: 4, copy: 2, induction: 2 };

const trainedAlready = (name) => document.querySelector(name).data?.stage === "done";
const resultsOf = (name) =>
  document.querySelector(name).data.runs.map(({ scheme, seed, stage, tested }) => {
    if (stage !== "done") throw new Error(`${scheme}, seed ${seed}: ${stage}`);
    return { scheme, seed, tested: [...tested].map((one) => one ?? null) };
  });

/** Opens the figure with these schemes and returns its runs after training. */
async function trained(session, task, schemes) {
  const hash = fragment("en", `&lt=${task}&ls=${schemes.join(".")}`);
  const { page, close } = await openPage(session, { path: pathOfFigure(tag), hash });
  await page.locator(`${tag}[filled]`).waitFor({ state: "attached" });
  await page.locator(`${tag} button.train`).click();
  await page.waitForFunction(trainedAlready, tag, { timeout: 600_000 });
  const runs = await page.evaluate(resultsOf, tag);
  await close();
  return runs;
}

/** Ids of all schemes that the figure offers. */
async function offered(session) {
  const { page, close } = await openPage(session, {
    path: pathOfFigure(tag),
    hash: fragment("en"),
  });
  await page.locator(`${tag}[filled]`).waitFor({ state: "attached" });
  const ids = await page.evaluate(
    (name) => document.querySelector(name).experiment.schemes.map(({ id }) => id),
    tag,
  );
  await close();
  return ids;
}

const rounded = (value, digits) => (value === null ? null : Number(value.toFixed(digits)));

/** Longest line that the formatter writes. */
const columns = 100;

/** Each scheme's results as the formatter writes them: in a line, or in a line for each seed. */
function written(results) {
  const tasksText = Object.entries(results).map(([task, bySchemes]) => {
    const lines = Object.entries(bySchemes).map(([scheme, seeds], index, { length }) => {
      const rows = seeds.map((row) => `[${row.map(String).join(", ")}]`);
      const start = `    ${JSON.stringify(scheme)}: [`;
      const short = `${start}${rows.join(", ")}]`;
      const comma = index < length - 1 ? 1 : 0;
      if (short.length + comma <= columns) return short;
      return `${start}\n      ${rows.join(",\n      ")}\n    ]`;
    });
    return `  ${JSON.stringify(task)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n${tasksText.join(",\n")}\n}\n`;
}

/**
 * Trains these schemes on one task and returns each scheme's results by seed. A group of one is
 * trained beside another scheme, since the figure compares at least two.
 */
async function resultsOnTask(session, task, ids, all) {
  const results = {};
  for (let at = 0; at < ids.length; at += together) {
    const group = ids.slice(at, at + together);
    const beside = group.length === 1 ? all.filter((id) => id !== group[0]).slice(0, 1) : [];
    const runs = await trained(session, task, [...group, ...beside]);
    for (const id of group)
      results[id] = runs
        .filter(({ scheme }) => scheme === id)
        .sort((a, b) => a.seed - b.seed)
        .map(({ tested }) => tested.map((value) => rounded(value, decimals[task])));
    say(`${task}: ${group.join(", ")}`);
  }
  return results;
}

await runMain(async () => {
  const { again } = parseArgs({ options: { again: { type: "boolean" } } }).values;
  await ensure({ groups: ["browser"], emscripten: false });
  const session = await openBrowser();
  const earlier = again ? {} : JSON.parse(readFileSync(target, "utf8"));
  const results = {};
  try {
    const all = await offered(session);
    for (const task of tasks) {
      const known = earlier[task] ?? {};
      const missing = all.filter((id) => !known[id]);
      const found = await resultsOnTask(session, task, missing, all);
      results[task] = Object.fromEntries(all.map((id) => [id, known[id] ?? found[id]]));
    }
  } finally {
    await session.close();
  }
  writeFileSync(target, written(results));
  say(`wrote ${relative(root, target)}`);
  return 0;
});
