/**
 * `<wf-option-form>`: the options of a scheme as controls, built from its description; fires
 * `wf-change` with all values.
 */
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { SchemeOption } from "whereformer";
import { define } from "../../define.js";
import {
  isList,
  type OptionValue,
  type OptionValues,
  readOption,
  sliderPosition,
  valueAt,
} from "../../engine/both/scheme-options.js";
import { languageOf } from "../../language-of.js";
import { wordsIn } from "../../text/index.js";
import { inline } from "../../text/inline.js";
import { formStyles } from "./option-form-styles.js";
import { nameOfOption } from "./option-name.js";
import { galleryWords } from "./words.js";
import "../../controls/choice.js";

/** Groups options by name, `ropeScaling` for `ropeScaling.factor`; "" has those without a group. */
function groupsOf(options: readonly SchemeOption[]): Map<string, SchemeOption[]> {
  const groups = new Map<string, SchemeOption[]>();
  for (const option of options) {
    const group = option.key.includes(".") ? option.key.slice(0, option.key.lastIndexOf(".")) : "";
    groups.set(group, [...(groups.get(group) ?? []), option]);
  }
  return groups;
}

/** Maximum number of options that are all in view; fewer in a short form. */
const maxInView = { usual: 8, short: 3 };
/** Returns how many of more options are in view: of those without a group, or of one group. */
const inView = (group: string, isShort: boolean): number =>
  isShort ? (group ? 0 : 2) : group ? 2 : 4;

/** Returns the key without its group, which is named above. */
const shortKey = ({ key }: SchemeOption): string => key.slice(key.lastIndexOf(".") + 1);

export class OptionForm extends LitElement {
  static override properties = {
    scheme: {},
    options: { attribute: false },
    values: { attribute: false },
    help: { attribute: false },
    isShort: { attribute: false },
    language: {},
  };

  /** Id of the scheme to which the options belong. */
  declare scheme: string;
  declare options: readonly SchemeOption[];
  /** Values that differ from their defaults. */
  declare values: OptionValues;
  declare help: Record<string, string>;
  /** True on a narrow page, on which each option takes many lines. */
  declare isShort: boolean;
  declare language: string;

  static override styles = formStyles;

  constructor() {
    super();
    this.scheme = "";
    this.options = [];
    this.values = {};
    this.help = {};
    this.isShort = false;
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

  #nameOf({ key }: SchemeOption): string | undefined {
    return nameOfOption(languageOf(this), this.scheme, key);
  }

  /** Returns an option's name, if it has one, and its key. */
  #named(option: SchemeOption) {
    const name = this.#nameOf(option);
    const key = html`<span class="key" lang="en" translate="no">${shortKey(option)}</span>`;
    return name ? html`<span class="named">${name} ${key}</span>` : key;
  }

  /** Returns an option's name and key, for a screen reader. */
  #label(option: SchemeOption): string {
    const name = this.#nameOf(option);
    return name ? `${name}, ${option.key}` : option.key;
  }

  #boolean(option: SchemeOption, value: OptionValue) {
    const toggle = (event: Event) => this.#set(option, (event.target as HTMLInputElement).checked);
    return html`<label class="line">
      <input type="checkbox" .checked=${live(value === true)} @change=${toggle} />
      ${this.#named(option)}
    </label>`;
  }

  #number(option: SchemeOption, value: OptionValue) {
    const words = wordsIn(languageOf(this), galleryWords);
    const slide = (event: Event) =>
      this.#set(option, valueAt(option, Number((event.target as HTMLInputElement).value)));
    return html`<div class="line">
      ${this.#named(option)}
      <span class="value">
        <input
          type="range"
          min="0"
          max="100"
          aria-label=${words.slider(this.#label(option))}
          aria-valuetext=${String(value)}
          .value=${live(String(sliderPosition(option, Number(value))))}
          @input=${slide}
        />
        <input
          type="number"
          aria-label=${this.#label(option)}
          min=${option.minimum ?? nothing}
          max=${option.maximum ?? nothing}
          .step=${option.kind === "integer" ? "1" : "any"}
          .value=${live(String(value))}
          @change=${(event: Event) => this.#type(option, event)}
        />
      </span>
    </div>`;
  }

  #choice(option: SchemeOption, value: OptionValue) {
    const choose = (event: Event) => this.#set(option, (event.target as HTMLSelectElement).value);
    return html`<div class="line">
      ${this.#named(option)}
      <select aria-label=${this.#label(option)} .value=${live(String(value))} @change=${choose}>
        ${option.choices?.map(
          (word) => html`<option value=${word} ?selected=${word === value}>${word}</option>`,
        )}
      </select>
    </div>`;
  }

  /** Returns a field for numbers separated by commas. */
  #list(option: SchemeOption, value: OptionValue) {
    const write = (event: Event) => {
      const field = event.target as HTMLInputElement;
      const list = readOption(option, field.value);
      if (list === undefined) field.value = String(value);
      else this.#set(option, list);
    };
    return html`<div class="line">
      ${this.#named(option)}
      <input
        type="text"
        inputmode="decimal"
        autocomplete="off"
        aria-label=${this.#label(option)}
        placeholder="1, 1.5, …"
        .value=${live((value as number[]).join(", "))}
        @change=${write}
      />
    </div>`;
  }

  /** Returns the control of an option; kinds without one show their value. */
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
    if (isList(option)) return this.#list(option, value);
    return html`<div class="line">
      ${this.#named(option)}
      <span>${String(value) || wordsIn(languageOf(this), galleryWords).empty}</span>
    </div>`;
  }

  #option = (option: SchemeOption) => {
    const help = this.help[option.key];
    return html`<div class="option">
      ${this.#control(option)} ${help ? html`<p class="help">${inline(help)}</p>` : nothing}
    </div>`;
  };

  /** Returns the options of a group, or some of them. */
  #group(group: string, options: readonly SchemeOption[]) {
    if (!options.length) return nothing;
    const list = html`<div class="options">${options.map(this.#option)}</div>`;
    return group
      ? html`<fieldset>
          <legend lang="en" translate="no">${group}</legend>
          ${list}
        </fieldset>`
      : list;
  }

  /** Returns the options that are not in view, folded. */
  #rest(groups: readonly [string, SchemeOption[]][]) {
    const restOf = ([group, options]: [string, SchemeOption[]]) =>
      options.slice(inView(group, this.isShort));
    const rest = groups.flatMap(restOf);
    // Options changed by a link are in view.
    const isChanged = rest.some(({ key }) => key in this.values);
    return html`<details ?open=${isChanged}>
      <summary>${wordsIn(languageOf(this), galleryWords).allOptions(rest.length)}</summary>
      ${groups.map((one) => this.#group(one[0], restOf(one)))}
    </details>`;
  }

  protected override render() {
    if (!this.options.length) return nothing;
    const words = wordsIn(languageOf(this), galleryWords);
    const isChanged = Object.keys(this.values).length > 0;
    const groups = [...groupsOf(this.options)];
    const isLong = this.options.length > maxInView[this.isShort ? "short" : "usual"];
    return html`${groups.map(([group, options]) =>
      this.#group(group, isLong ? options.slice(0, inView(group, this.isShort)) : options),
    )}
    ${isLong ? this.#rest(groups) : nothing}
    ${
      isChanged
        ? html`<button class="defaults" @click=${() => this.#tell({})}>${words.defaults}</button>`
        : nothing
    }`;
  }
}

define("wf-option-form", OptionForm);
