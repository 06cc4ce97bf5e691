/** `<wf-option-form>`: the options of a scheme as controls, built from its description; fires `wf-change` with all values. */
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { SchemeOption } from "whereformer";
import { type OptionValue, type OptionValues, placeOf, valueAt } from "../engine/scheme-options.js";
import { page } from "../state.js";
import { textFor } from "../text/index.js";
import { inline } from "../text/inline.js";
import { quiet } from "./shared-styles.js";
import "./choice.js";

/** Options under one name, `ropeScaling` of `ropeScaling.factor`; "" holds those that stand alone. */
function groupsOf(options: readonly SchemeOption[]): Map<string, SchemeOption[]> {
  const groups = new Map<string, SchemeOption[]>();
  for (const option of options) {
    const group = option.key.includes(".") ? option.key.slice(0, option.key.lastIndexOf(".")) : "";
    groups.set(group, [...(groups.get(group) ?? []), option]);
  }
  return groups;
}

export class OptionForm extends LitElement {
  static override properties = {
    options: { attribute: false },
    values: { attribute: false },
    help: { attribute: false },
    language: {},
  };

  declare options: readonly SchemeOption[];
  /** Those that differ from their defaults. */
  declare values: OptionValues;
  declare help: Record<string, string>;
  declare language: string;

  static override styles = [
    quiet,
    css`
      .options {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr));
        gap: 1.1rem 2.4rem;
      }

      fieldset {
        min-width: 0;
        margin: 1.2rem 0 0;
        padding: 0.2rem 0 0 1rem;
        border: 0;
        border-inline-start: 1px solid var(--wf-hair);
      }

      fieldset legend {
        padding: 0;
        font: 13px / 1.6 var(--wf-mono);
      }

      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 0.9em;
        min-height: 36px;
      }

      .key {
        font: 13px / 1.6 var(--wf-mono);
      }

      .help {
        margin: 0;
        color: var(--wf-soft);
        font-size: 13px;
        line-height: 1.5;
        text-wrap: pretty;
      }

      :host(:lang(zh)) .help {
        line-height: 1.7;
      }

      .help code {
        font: 0.92em var(--wf-mono);
      }

      input[type="range"] {
        flex: 1 1 7em;
        min-width: 5em;
        height: 30px;
        accent-color: var(--wf-ink);
        cursor: pointer;
      }

      input[type="number"] {
        width: 6.2em;
        padding: 0.25em 0;
        border-bottom: 1px solid var(--wf-soft);
        text-align: end;
        appearance: textfield;
      }

      input[type="checkbox"] {
        width: 20px;
        height: 20px;
        accent-color: var(--wf-ink);
        cursor: pointer;
      }

      label.line {
        cursor: pointer;
      }

      select {
        max-width: 100%;
        padding: 0.4em 0.1em;
        border-bottom: 1px solid var(--wf-soft);
        cursor: pointer;
      }

      select option {
        background: var(--wf-paper);
        color: var(--wf-ink);
      }

      button.defaults {
        min-height: 36px;
        margin-top: 0.6rem;
        text-decoration: underline;
        text-decoration-color: var(--wf-soft);
        text-decoration-thickness: 1px;
        text-underline-offset: 0.3em;
      }

      @media (pointer: coarse) {
        .line,
        button.defaults {
          min-height: 44px;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.options = [];
    this.values = {};
    this.help = {};
    this.language = "";
  }

  #tell(values: OptionValues): void {
    this.dispatchEvent(
      new CustomEvent("wf-change", { detail: values, bubbles: true, composed: true }),
    );
  }

  #set(option: SchemeOption, value: OptionValue): void {
    this.#tell({ ...this.values, [option.key]: value });
  }

  #type(option: SchemeOption, event: Event): void {
    const field = event.target as HTMLInputElement;
    if (field.value !== "" && field.checkValidity()) this.#set(option, Number(field.value));
  }

  #boolean(option: SchemeOption, value: OptionValue) {
    const turn = (event: Event) => this.#set(option, (event.target as HTMLInputElement).checked);
    return html`<label class="line">
      <input type="checkbox" .checked=${live(value === true)} @change=${turn} />
      <span class="key" lang="en" translate="no">${option.key}</span>
    </label>`;
  }

  #number(option: SchemeOption, value: OptionValue) {
    const words = textFor(page.state.language).gallery;
    const slide = (event: Event) =>
      this.#set(option, valueAt(option, Number((event.target as HTMLInputElement).value)));
    return html`<div class="line">
      <span class="key" lang="en" translate="no">${option.key}</span>
      <input
        type="range"
        min="0"
        max="100"
        aria-label=${words.slider(option.key)}
        aria-valuetext=${String(value)}
        .value=${live(String(placeOf(option, Number(value))))}
        @input=${slide}
      />
      <input
        type="number"
        aria-label=${option.key}
        min=${option.minimum ?? nothing}
        max=${option.maximum ?? nothing}
        step=${option.kind === "integer" ? "1" : "any"}
        .value=${live(String(value))}
        @change=${(event: Event) => this.#type(option, event)}
      />
    </div>`;
  }

  #choice(option: SchemeOption, value: OptionValue) {
    const choose = (event: Event) => this.#set(option, (event.target as HTMLSelectElement).value);
    return html`<div class="line">
      <span class="key" lang="en" translate="no">${option.key}</span>
      <select aria-label=${option.key} .value=${live(String(value))} @change=${choose}>
        ${option.choices?.map(
          (word) => html`<option value=${word} ?selected=${word === value}>${word}</option>`,
        )}
      </select>
    </div>`;
  }

  /** Kinds that have no control of their own (lists, say) are shown as they are. */
  #control(option: SchemeOption): TemplateResult {
    const value = this.values[option.key] ?? option.default;
    switch (option.kind) {
      case "boolean":
        return this.#boolean(option, value);
      case "integer":
      case "number":
        return this.#number(option, value);
      case "choice":
        return this.#choice(option, value);
    }
    return html`<div class="line">
      <span class="key" lang="en" translate="no">${(option as SchemeOption).key}</span>
      <span>${String(value) || textFor(page.state.language).gallery.empty}</span>
    </div>`;
  }

  #option = (option: SchemeOption) => html`<div class="option">
    ${this.#control(option)}
    ${this.help[option.key] ? html`<p class="help">${inline(this.help[option.key]!)}</p>` : nothing}
  </div>`;

  protected override render() {
    if (!this.options.length) return nothing;
    const words = textFor(page.state.language).gallery;
    const isChanged = Object.keys(this.values).length > 0;
    return html`${[...groupsOf(this.options)].map(([group, options]) =>
      group
        ? html`<fieldset>
            <legend lang="en" translate="no">${group}</legend>
            <div class="options">${options.map(this.#option)}</div>
          </fieldset>`
        : html`<div class="options">${options.map(this.#option)}</div>`,
    )}
    ${
      isChanged
        ? html`<button class="defaults" @click=${() => this.#tell({})}>${words.defaults}</button>`
        : nothing
    }`;
  }
}

customElements.define("wf-option-form", OptionForm);
