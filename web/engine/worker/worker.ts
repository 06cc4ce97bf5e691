/** The worker of elements on other people's pages. */
import { serve } from "./serve.js";

serve();
