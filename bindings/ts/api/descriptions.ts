/** Descriptions of the engine's schemes and tasks. */

import { familiesOf } from "../families/schemes-of.js";
import { crossAttentions, hooks, optionKinds } from "../generated/fields.js";
import type { Scheme as RawScheme, SchemeFacts } from "../generated/module.js";
import type { SchemeDescription, SchemeId, SchemeOption } from "../types/index.js";
import type { Core, RawModule } from "../wire/core.js";

/** The results of `length` calls of `item`. */
const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

function readOption(raw: RawModule, scheme: number, option: number): SchemeOption {
  const facts = raw.optionFacts(scheme, option);
  const { defaultValue: value, minimum, maximum } = facts;
  const kind = optionKinds[facts.kind.value];
  const key = String(facts.key);
  const configKey = String(facts.configKey);
  const choices = list(facts.choiceCount, (choice) => raw.optionChoice(scheme, option, choice));
  if (kind === "boolean") return { key, configKey, kind, default: value !== 0 };
  if (kind === "choice") return { key, configKey, kind, default: choices[value]!, choices };
  if (kind === "text") return { key, configKey, kind, default: "" };
  return { key, configKey, kind, default: kind === "list" ? [] : value, minimum, maximum };
}

/** What options may change: hooks, claims, terms. */
function readFacts(facts: SchemeFacts, term: (index: number) => unknown) {
  const names = Object.keys(hooks) as (keyof typeof hooks)[];
  return {
    hooks: names.filter((hook) => facts.hooks & hooks[hook]),
    positionAxes: facts.positionAxes,
    claims: {
      shiftInvariant: facts.shiftInvariant,
      extrapolatesByConstruction: facts.extrapolatesByConstruction,
      bidirectional: facts.bidirectional,
      decodes: facts.decodes,
    },
    terms: list(facts.termCount, (index) => String(term(index))),
  };
}

function readDescription(raw: RawModule, scheme: number): SchemeDescription {
  const facts = raw.schemeFacts(scheme);
  return {
    id: facts.id as SchemeId,
    family: String(facts.family),
    paper: String(facts.paper),
    year: facts.year,
    crossAttention: crossAttentions[facts.crossAttention.value],
    ...readFacts(facts, (term) => raw.schemeTerm(scheme, term)),
    options: list(facts.optionCount, (option) => readOption(raw, scheme, option)),
    selects: familiesOf(facts.id as SchemeId).join(" "),
  };
}

/** The description of a scheme with its options, for one whose terms they name. */
export const describeConfigured = (
  core: Core,
  scheme: RawScheme,
  described: SchemeDescription,
): SchemeDescription =>
  core.run(0, () => ({
    ...described,
    ...readFacts(scheme.facts(), (term) => scheme.term(term)),
  }));

export const describeSchemes = (core: Core): SchemeDescription[] =>
  core.run(0, (raw) => list(raw.schemeCount(), (scheme) => readDescription(raw, scheme)));

/** The ids of the tasks that a model can learn. */
export const taskIds = (core: Core): string[] =>
  core.run(0, (raw) => list(raw.taskCount(), (task) => raw.taskId(task)));
