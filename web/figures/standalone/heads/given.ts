/** Measures that a page gives: by name, a number for each head of each layer. */

import { listedNumbers } from "../../shared/data/given-curves.js";
import { isList, isObject } from "../../shared/given/kinds.js";
import { refused } from "../../shared/given/refused.js";
import type { Measures } from "../../shared/pictures/shown-heads.js";

export interface GivenHeads {
  layers: number;
  heads: number;
  measures: Measures;
}

const maxHeads = 16_384;

interface Table {
  layers: number;
  heads: number;
  values: number[];
}

/** Reads lists of layers, a list with a number for each layer, or { data, shape }. */
function tableOf(name: string, given: unknown): Table {
  if (isObject(given)) {
    const { data, shape } = given;
    const values = listedNumbers(`${name}.data`, data);
    const [layers = 0, heads = 1, ...rest] = isList(shape) ? Array.from(shape, Number) : [];
    if (rest.length || layers * heads !== values.length)
      throw refused(`${name}.shape`, shape, { expected: "heads" });
    return { layers, heads, values };
  }
  if (!isList(given)) throw refused(name, given, { expected: "heads" });
  if (!isList(given[0]))
    return { layers: given.length, heads: 1, values: listedNumbers(name, given) };
  const lists = Array.from({ length: given.length }, (_, layer) =>
    listedNumbers(`${name}[${layer}]`, given[layer]),
  );
  const heads = lists[0]!.length;
  const odd = lists.findIndex(({ length }) => length !== heads);
  if (odd >= 0)
    throw refused(`${name}[${odd}]`, lists[odd], {
      expected: "alike",
      max: heads,
      choices: `${name}[0]`,
    });
  return { layers: lists.length, heads, values: lists.flat() };
}

export function givenHeads(given: unknown): GivenHeads {
  if (!isObject(given)) throw refused("measures", given, { expected: "heads" });
  const all = Object.entries(given).map(([name, table]) => {
    // A result of `model.heads` has means, and their spread.
    const mean = isObject(table) ? table["mean"] : undefined;
    return [name, tableOf(`measures.${name}`, mean ?? table)] as const;
  });
  // There, a measure that no head has is left out.
  const isResult = Object.values(given).some((table) => isObject(table) && "mean" in table);
  const hasNumber = ({ values }: Table) => !values.every(Number.isNaN);
  const tables = isResult ? all.filter(([, table]) => hasNumber(table)) : all;
  const [first] = tables;
  if (!first) throw refused("measures", given, { expected: "heads" });
  const { layers, heads } = first[1];
  const max = layers * heads;
  if (max < 1) throw refused(`measures.${first[0]}`, [], { expected: "heads" });
  if (max > maxHeads)
    throw refused(`measures.${first[0]}`, max, { expected: "amount", max: maxHeads });
  for (const [name, table] of tables)
    if (table.layers !== layers || table.heads !== heads)
      throw refused(`measures.${name}`, table.values, {
        expected: "count",
        max,
        choices: `measures.${first[0]}`,
      });
  if (tables.every(([, { values }]) => values.every(Number.isNaN)))
    throw refused("measures", given, { expected: "any" });
  return {
    layers,
    heads,
    measures: Object.fromEntries(tables.map(([name, { values }]) => [name, values])),
  };
}
