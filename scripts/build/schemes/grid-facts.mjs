// What a trained model of pictures makes of one, as the article's figure asks it.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../setup/ensure.mjs";

const at = (...parts) => join(root, "models/image", ...parts);

/**
 * `look(wf, id)` gives what position alone says to the cell that looks at first in the article, and
 * where the last layer's heads look from there and from the cell that asks; nothing where no model
 * has learnt with the scheme.
 */
export async function gridLook(sources) {
  const [defaults, { lookInGrid }, { limitOf }] = await Promise.all(
    [
      "/defaults.ts",
      "/engine/worker/grid-look.ts",
      "/figures/shared/pictures/signed-legend.ts",
    ].map(sources.load),
  );
  const { gridSchemes, gridView, gridWindows, askedPicture } = defaults;
  // As trained.
  const window = gridWindows.at(-1);
  return async (wf, id) => {
    if (!gridSchemes.includes(id) || !existsSync(at(id, "model.safetensors"))) return undefined;
    const model = await wf.model({
      config: JSON.parse(readFileSync(at(id, "config.json"), "utf8")),
      weights: readFileSync(at(id, "model.safetensors")),
    });
    const store = { engine: () => wf, model: () => model };
    const { own: side, row, column } = gridView;
    const look = (cell, head) => lookInGrid(store, { scheme: id, ...cell, head, side, window });
    const heads = Array.from({ length: model.config.numHeads }, (_, head) => head);
    const asks = askedPicture.rows.join("").indexOf("?");
    const cells = [
      { row: Math.floor(asks / side), column: asks % side },
      { row, column },
    ];
    const { kind, position } = await look(cells[1], gridView.head);
    const answers = await Promise.all(
      cells.map((cell) => Promise.all(heads.map((head) => look(cell, head)))),
    );
    model.dispose();
    return {
      ...{ side, kind, position, limit: limitOf(position), head: gridView.head, cells },
      picture: askedPicture.rows.join(""),
      weights: answers.map((ofCell) => ofCell.map(({ weights }) => weights)),
    };
  };
}
