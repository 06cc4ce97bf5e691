// Options of the command line.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { SetupError, unexpected } from "../scripts/setup/process.mjs";

export const hosts = ["node", "chromium", "firefox", "native"];

export const usage = `npm run bench -- [--quick] [--only WORDS]
                 [--where node,chromium,firefox,native] [--processes 3] [--threads 1,2]
                 [--write] [--docs] [--no-build] [--list]
                 [--resume] [--against FOLDER] [--model FILE]
  --quick      one process, short rounds, the rows that table.json marks: under 3 minutes
  --only       rows whose id contains one of these words, separated by commas
  --where      where to run; default all (Firefox: ours alone; native: kernels of the
               core), quick the first two
  --processes  fresh processes for each place, of which the best counts; default 3
  --threads    thread counts; default 1,2
  --write      record this run in docs/bench.json (with --only: in place of the earlier
               figures of these rows), and renew the documents with its figures
  --docs       measure nothing: renew the documents from docs/bench.json
  --no-build   measure dist as it lies there
  --list       name the rows and stop
  --resume     go on with a run of this build that was stopped: what it measured is not measured
               again; a run without it forgets the one before
  --against    another build (its dist) beside this one, interleaved in Node: how many times as long
               this one takes, and which rows are slower than is allowed
  --model      tokens a second that a GGUF file's model reads and writes of a text, and the text`;

const words = (text) => text.split(",").filter(Boolean);

function among(name, values, allowed) {
  const wrong = values.find((value) => !allowed.includes(value));
  if (wrong !== undefined || values.length === 0)
    throw unexpected(`--${name}`, values.join(","), allowed.join(", "));
  return values;
}

/** Returns the options of a run, from the arguments after the command. */
export function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        quick: { type: "boolean", default: false },
        write: { type: "boolean", default: false },
        docs: { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        resume: { type: "boolean", default: false },
        "no-build": { type: "boolean", default: false },
        only: { type: "string" },
        where: { type: "string" },
        processes: { type: "string" },
        threads: { type: "string" },
        against: { type: "string" },
        model: { type: "string" },
      },
    }));
  } catch (error) {
    throw new SetupError(`${error.message}\n${usage}`);
  }
  const { quick, write, docs, list, resume } = values;
  const processes = Number(values.processes ?? (quick ? 1 : 3));
  if (!Number.isInteger(processes) || processes < 1 || processes > 20)
    throw unexpected("--processes", values.processes, "an integer from 1 to 20");
  const { against, model } = values;
  if (model !== undefined && !existsSync(model))
    throw unexpected("--model", model, "an existing file");
  if (against !== undefined && !existsSync(join(against, "index.js")))
    throw unexpected("--against", against, "a built dist, with index.js");
  if (against !== undefined && (write || values.where))
    throw new SetupError(`--against cannot be combined with --write or --where.\n${usage}`);
  const everywhere = quick ? "node,chromium" : hosts.join();
  const where = values.where ?? (against === undefined ? everywhere : "node");
  return {
    quick,
    against: against === undefined ? undefined : resolve(against),
    model: model === undefined ? undefined : resolve(model),
    write,
    docs,
    list,
    resume,
    builds: !values["no-build"],
    processes,
    only: values.only === undefined ? undefined : words(values.only),
    where: among("where", words(where), hosts),
    threads: among("threads", words(values.threads ?? (quick ? "1" : "1,2")), ["1", "2"]).map(
      Number,
    ),
    settings: quick
      ? { rounds: 9, sampleMs: 2.5, budgetMs: 1500 }
      : { rounds: 21, sampleMs: 4, budgetMs: 5000 },
  };
}
