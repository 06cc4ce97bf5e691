import { createApp } from "vue";
import Bias from "./Bias.vue";

createApp(Bias).mount("#app");
