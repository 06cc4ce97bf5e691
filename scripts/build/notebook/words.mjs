// Texts of the page on notebooks.

const install = "pip install whereformer";

const first = `import whereformer as wf

outputs = model(**inputs, output_attentions=True)
w = wf.attention_map(outputs.attentions, inputs, tokenizer=tokenizer)
w`;

/** Comments in the code are in the page's language. */
const both = ([changes, chosen]) => `# ${changes}
w.head = 3

# ${chosen}
w.observe(print, names="head")

w.picked  # {'row': 5, 'column': 2, 'value': 0.31, …}
w.save("map.svg")`;

/** By function, the calls that are shown. */
const functions = {
  attention_map: ["attention_map(attn, tokens, layer=0, head=0)"],
  heads: ["heads(attn)", 'heads(measures={"score": …})'],
  layers: ["layers(attn)", 'layers({"loss": …})'],
  logit_terms: ['logit_terms({"content": …, "position": …}, tokens)'],
  encoding: ["encoding(values)", "encoding(scheme=…)"],
  bias_by_distance: ["bias_by_distance(curves)", "bias_by_distance(scheme=…)"],
  rotation: ["rotation(model)", "rotation(base=500_000, dim=128)"],
  length_curves: ['length_curves({"RoPE": …}, lengths, trained=512)'],
  figure: ['figure("who-chases", text="…")'],
};

export const words = {
  en: {
    lang: "en",
    other: { lang: "zh-Hans", name: "中文" },
    title: "In a notebook",
    elements: "Elements",
    guide: "The guide",
    install,
    first,
    both: both(["the picture changes", "the reader has chosen a head"]),
    functions,
    opening: [
      "Attention weights from PyTorch, JAX or NumPy as a map that you zoom into, in JupyterLab, Notebook 7, VS Code, Colab and marimo. It takes `outputs.attentions` of Transformers as it is. Only what is in view travels to the browser: dozens of heads of 4,096 tokens cost no more than one.",
      "Everything is in the package; nothing is loaded from elsewhere. The figure follows the notebook’s light or dark theme.",
    ],
    live: "This is the figure that the second cell shows, here with numbers of this page:",
    ways: "Both ways",
    waysText:
      "Each property of a figure is a trait: Python changes the picture, and the picture changes Python. Pictures for papers and for pages without a kernel are drawn by the same code, with Node.js.",
    more: "All functions",
    columns: ["Function", "Shows"],
    shows: {
      attention_map: "one head, and all heads of its layer to choose from",
      heads: "all heads of a model: small maps, and dots by two measures",
      layers: "a measure by layer: entropy, distance, a loss of one’s own",
      logit_terms: "the scores of one query as sums of terms",
      encoding: "what positions add to token vectors",
      bias_by_distance: "what distance adds to scores",
      rotation: "where the pairs of a rotary head point",
      length_curves: "loss by the length of the text",
      figure: "any element, by its name",
    },
  },
  zh: {
    lang: "zh-Hans",
    other: { lang: "en", name: "English" },
    title: "在 notebook 里使用",
    elements: "自定义元素",
    guide: "指南（英文）",
    install,
    first,
    both: both(["图跟着变", "读者在图上选了一个头时调用"]),
    functions,
    opening: [
      "把 PyTorch、JAX 或 NumPy 的注意力权重画成可以缩放的图，适用于 JupyterLab、Notebook 7、VS Code、Colab 和 marimo。Transformers 的 `outputs.attentions` 直接传入即可。只有视野内的数才会传到浏览器：几十个 4,096 词元的头，开销与一个头相同。",
      "所需的一切都在包里，不从别处加载任何东西。明暗跟随 notebook 的主题。",
    ],
    live: "第二个单元格显示的就是这张图，这里用的是本页自带的数：",
    ways: "双向联动",
    waysText:
      "图的每个属性都与 Python 联动（trait）：在 Python 里改，图跟着变；在图上选，Python 里也跟着变。论文里的图，以及没有内核的页面上的图，由同一份代码用 Node.js 画出。",
    more: "全部函数",
    columns: ["函数", "画什么"],
    shows: {
      attention_map: "一个头的注意力，并可在同层各头之间挑选",
      heads: "一个模型的所有头：小图，以及按两个量排布的点",
      layers: "某个量逐层怎样变化：熵、距离，或自己的损失",
      logit_terms: "一个查询的得分由哪些分项相加而成",
      encoding: "位置往词元向量上加了什么",
      bias_by_distance: "距离给得分加了什么",
      rotation: "旋转位置编码的各对通道指向哪里",
      length_curves: "损失随文本长度的变化",
      figure: "任意一个元素，按名称选用",
    },
  },
};
