// The parts of a figure's picture: one drawing, or several beside each other with titles.

import { elementsIn } from "./rendered.mjs";

/** The scene of a figure. */
export function sceneParts({ rendered }) {
  const [scene] = elementsIn(rendered, "wf-scene");
  return scene?.draw ? [{ title: "", draw: scene.draw, active: scene.active }] : [];
}

const viewsOf = ({ rendered }) =>
  elementsIn(rendered, "wf-map-view").filter(({ source }) => source);

/**
 * Zoomable maps, shown completely. In the page they process their numbers and report the result to
 * the figure: here that is done for them, and `rest` waits until the figure has updated.
 */
export async function mapParts(figure, { buildPyramid, MapFrame, measure }, rest) {
  const pyramids = [];
  for (const view of viewsOf(figure)) {
    const pyramid = await buildPyramid(view.source, view.reduce, async () => {});
    pyramids.push(pyramid);
    view["@wf-extent"]({ detail: pyramid });
  }
  await rest(figure);
  const views = viewsOf(figure);
  return views.map(({ rows, columns, signed, limit, log, label }, at) => ({
    title: views.length > 1 ? label : "",
    draw: (width, palette) => {
      const frame = new MapFrame(pyramids[at], { signed, limit, log: log && !signed });
      Object.assign(frame, { palette, measure, hasCanvas: false });
      frame.layOut(width, rows, columns);
      return frame.picture;
    },
  }));
}

/** The cards of the gallery, each with its scheme's name. */
export async function cardParts(gallery, titleOf, rest) {
  // The file of its open card is loading, which is not counted as pending.
  for (let tries = 0; !gallery.data && tries < 500 && !gallery.failure; tries++)
    await rest(gallery);
  if (gallery.failure) throw new Error(`${gallery.localName}: ${gallery.failure.message}`);
  const { schemes, tokens } = gallery.data;
  const { trained, state } = gallery;
  const parts = [];
  for (const description of schemes) {
    const said = titleOf(description.id);
    const card = new (customElements.get("wf-scheme-card"))();
    const values = state.galleryValues;
    Object.assign(card, {
      description,
      said,
      tokens,
      trained: trained.get(description.id),
      values,
    });
    card.connectedCallback();
    await rest(card);
    const [{ draw }] = sceneParts(card);
    parts.push({ title: said.title, draw });
    card.disconnectedCallback();
  }
  return parts;
}
