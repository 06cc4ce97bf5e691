// Loads the training code into the engines that a file's tests share.

import { load } from "../../dist/index.js";
import { variants } from "./golden.mjs";

await Promise.all(variants.map((variant) => load({ variant, training: true })));
