// Texts of the page of the elements, beside those from custom-elements.json.

const install = `npm install whereformer lit

<script type="module">
  import "whereformer/elements/who-chases"; // one; "whereformer/elements" has all
</script>
<wf-who-chases></wf-who-chases>`;

export const words = {
  en: {
    lang: "en",
    other: { lang: "zh-Hans", name: "中文" },
    title: "Elements",
    reference: "Reference and guides",
    examples: "Examples",
    notebook: "In a notebook",
    install,
    opening: [
      "Every figure of the article is a custom element for your page. It brings its engine in a worker of its own, speaks the language of the nearest `lang` around it, is as wide as its column, follows light and dark, and sleeps off screen.",
      "Attributes and properties say what it shows, from the start and later. Each element has a state of its own; those with the same `group` share one. When a reader changes something, the element fires `wf-change`.",
    ],
    common: "What every element has",
    all: "Attributes, properties, events, parts",
    columns: {
      attribute: "Attribute",
      property: "Property",
      readonly: "Property, to be read",
      type: "Type",
      what: "What it is",
      event: "Event",
      part: "Part",
      custom: "Custom property",
    },
  },
  zh: {
    lang: "zh-Hans",
    other: { lang: "en", name: "English" },
    title: "自定义元素",
    reference: "参考与指南（英文）",
    examples: "示例（英文）",
    notebook: "在 notebook 里使用",
    install,
    opening: [
      "文章里的每张图都是一个自定义元素，可以直接放进你的页面。它在自己的 worker 里带着引擎，语言跟随外层最近的 `lang`，宽度等于所在的栏，随系统切换明暗，滚出屏幕就休眠。",
      "显示什么由属性决定，一开始写上或之后再改都行。每个元素各有自己的状态；`group` 相同的共用一份。读者改动时，元素触发 `wf-change`。",
    ],
    common: "每个元素都有的",
    all: "属性、事件与部件",
    columns: {
      attribute: "HTML 属性",
      property: "JS 属性",
      readonly: "只读的 JS 属性",
      type: "类型",
      what: "说明",
      event: "事件",
      part: "部件（part）",
      custom: "CSS 自定义属性",
    },
  },
};
