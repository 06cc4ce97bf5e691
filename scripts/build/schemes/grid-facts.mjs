// Maps of a trained model of pictures, as in the article's figure.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../setup/ensure.mjs";

const at = (...parts) => join(root, "models/image", ...parts);

/**
 * `look(wf, id)` returns, for the query's cell in the first state of the article's figure, the
 * logits from position alone and the weights of the last layer's heads; undefined if no model was
 * trained with the scheme.
 */
export async function gridLook(sources) {
  const [defaults, { answers: answersOf }, { limitOf }] = await Promise.all(
    [
      "/defaults.ts",
      "/figures/picture-positions/worker.ts",
      "/figures/shared/pictures/signed-legend.ts",
    ].map(sources.load),
  );
  const { gridSchemes, gridView, gridWindows, askedPicture } = defaults;
  // As in training.
  const window = gridWindows.at(-1);
  return async (wf, id) => {
    if (!gridSchemes.includes(id) || !existsSync(at(id, "model.safetensors"))) return undefined;
    const model = await wf.model({
      config: JSON.parse(readFileSync(at(id, "config.json"), "utf8")),
      weights: readFileSync(at(id, "model.safetensors")),
    });
    const store = { engine: () => wf, model: () => model };
    const { trainedSide: side, row, column } = gridView;
    const { grid } = answersOf(store);
    const look = (cell, head) => grid({ scheme: id, ...cell, head, side, window });
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
      side,
      kind,
      position,
      limit: limitOf(position),
      head: gridView.head,
      cells,
      picture: askedPicture.rows.join(""),
      weights: answers.map((ofCell) => ofCell.map(({ weights }) => weights)),
    };
  };
}
