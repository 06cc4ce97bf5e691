/** Controls of a bend, and the loss under it. */
import { html, nothing } from "lit";
import { numbered } from "../../controls/choice.js";
import { blindScheme, type RemapMethod, remapMethods, sightedScheme } from "../../defaults.js";
import type {
  CheckpointBend,
  LayerTypeFacts,
  LossAnswer,
  OpenedModel,
} from "../../engine/both/checkpoint-messages.js";
import type { OpenWords } from "./words.js";
import "../../controls/choice.js";
import "../../controls/pick.js";
import "../../controls/slider.js";

/** The reader's settings; undefined for the model's own values. */
export interface BendSettings {
  positions: CheckpointBend["positions"];
  base: number | undefined;
  method: string | undefined;
  factor: number;
  /** Other positions for keys from `window` tokens on, and how many of them become one. */
  remap: RemapMethod | undefined;
  window: number;
  group: number;
  first: number;
  last: number;
}

export const unbent = ({ numLayers }: LayerTypeFacts): BendSettings => ({
  positions: "trained",
  base: undefined,
  method: undefined,
  factor: 2,
  remap: undefined,
  window: 64,
  group: 4,
  first: 0,
  last: numLayers - 1,
});

/** Methods that need a factor. */
const stretches = ["linear", "ntk", "yarn", "llama3"];

/** Returns the bend in force: undefined if nothing is changed. */
export function bendIn(
  settings: BendSettings,
  { rotary }: LayerTypeFacts,
): CheckpointBend | undefined {
  const { positions, base, method, factor, remap, window, group, first, last } = settings;
  const isTrained = [base, method, remap].every((one) => one === undefined);
  if (positions === "trained" && isTrained) return undefined;
  return {
    positions,
    factor,
    length: rotary?.length || 2048,
    first,
    last,
    ...(base !== undefined && { base }),
    ...(method !== undefined && { method }),
    ...(remap !== undefined && { remap: `${remap}:${window}`, group }),
  };
}

/** Methods that make one position of several. */
const grouping: readonly (RemapMethod | undefined)[] = ["leaky_rerope", "self_extend"];

/** Limits of the slider, as powers of ten. */
const smallest = 1;
const largest = 8;

const rounded = (value: number): number => Number(value.toPrecision(3));

interface BendPanel {
  model: OpenedModel;
  settings: BendSettings;
  loss: LossAnswer | undefined;
  words: OpenWords;
  change: (part: Partial<BendSettings>) => void;
}

type Value<T> = CustomEvent<T>;

const layerTypeIn = ({ model }: BendPanel): LayerTypeFacts => model.decoder ?? model;

function rotaryControls(panel: BendPanel) {
  const { settings, words: all, change } = panel;
  const words = all.bend;
  const { base, method, factor } = settings;
  const trained = layerTypeIn(panel).rotary!.base;
  const shown = base ?? trained;
  const methods = ["trained", "default", ...stretches];
  return html`<wf-slider
      class="base"
      .label=${words.base}
      .min=${smallest}
      .max=${Math.max(largest, Math.ceil(Math.log10(trained)))}
      .step=${"0.05"}
      .value=${Math.log10(shown)}
      .text=${words.baseText(rounded(shown))}
      @wf-change=${(event: Value<number>) => change({ base: rounded(10 ** event.detail) })}
    ></wf-slider>
    <wf-choice
      class="method"
      .label=${words.method}
      .value=${method ?? "trained"}
      .options=${methods.map((value) => ({ value, text: words.methods[value]! }))}
      @wf-change=${(event: Value<string>) =>
        change({ method: event.detail === "trained" ? undefined : event.detail })}
    ></wf-choice>
    ${
      method !== undefined && stretches.includes(method)
        ? html`<wf-slider
            class="factor"
            .label=${words.factor}
            .min=${1}
            .max=${16}
            .step=${"0.5"}
            .value=${factor}
            .text=${words.factorText(factor)}
            @wf-change=${(event: Value<number>) => change({ factor: event.detail })}
          ></wf-slider>`
        : nothing
    }`;
}

