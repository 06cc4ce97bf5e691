/** Controls of a bend, and the loss under it. */
import { html, nothing } from "lit";
import { numbered } from "../../controls/choice.js";
import { blindScheme } from "../../defaults.js";
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
  first: number;
  last: number;
}

export const unbent = ({ numLayers }: LayerTypeFacts): BendSettings => ({
  positions: "trained",
  base: undefined,
  method: undefined,
  factor: 2,
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
  const { positions, base, method, factor, first, last } = settings;
  if (positions === "trained" && base === undefined && method === undefined) return undefined;
  return {
    positions,
    factor,
    length: rotary?.length || 2048,
    first,
    last,
    ...(base !== undefined && { base }),
    ...(method !== undefined && { method }),
  };
}

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
          : rotaryControls(panel)
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
