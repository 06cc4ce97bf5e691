/** Importing this file defines every element, for this page or for any other. */
import "./controls/bar.js";
import "./figures/who-chases/element.js";
import "./figures/word-swap/element.js";
import "./figures/causal-order/element.js";
import "./figures/scheme-gallery/element.js";
import "./figures/scheme-gallery/alone.js";
import "./figures/added-position/element.js";
import "./figures/distance-bias/element.js";
import "./figures/turning-pairs/element.js";
import "./figures/real-heads/element.js";
import "./figures/score-terms/element.js";
import "./figures/distance-curve/element.js";
import "./figures/surgery/element.js";
import "./figures/train-short/element.js";
import "./figures/length-curves/element.js";
import "./figures/costs/element.js";
import "./host-tokens.js";
