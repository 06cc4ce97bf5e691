// Elements that only templates of the page use, for querySelector and the check of templates. The
// figures are in bindings/ts/elements.d.ts.

import type { Bar } from "./controls/bar.js";
import type { BarList } from "./controls/bar-list.js";
import type { Choice } from "./controls/choice.js";
import type { MapOverview } from "./controls/map-overview.js";
import type { MapView } from "./controls/map-view.js";
import type { Pick } from "./controls/pick.js";
import type { Scale } from "./controls/scale.js";
import type { SceneView } from "./controls/scene-view.js";
import type { Scrub } from "./controls/scrub.js";
import type { Several } from "./controls/several.js";
import type { Slider } from "./controls/slider.js";
import type { TextLine } from "./controls/text-line.js";
import type { FormulaField } from "./figures/formula/formula-field.js";
import type { SchemeCard } from "./figures/scheme-gallery/card.js";
import type { FormulaCard } from "./figures/scheme-gallery/formula-card.js";
import type { OptionForm } from "./figures/scheme-gallery/option-form.js";
import type { SchemePortrait } from "./figures/scheme-gallery/portrait.js";
import type { TakeawayLine } from "./figures/shared/exports/takeaway.js";
import type { Frame } from "./figures/shared/figure/frame.js";
import type { LoadFailed } from "./figures/shared/figure/load-failed.js";
import type { ModelSourcePanel } from "./figures/shared/opened/source-panel.js";

declare global {
  interface HTMLElementTagNameMap {
    "wf-bar": Bar;
    "wf-bar-list": BarList;
    "wf-choice": Choice;
    "wf-formula-field": FormulaField;
    "wf-frame": Frame;
    "wf-map-overview": MapOverview;
    "wf-map-view": MapView;
    "wf-model-source": ModelSourcePanel;
    "wf-load-failed": LoadFailed;
    "wf-option-form": OptionForm;
    "wf-pick": Pick;
    "wf-scale": Scale;
    "wf-scene": SceneView;
    "wf-formula-card": FormulaCard;
    "wf-scheme-card": SchemeCard;
    "wf-scheme-portrait": SchemePortrait;
    "wf-scrub": Scrub;
    "wf-several": Several;
    "wf-slider": Slider;
    "wf-takeaway": TakeawayLine;
    "wf-text-line": TextLine;
  }
}