/** A slider on powers of two. */
function powers(
  name: string,
  label: string,
  value: number,
  [min, max]: readonly [number, number],
  text: string,
  change: (value: number) => void,
) {
  return html`<wf-slider
    class=${name}
    .label=${label}
    .min=${min}
    .max=${max}
    .step=${"1"}
    .value=${Math.log2(value)}
    .text=${text}
    @wf-change=${(event: Value<number>) => change(2 ** event.detail)}
  ></wf-slider>`;
}

function remapControls(panel: BendPanel) {
  const { settings, words: all, change } = panel;
  const words = all.bend;
  const { remap, window, group } = settings;
  // Only this scheme can be remapped.
  if (!layerTypeIn(panel).schemes.includes(sightedScheme)) return nothing;
  const options = [undefined, ...remapMethods].map((value) => ({
    value: value ?? "trained",
    text: value ? words.remaps[value]! : words.methods["trained"]!,
  }));
  return html`<wf-choice
      class="remap"
      .label=${words.remap}
      .value=${remap ?? "trained"}
      .options=${options}
      @wf-change=${({ detail }: Value<string>) =>
        change({ remap: remapMethods.find((one) => one === detail) })}
    ></wf-choice>
    ${
      remap &&
      powers("window", words.window, window, [1, 12], words.windowText(window), (value) =>
        change({ window: value }),
      )
    }
    ${
      grouping.includes(remap)
        ? powers("group", words.group, group, [1, 6], words.groupText(group), (value) =>
            change({ group: value }),
          )
        : nothing
    }`;
}

function layerControls(panel: BendPanel) {
  const { settings, words: all, change } = panel;
  const { bendsByLayer, numLayers } = layerTypeIn(panel);
  const words = all.bend;
  const { first, last } = settings;
  if (!bendsByLayer || numLayers < 2) return nothing;
  const numbers = numbered(numLayers).map(({ text }) => text);
  return html`<div class="layers">
    <span>${words.from}</span>
    <wf-pick
      class="first"
      .label=${words.from}
      .words=${numbers}
      .value=${first}
      @wf-change=${({ detail }: Value<number>) =>
        change({ first: detail, last: Math.max(detail, last) })}
    ></wf-pick>
    <span>${words.to}</span>
    <wf-pick
      class="last"
      .label=${words.to}
      .words=${numbers}
      .value=${last}
      @wf-change=${({ detail }: Value<number>) =>
        change({ last: detail, first: Math.min(detail, first) })}
    ></wf-pick>
  </div>`;
}

export function bendPanel(panel: BendPanel) {
  const { model, settings, loss, words: all, change } = panel;
  const words = all.bend;
  const layerType = layerTypeIn(panel);
  const heading = html`<h4>${words.title}</h4>
    ${model.decoder ? html`<p class="soft">${words.decoder}</p>` : nothing}`;
  if (!layerType.schemes.some((id) => id !== blindScheme))
    return html`${heading}<p class="soft">${words.nothing}</p>`;
  const isBent = bendIn(settings, layerType) !== undefined;
  return html`${heading}
    <wf-choice
      class="positions"
      .label=${words.positions}
      .value=${settings.positions}
      .options=${Object.entries(words.kinds).map(([value, text]) => ({ value, text }))}
      @wf-change=${({ detail }: Value<BendSettings["positions"]>) => change({ positions: detail })}
    ></wf-choice>
    ${
      !layerType.rotary
        ? html`<p class="soft">${words.noRotary}</p>`
        : settings.positions === "none"
          ? nothing
          : [rotaryControls(panel), remapControls(panel)]
    }
    ${layerControls(panel)}
    ${
      loss
        ? html`<p class="cost" role="status"
            >${
              loss.now
                ? words.lossNow(loss.trained.mean, loss.now.mean)
                : words.lossTrained(loss.trained.mean)
            }</p
          >`
        : nothing
    }
    <button class="reset" ?hidden=${!isBent} @click=${() => change(unbent(layerType))}>
      ${words.reset}
    </button>`;
}
