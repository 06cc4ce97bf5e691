/** The tags that the package declares are those of the sources. Nothing here runs. */
import type {
  FigureAttributes,
  FigureChangeEvent,
  FigureElements,
  FigureEvents,
  FigureHandlers,
  FigureSettings,
  VueFigureHandlers,
} from "../../bindings/ts/elements.js";
import type { Absorption } from "../../web/figures/absorption/element.js";
import type { AddedPosition } from "../../web/figures/added-position/element.js";
import type { AttentionMap } from "../../web/figures/attention-map/element.js";
import type { CacheBytes } from "../../web/figures/cache-bytes/element.js";
import type { CausalOrder } from "../../web/figures/causal-order/element.js";
import type { Chooser } from "../../web/figures/chooser/element.js";
import type { Costs } from "../../web/figures/costs/element.js";
import type { DecodingForms } from "../../web/figures/decoding-forms/element.js";
import type { DistanceBias } from "../../web/figures/distance-bias/element.js";
import type { DistanceCurve } from "../../web/figures/distance-curve/element.js";
import type { Lab } from "../../web/figures/lab/element.js";
import type { LengthCurves } from "../../web/figures/length-curves/element.js";
import type { LongerReading } from "../../web/figures/longer-reading/element.js";
import type { OpenCheckpoint } from "../../web/figures/open-checkpoint/element.js";
import type { PairLayouts } from "../../web/figures/pair-layouts/element.js";
import type { PicturePositions } from "../../web/figures/picture-positions/element.js";
import type { Probes } from "../../web/figures/probes/element.js";
import type { RealHeads } from "../../web/figures/real-heads/element.js";
import type { SchemeGallery } from "../../web/figures/scheme-gallery/element.js";
import type { ScoreTerms } from "../../web/figures/score-terms/element.js";
import type { BiasByDistance } from "../../web/figures/standalone/bias-by-distance/element.js";
import type { CacheBars } from "../../web/figures/standalone/cache-bars/element.js";
import type { EncodingHeatmap } from "../../web/figures/standalone/encoding-heatmap/element.js";
import type { FrequencyChart } from "../../web/figures/standalone/frequency-chart/element.js";
import type { LogitTerms } from "../../web/figures/standalone/logit-terms/element.js";
import type { LossByLength } from "../../web/figures/standalone/loss-by-length/element.js";
import type { RotationDials } from "../../web/figures/standalone/rotation-dials/element.js";
import type { SchemeAlone } from "../../web/figures/standalone/scheme/element.js";
import type { WeightByDistance } from "../../web/figures/standalone/weight-by-distance/element.js";
import type { Stretch } from "../../web/figures/stretch/element.js";
import type { SurgeryFigure } from "../../web/figures/surgery/element.js";
import type { TrainShort } from "../../web/figures/train-short/element.js";
import type { TurningPairs } from "../../web/figures/turning-pairs/element.js";
import type { WhoChases } from "../../web/figures/who-chases/element.js";
import type { WordSwap } from "../../web/figures/word-swap/element.js";

declare const classes: {
  "wf-word-swap": WordSwap;
  "wf-who-chases": WhoChases;
  "wf-causal-order": CausalOrder;
  "wf-scheme-gallery": SchemeGallery;
  "wf-scheme": SchemeAlone;
  "wf-turning-pairs": TurningPairs;
  "wf-stretch": Stretch;
  "wf-cache-bytes": CacheBytes;
  "wf-absorption": Absorption;
  "wf-decoding-forms": DecodingForms;
  "wf-costs": Costs;
  "wf-added-position": AddedPosition;
  "wf-distance-bias": DistanceBias;
  "wf-longer-reading": LongerReading;
  "wf-chooser": Chooser;
  "wf-real-heads": RealHeads;
  "wf-score-terms": ScoreTerms;
  "wf-distance-curve": DistanceCurve;
  "wf-surgery": SurgeryFigure;
  "wf-train-short": TrainShort;
  "wf-length-curves": LengthCurves;
  "wf-pair-layouts": PairLayouts;
  "wf-probes": Probes;
  "wf-picture-positions": PicturePositions;
  "wf-open-checkpoint": OpenCheckpoint;
  "wf-lab": Lab;
  "wf-bias-by-distance": BiasByDistance;
  "wf-cache-bars": CacheBars;
  "wf-encoding-heatmap": EncodingHeatmap;
  "wf-frequency-chart": FrequencyChart;
  "wf-rotation-dials": RotationDials;
  "wf-logit-terms": LogitTerms;
  "wf-loss-by-length": LossByLength;
  "wf-weight-by-distance": WeightByDistance;
  "wf-attention-map": AttentionMap;
};
export const figures: FigureElements = classes;
// And nothing is declared that no class has.
export const settings: { [Tag in keyof FigureSettings]: FigureSettings[Tag] } = classes;

const heads: FigureElements["wf-real-heads"] | null = document.querySelector("wf-real-heads");
// @ts-expect-error: this one needs no models
const folder = document.querySelector("wf-who-chases")?.models;
// @ts-expect-error: there is no such place
const place: FigureAttributes["wf-surgery"] = { place: "everywhere" };
const attributes: FigureAttributes["wf-surgery"] = { models: "models/", cell: "3 1", group: "a" };
const sizes: FigureAttributes["wf-costs"] = { "head-dim": 64 };
const told = ({ detail }: FigureChangeEvent<"wf-who-chases">): string | undefined => detail.scheme;

// Events by their names, with their details.
declare const map: FigureElements["wf-attention-map"];
map.addEventListener("wf-pick", ({ detail }) => {
  const value: number | null = detail.value;
  // @ts-expect-error: a cell has a query and a key, and no name
  const name: string = detail.name;
  return [value, name];
});
map.addEventListener("wf-change", ({ detail: { head, log } }) => [head?.toFixed(), log === true]);
map.addEventListener("click", ({ clientX }) => clientX);
map.addEventListener("animationend", (event: Event) => event.type);
// @ts-expect-error: the elements that read models pick nothing
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
export const used = [heads, folder, place, attributes, sizes, told, none, open, inVue];
