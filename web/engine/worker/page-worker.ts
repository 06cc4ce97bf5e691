/** The worker of the site, whose first figure is answered before the whole engine has loaded. */
import { loadFirstEngine } from "whereformer/first-engine";
import { serve } from "./serve.js";

serve(loadFirstEngine);
