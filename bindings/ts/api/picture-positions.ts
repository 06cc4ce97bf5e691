/** Positions of a text that contains pictures. */

import type { Engine, PictureBlock, PicturePositions } from "../types/index.js";
import { checkObject, checkOptions, choice, integer, listOf, number } from "../wire/arguments.js";
import { type Core, space, spaceOfFloats } from "../wire/core.js";

const blockNames = ["first", "frames", "rows", "columns", "timeStep"];

function numbersOf(block: unknown, name: string): number[] {
  checkOptions(name, block, blockNames);
  checkObject(name, block);
  const size = (key: string, absent?: number) =>
    integer(`${name}.${key}`, block[key] ?? absent, key === "first" ? 0 : 1);
  return [
    size("first"),
    size("frames", 1),
    size("rows"),
    size("columns"),
    number(`${name}.timeStep`, block["timeStep"] ?? 1, 0),
  ];
}

export function positionsWithPictures(
  core: Core,
  tokens: number,
  blocks: readonly PictureBlock[],
  options: NonNullable<Parameters<Engine["positionsWithPictures"]>[2]>,
): PicturePositions {
  checkOptions("options", options, ["after"]);
  const count = integer("tokens", tokens, 1);
  const form = "a list of { first, rows, columns }";
  const list = listOf("blocks", blocks, form, (block, i) =>
    numbersOf(block, `blocks[${i}]`),
  ).flat();
  const after = choice("after", options.after ?? "largest", ["largest", "rowsAndColumns"]);
  const numbers = Float64Array.from(list);
  const total = 3 * count;
  return core.run(space(numbers) + spaceOfFloats(total), (raw) => {
    const at = core.room(total);
    const { code, delta } = raw.positionsWithPictures(
      count,
      after === "largest",
      core.put(numbers),
      numbers.length,
      at,
      total,
    );
    core.check(code);
    return { positions: { data: core.takeIntegers(at, total), shape: [3, count] }, delta };
  });
}
