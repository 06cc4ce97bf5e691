/** Importing this file defines every element of the page. */
import "./controls/bar.js";
import "./figures/who-chases.js";
import "./figures/causal-order.js";
import "./figures/real-heads.js";
import "./figures/score-terms.js";
import "./figures/distance-curve.js";
