/** The tags that the package declares are those of the sources. Nothing here runs. */
import type {
  FigureAttributes,
  FigureElement,
  ModelsFigureElement,
} from "../../bindings/ts/elements.js";
import type { Absorption } from "../../web/figures/absorption/element.js";
import type { AddedPosition } from "../../web/figures/added-position/element.js";
import type { CacheBytes } from "../../web/figures/cache-bytes/element.js";
import type { CausalOrder } from "../../web/figures/causal-order/element.js";
import type { Chooser } from "../../web/figures/chooser/element.js";
import type { Costs } from "../../web/figures/costs/element.js";
import type { DecodingForms } from "../../web/figures/decoding-forms/element.js";
import type { DistanceBias } from "../../web/figures/distance-bias/element.js";
import type { DistanceCurve } from "../../web/figures/distance-curve/element.js";
import type { LengthCurves } from "../../web/figures/length-curves/element.js";
import type { LongerReading } from "../../web/figures/longer-reading/element.js";
import type { RealHeads } from "../../web/figures/real-heads/element.js";
import type { SchemeGallery } from "../../web/figures/scheme-gallery/element.js";
import type { ScoreTerms } from "../../web/figures/score-terms/element.js";
import type { Stretch } from "../../web/figures/stretch/element.js";
import type { SurgeryFigure } from "../../web/figures/surgery/element.js";
import type { TrainShort } from "../../web/figures/train-short/element.js";
import type { TurningPairs } from "../../web/figures/turning-pairs/element.js";
import type { WhoChases } from "../../web/figures/who-chases/element.js";
import type { WordSwap } from "../../web/figures/word-swap/element.js";

declare const plain: [
  WordSwap,
  WhoChases,
  CausalOrder,
  SchemeGallery,
  TurningPairs,
  Stretch,
  CacheBytes,
  Absorption,
  DecodingForms,
  Costs,
];
export const figures: FigureElement[] = plain;
declare const ofModels: [
  AddedPosition,
  DistanceBias,
  LongerReading,
  Chooser,
  RealHeads,
  ScoreTerms,
  DistanceCurve,
  SurgeryFigure,
  TrainShort,
  LengthCurves,
];
export const figuresOfModels: ModelsFigureElement[] = ofModels;

const heads: ModelsFigureElement | null = document.querySelector("wf-real-heads");
// @ts-expect-error: this one needs no models
const chases: ModelsFigureElement | null = document.querySelector("wf-who-chases");
const attributes: FigureAttributes["wf-surgery"] = { models: "models/" };
export const used = [heads, chases, attributes];
