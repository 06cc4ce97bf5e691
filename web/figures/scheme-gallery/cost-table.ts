/** Costs of the open scheme in three short lines; blank while they are computed. */
import { html } from "lit";
import type { CostAnswer } from "../../engine/both/messages.js";
import type { GalleryTexts } from "./words.js";

function operations(
  { onceFlops, layerFlops, attentionFlops }: CostAnswer,
  words: GalleryTexts,
): string {
  const { none, once, layer } = words.gallery.cost;
  const parts = [
    ...(onceFlops ? [once(onceFlops)] : []),
    ...(layerFlops ? [layer(layerFlops, attentionFlops)] : []),
  ];
  return parts.join(words.page.join.items) || none;
}

/** `decodes` is a property of the scheme: without it there is no cache. */
export function costTable(cost: CostAnswer | undefined, decodes: boolean, words: GalleryTexts) {
  const { cost: says } = words.gallery;
  const parameters = (count: number) => (count ? says.numbers(count) : says.none);
  const cache = ({ cacheBytes }: CostAnswer) => (decodes ? says.bytes(cacheBytes) : says.unused);
  const lines: [string, string, string][] = [
    ["parameters", says.parameters, cost ? parameters(cost.parameters) : ""],
    ["operations", says.operations, cost ? operations(cost, words) : ""],
    ["cache", says.cache, cost ? cache(cost) : ""],
  ];
  return html`<dl class="cost">
      ${lines.map(
        ([name, label, value]) =>
          html`<div class=${name}><dt>${label}</dt><dd>${value || "\u00a0"}</dd></div>`,
      )}
    </dl>
    <p class="sizes">${cost ? says.sizes(cost) : "\u00a0"}</p>`;
}
