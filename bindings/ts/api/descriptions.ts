/** Descriptions of the engine's schemes and tasks. */

import { familiesOf } from "../families/schemes-of.js";
import type { SchemeDescription, SchemeId, SchemeOption } from "../types/index.js";
import type { Core, RawModule } from "../wire/core.js";

/** The results of `length` calls of `item`. */
const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

function readOption(raw: RawModule, scheme: number, option: number): SchemeOption {
  const facts = raw.optionFacts(scheme, option);
  const { defaultValue: value, minimum, maximum } = facts;
  // No listed scheme has an option of text.
  const kind = facts.kind as SchemeOption["kind"];
  const key = String(facts.key);
  const configKey = String(facts.configKey);
  const choices = list(facts.choiceCount, (choice) => raw.optionChoice(scheme, option, choice));
  if (kind === "boolean") return { key, configKey, kind, default: value !== 0 };
  if (kind === "choice") return { key, configKey, kind, default: choices[value]!, choices };
  return { key, configKey, kind, default: kind === "list" ? [] : value, minimum, maximum };
}

function readDescription(raw: RawModule, scheme: number): SchemeDescription {
  const facts = raw.schemeFacts(scheme);
  const hooks = Object.keys(raw.Hook) as (keyof RawModule["Hook"])[];
  return {
    id: facts.id as SchemeId,
    family: String(facts.family),
    paper: String(facts.paper),
    year: facts.year,
    hooks: hooks.filter((hook) => facts.hooks & raw.Hook[hook]),
    crossAttention: facts.crossAttention,
    positionAxes: facts.positionAxes,
    claims: {
      shiftInvariant: facts.shiftInvariant,
      extrapolatesByConstruction: facts.extrapolatesByConstruction,
      bidirectional: facts.bidirectional,
      decodes: facts.decodes,
    },
    terms: list(facts.termCount, (term) => raw.schemeTerm(scheme, term)),
    options: list(facts.optionCount, (option) => readOption(raw, scheme, option)),
    selects: familiesOf(facts.id as SchemeId).join(" "),
  };
}

export const describeSchemes = (core: Core): SchemeDescription[] =>
  core.run(0, (raw) => list(raw.schemeCount(), (scheme) => readDescription(raw, scheme)));

/** The ids of the tasks that a model can learn. */
export const taskIds = (core: Core): string[] =>
  core.run(0, (raw) => list(raw.taskCount(), (task) => raw.taskId(task)));
