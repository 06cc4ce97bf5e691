import { mount } from "svelte";
import Bias from "./Bias.svelte";

mount(Bias, { target: document.getElementById("app") });
