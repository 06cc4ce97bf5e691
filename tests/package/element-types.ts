/** The declarations of the package's tags. Nothing here runs. */
import type {
  FigureAttributes,
  FigureChangeEvent,
  FigureElements,
  FigureEvents,
  FigureHandlers,
  VueFigureHandlers,
} from "../../bindings/ts/elements.js";

const heads: FigureElements["wf-real-heads"] | null = document.querySelector("wf-real-heads");
// @ts-expect-error: this element has no models
const folder = document.querySelector("wf-who-chases")?.models;
// @ts-expect-error: not one of the choices
const place: FigureAttributes["wf-surgery"] = { place: "everywhere" };
const attributes: FigureAttributes["wf-surgery"] = { models: "models/", cell: "3 1", group: "a" };
const sizes: FigureAttributes["wf-costs"] = { "head-dim": 64 };
const labels: FigureAttributes["wf-attention-map"] = { "key-tokens": "a b", "hide-first": true };
const told = ({ detail }: FigureChangeEvent<"wf-who-chases">): string | undefined => detail.scheme;

// Events by name, with their details.
declare const map: FigureElements["wf-attention-map"];
map.addEventListener("wf-pick", ({ detail }) => {
  const value: number | null = detail.value;
  // @ts-expect-error: a cell has a query and a key, but no name
  const name: string = detail.name;
  return [value, name];
});
map.addEventListener("wf-change", ({ detail: { head, log } }) => [head?.toFixed(), log === true]);
map.addEventListener("click", ({ clientX }) => clientX);
map.addEventListener("animationend", (event: Event) => event.type);
// @ts-expect-error: elements of trained models fire no wf-pick
const none: FigureEvents<"wf-real-heads">["wf-pick"] = new CustomEvent("wf-pick");
const open: FigureHandlers<"wf-open-checkpoint"> = {
  "onwf-opened": ({ detail }) => detail.numLayers.toFixed(),
  "onwf-failed": ({ detail }) => detail.code.length,
};
const inVue: VueFigureHandlers<"wf-rotation-dials"> = {
  onWfChange: ({ detail }) => detail.position?.toFixed(),
};
map.theme = "auto";
map.heading = "Mine";
map.compact = true;
export const used = [heads, folder, place, attributes, sizes, labels, told, none, open, inVue];
