// Texts of the schemes' pages around those of docs/schemes, in both languages.

const million = (count) => (count / 1e6).toFixed(2);
const tenThousand = (count) => Math.round(count / 1e4);

const en = {
  lang: "en",
  locale: "en_US",
  other: { code: "zh", lang: "zh-Hans", name: "中文" },
  home: "The article",
  all: "All schemes",
  skip: "Skip to the text",
  bar: "Site",
  contents: "On this page",
  // The title has the common search terms, after the scheme's name here.
  kinds: {
    none: "a transformer without positions",
    absolute: "absolute positional encoding",
    relative: "relative positional encoding",
    rotary: "rotary positional encoding",
    latent: "rotary positions in latent attention",
    grid: "positional encoding for pictures",
  },
  pageTitle: (title, kind) => `${title}: ${kind} · Whereformer`,
  facts: {
    acts: "Acts on",
    learns: "Learned for positions",
    shift: "Shifting all positions",
    ends: "Distances",
    decodes: "KV cache",
    both: "Without a causal mask",
    paper: "Paper",
    nothing: "nothing",
    sockets: { word: "token vectors", rotation: "queries and keys", bias: "the score" },
    output: "the output",
    numbers: (count, { numHeads, headDim, numLayers }) =>
      `${count} numbers (${numLayers} layers, ${numHeads} heads of ${headDim} channels)`,
    unchanged: "changes no score",
    changed: "changes scores",
    endless: "defined however far",
    ending: "end somewhere; farther out there is no answer",
    cached: "works",
    uncached: "does not work",
    works: "works",
    broken: "does not work",
    and: ", ",
  },
  parts: {
    formula: "Formula",
    logit: "What it does to a logit",
    try: "Try it",
    trained: "What a trained model does with it",
    options: "Options",
    pitfalls: "Conventions and pitfalls",
    cost: "Cost",
    extrapolation: "Beyond the trained length",
    users: "Who uses it",
    sources: "Sources",
    related: "Next to it",
    variants: "Its variants",
    steps: "Step by step",
    numbers: "In numbers",
  },
  models: "What every model does, layer by layer",
  variantsAbout: "Each has a page: formula, derivation, who uses it, pitfalls.",
  variant: {
    kind: (title) => `Variant of ${title}`,
    anyScheme: "Part of attention, with any scheme",
    writtenScheme: "A scheme that you write",
    names: (list) => `People also search for: ${list}.`,
    pageTitle: (title) => `${title} · Whereformer`,
    live: "These options in a small untrained model: change them, type a text, point at a cell. It needs JavaScript and is computed in your browser.",
    figure: "A figure to try it in; it needs JavaScript.",
    related: "The variants of the same scheme",
    frequencies: {
      about: (sizes, factor) =>
        `${sizes} Tokens that a pair of channels takes for one turn, from the engine.${factor}`,
      factor: (factor) => ` Cosine and sine are multiplied by ${factor}.`,
      columns: ["Pair", "RoPE", "With it", "Slower by"],
      still: "does not turn",
    },
    slopes: {
      about: (count) => `The slopes of ${count} heads, from the engine.`,
      columns: ["Head", "Slope", "Weight after each step"],
    },
  },
  code: (library) => `In ${library}`,
  terms: (list) => `The engine takes a logit apart into terms; with the default options: ${list}.`,
  onlyContent:
    "The engine takes a logit apart into terms. Here there is one, the content: whatever the scheme does is in it.",
  liveAbout:
    "The scheme in a small untrained model: turn its options, type a text, point at a cell. It needs JavaScript and is computed in your browser.",
  option: { config: "in config.json" },
  optionsAbout: "The default stands in bold; after “=” the key of config.json that means the same.",
  list: "numbers with commas",
  from: (min, max) => `${min} to ${max}`,
  comma: ", ",
  semicolon: "; ",
  space: " ",
  on: "on",
  off: "off",
  noOptions: "None.",
  costOf: (sizes) => `At ${sizes}:`,
  costTable: "What it costs",
  measured: (length) =>
    `Measured, not promised: the model that this project trained with this scheme on windows of ${length} tokens reads held-out text in longer ones. Bits per token, the fewer the better:`,
  window: "Window",
  tokens: (count) => `${count} tokens`,
  languages: { en: "English", zh: "Chinese" },
  notDefined: "not defined",
  trainedAbout: (parameters, seen) =>
    `A model of ${million(parameters)} million parameters, trained once, from one seed, on ${million(seen)} million tokens of the King James Bible and of Tang poems.`,
  trainedScore: (bits, blind) =>
    `On held-out English text it takes ${bits.en} bits per character, on Chinese ${bits.zh}; the same model without positions ${blind.en} and ${blind.zh}.`,
  trainedBlindScore: (bits) =>
    `On held-out English text it takes ${bits.en} bits per character, on Chinese ${bits.zh}.`,
  allHeads: (text) =>
    `All its heads read “${text}” Layers go down, heads across; in each map a row is a token that looks, a column one that is looked at. The further its colour from the page’s own, the larger the share; what is less than 0.03 is left blank.`,
  oneHead: (layer, head, share) =>
    `Layer ${layer}, head ${head}: of all its heads the one that gives most to the token before, ${share} of its attention over the held-out text.`,
  mapLabel: (layer, head) => `Attention map of layer ${layer}, head ${head}`,
  readerText: "Let it read your own text, beside other models",
  pictures: (seeds) =>
    `Small models of two layers, trained to answer questions about pictures of 8 × 8 cells, from ${seeds} seeds. Share of right answers to 1,000 new pictures:`,
  questions: {
    picture_quadrant: "In which quarter is the shape?",
    picture_left: "Which of two shapes is on the left?",
  },
  question: "Question",
  look: {
    picture: "the picture",
    position: "position alone",
    kinds: {
      added: () =>
        "the cosine between the vector that is added there and that of every other cell, less its mean",
      rotated: () =>
        "the score of equal vectors, turned to the two cells, as a share of what it is without a turn, less its mean",
      bias: (head) => `the bias of head ${head} for every cell, less its mean`,
    },
    seen: (row, column, kind) =>
      `Left, a picture as the model of the first seed reads it: the first cell asks in which quarter the shape lies. Right, what position alone says to the framed cell, in row ${row}, column ${column}: ${kind}.`,
    heads:
      "Where the four heads of its last layer look: above from the cell that asks, the only one that was asked anything in training; below from the other framed cell. Each map has a scale of its own, from 0, the colour of the page, to its largest share, which stands under it.",
    pictureLabel: "A picture, and what position alone says about its cells",
    headsLabel: "Attention maps of the last layer’s heads",
    otherCell: "Let another cell look, in the article",
  },
  schemeModels: "with this scheme",
  blindModels: "without positions",
  untrained:
    "No model was trained with it here. The maps in the card above are those of untrained weights.",
  families: (list) =>
    `From a config.json of these model types the package makes this scheme by itself: ${list}.`,
  relatedAbout: "Schemes of the same family, by year.",
  index: {
    title: "Every positional encoding, by family and year",
    pageTitle: "Positional encodings for transformers, by family and year · Whereformer",
    description: (count) =>
      `${count} positional encodings for transformers, each on a page of its own: formula, options, pitfalls, cost, who uses it, and the attention maps of a model trained with it.`,
    standfirst: (count) =>
      `${count} ways to tell a transformer where a word is. Each has a page: formula, options, pitfalls, cost, who uses it, sources, and the maps of a model that was trained with it.`,
    timeline: "By year and idea",
    timelineAbout:
      "From top to bottom by the year of the paper or the first code; each name leads to its page. Vectors for positions came first, then biases by distance, then rotation; since 2023 most new names are ways to stretch a rotation, to thin it out, or to leave it out of some layers.",
    anyIdea: "Any scheme",
    compare: "All schemes compared",
    variants: "Variants",
    variantsOf: (count) =>
      `${count} names that people search for and that are no schemes of their own: ways to stretch or to thin a rotation, slopes, sinks, layers that differ.`,
    columns: ["Scheme", "Year", "Acts on", "Absolute or relative", "Learns", "Who uses it"],
    kinds: {
      none: "neither",
      absolute: "absolute",
      relative: "relative",
      rotary: "absolute in, relative out",
      latent: "absolute in, relative out",
      grid: "of a grid",
    },
    yes: "yes",
    no: "no",
    families: {
      none: ["Nothing", "No position enters; what order there is comes from the mask."],
      absolute: ["Absolute", "A position has a vector, which is added to the token’s."],
      relative: ["Relative", "A score depends on how far apart query and key stand."],
      rotary: ["Rotary", "Queries and keys are turned by an angle that grows with the position."],
      latent: ["Latent", "Keys and values come from one short vector, positions from a slice."],
      grid: ["Grids", "For pictures: a position has a row and a column."],
    },
  },
  footer:
    "Whereformer is free software under the Apache License 2.0. The page sets no cookies and asks no other server for anything.",
};

const zh = {
  lang: "zh-Hans",
  locale: "zh_CN",
  other: { code: "en", lang: "en", name: "English" },
  home: "回到文章",
  all: "全部方案",
  skip: "跳到正文",
  bar: "站点导航",
  contents: "本页内容",
  kinds: {
    none: "不加位置编码的 Transformer",
    absolute: "绝对位置编码",
    relative: "相对位置编码",
    rotary: "旋转位置编码",
    latent: "低秩压缩与解耦 RoPE",
    grid: "用于图片的位置编码",
  },
  pageTitle: (title, kind) =>
    title.includes(kind)
      ? `${title}：公式、选项、陷阱、开销 · Whereformer`
      : `${title}：${kind} · Whereformer`,
  facts: {
    acts: "作用在",
    learns: "为位置训练的参数",
    shift: "位置整体平移",
    ends: "距离",
    decodes: "KV 缓存",
    both: "不加因果掩码",
    paper: "论文",
    nothing: "无",
    sockets: { word: "词元向量", rotation: "查询和键", bias: "得分" },
    output: "输出",
    numbers: (count, { numHeads, headDim, numLayers }) =>
      `${count} 个（${numLayers} 层，${numHeads} 个头，每头 ${headDim} 维）`,
    unchanged: "得分不变",
    changed: "得分会变",
    endless: "再远也有定义",
    ending: "有尽头，再远就没有定义",
    cached: "可用",
    uncached: "不可用",
    works: "可用",
    broken: "不可用",
    and: "、",
  },
  parts: {
    formula: "公式",
    logit: "对得分做了什么",
    try: "动手试试",
    trained: "训练好的模型怎样用它",
    options: "选项",
    pitfalls: "约定与陷阱",
    cost: "开销",
    extrapolation: "超出训练长度",
    users: "谁在用",
    sources: "来源",
    related: "同类方案",
    variants: "它的变体",
    steps: "逐步推导",
    numbers: "看数字",
  },
  models: "各个模型逐层怎么做",
  variantsAbout: "一种一页：公式、推导、谁在用、陷阱。",
  variant: {
    kind: (title) => `${title} 的变体`,
    anyScheme: "属于注意力本身，与哪种方案都能配",
    writtenScheme: "由你来写的方案",
    names: (list) => `也有人这样搜：${list}。`,
    pageTitle: (title) => `${title} · Whereformer`,
    live: "一个小模型用上这些选项，权重未经训练：可以改选项、换文字、指着格子看。全部在你的浏览器里现算，需要 JavaScript。",
    figure: "用这张图动手试；需要 JavaScript。",
    related: "同一方案的变体",
    frequencies: {
      about: (sizes, factor) => `${sizes}每对通道转一圈要多少个词元，由引擎算出。${factor}`,
      factor: (factor) => `余弦和正弦另乘以 ${factor}。`,
      columns: ["第几对", "RoPE", "用上以后", "慢了几倍"],
      still: "不转",
    },
    slopes: {
      about: (count) => `${count} 个头的斜率，由引擎算出。`,
      columns: ["头", "斜率", "每远一步，权重剩下"],
    },
  },
  code: (library) => `用 ${library} 写`,
  terms: (list) => `引擎能把一个得分拆成几个分项；按默认选项是：${list}。`,
  onlyContent: "引擎能把一个得分拆成几个分项；这里只有“内容”一项，方案做的事都在里面。",
  liveAbout:
    "一个小模型用上这种方案，权重未经训练：可以改选项、换文字、指着格子看。全部在你的浏览器里现算，需要 JavaScript。",
  option: { config: "config.json 里的名字" },
  optionsAbout: "粗体是默认值；“=”后面是 config.json 里意义相同的键。",
  list: "一列数，用逗号隔开",
  from: (min, max) => `${min} 到 ${max}`,
  comma: "、",
  semicolon: "；",
  space: "",
  on: "开",
  off: "关",
  noOptions: "无。",
  costOf: (sizes) => `按${sizes}计：`,
  costTable: "开销",
  measured: (length) =>
    `公式不作保证，下面是实测：本项目用这种方案训练过一个模型，训练窗口是 ${length} 个词元；再让它用更长的窗口读留出文本，每词元的比特数如下，越少越好。`,
  window: "窗口",
  tokens: (count) => `${count} 个词元`,
  languages: { en: "英文", zh: "中文" },
  notDefined: "无定义",
  trainedAbout: (parameters, seen) =>
    `模型有 ${tenThousand(parameters)} 万个参数，用英文钦定本《圣经》和唐诗共 ${tenThousand(seen)} 万个词元训练，只训练了一次，只用了一个随机种子。`,
  trainedScore: (bits, blind) =>
    `读留出文本，英文每字符 ${bits.en} 比特，中文 ${bits.zh} 比特；同样的模型不加位置编码，分别是 ${blind.en} 和 ${blind.zh}。`,
  trainedBlindScore: (bits) => `读留出文本，英文每字符 ${bits.en} 比特，中文 ${bits.zh} 比特。`,
  allHeads: (text) =>
    `全部注意力头读“${text}”竖看是层，横看是头；每张图里，一行是一个在看的词元，一列是一个被看的词元。颜色与底色差得越远，分到的注意力越多；不到 0.03 的留白。`,
  oneHead: (layer, head, share) =>
    `第 ${layer} 层第 ${head} 个头：所有头里，它最爱看前一个词元，在留出文本上把 ${share} 的注意力给了它。`,
  mapLabel: (layer, head) => `第 ${layer} 层第 ${head} 个头的注意力图`,
  readerText: "让它读你自己的文字，与别的模型并排看",
  pictures: (seeds) =>
    `两层的小模型，学着回答关于 8 × 8 格图片的问题，用 ${seeds} 个随机种子各训练一次。对 1,000 张新图片，答对的比例：`,
  questions: {
    picture_quadrant: "图形在哪个四分之一里？",
    picture_left: "两个图形，哪一个在左边？",
  },
  question: "问题",
  look: {
    picture: "图片",
    position: "单看位置",
    kinds: {
      added: () => "它所加的向量与其他各格所加的向量夹角的余弦，减去均值",
      rotated: () => "两个相同的向量，各按自己那一格转过之后的得分，以不转时为 1，减去均值",
      bias: (head) => `第 ${head} 个头给各格的偏置，减去均值`,
    },
    seen: (row, column, kind) =>
      `左边是模型读的一幅图（取第一个随机种子的模型），第一格“?”问图形在哪个四分之一里。右边是单看位置，加框的那一格（第 ${row} 行第 ${column} 列）怎样看各格：${kind}。`,
    heads:
      "最后一层的四个头看哪里：上排从“?”那一格看，训练时只有它被提问；下排从另一个加框的格子看。每张图各有色标，从 0（页面的底色）到图中最大的权重，数值写在图下。",
    pictureLabel: "一幅图，以及单看位置时各格的差别",
    headsLabel: "最后一层各个头的注意力图",
    otherCell: "到文章里换一格来看",
  },
  schemeModels: "用这种方案",
  blindModels: "不加位置编码",
  untrained: "本项目没有用它训练过模型，上面卡片里的图都出自未经训练的权重。",
  families: (list) =>
    `config.json 里的 model_type 是下面这些时，本项目的包会自动配成这种方案：${list}。`,
  relatedAbout: "同一类的方案，按年份排列。",
  index: {
    title: "全部位置编码，按类别和年份",
    pageTitle: "Transformer 的位置编码一览，按类别和年份 · Whereformer",
    description: (count) =>
      `Transformer 的 ${count} 种位置编码，一种一页：公式、选项、陷阱、开销、谁在用，还有用它训练出来的模型的注意力图。`,
    standfirst: (count) =>
      `要让 Transformer 知道一个词在哪里，这里有 ${count} 种办法，一种一页：公式、选项、陷阱、开销、谁在用、来源，还有用它训练出来的模型的注意力图。`,
    timeline: "按年份和思路",
    timelineAbout:
      "从上到下按论文或最早代码的年份排列，每个名字通向它的一页。先有给位置的向量，再有按距离的偏置，然后是旋转；2023 年以来，新名字多半是拉长旋转、只转一部分，或者让某些层不转的办法。",
    anyIdea: "任何方案",
    compare: "全部方案对比",
    variants: "变体",
    variantsOf: (count) =>
      `还有 ${count} 个常有人搜的名字，本身不算一种方案：怎样拉长旋转、怎样只转一部分、斜率怎样取、注意力汇聚点，以及各层不一样的模型。`,
    columns: ["方案", "年份", "作用在哪里", "绝对还是相对", "为位置训练参数", "谁在用"],
    kinds: {
      none: "都不是",
      absolute: "绝对",
      relative: "相对",
      rotary: "以绝对的方式实现相对",
      latent: "以绝对的方式实现相对",
      grid: "网格上的",
    },
    yes: "有",
    no: "无",
    families: {
      none: ["不加位置编码", "什么都不加，次序全靠掩码漏进来。"],
      absolute: ["绝对位置", "每个位置有一个向量，加到词元向量上。"],
      relative: ["相对位置", "得分取决于查询和键相距多远。"],
      rotary: ["旋转", "查询和键按位置转过一个角度。"],
      latent: ["低秩压缩", "键和值出自同一个短向量，位置只作用在旁边的一小段上。"],
      grid: ["网格", "用于图片：位置是第几行、第几列。"],
    },
  },
  footer:
    "Whereformer 是自由软件，以 Apache 许可证 2.0 发布。本页不设 cookie，也不向别的服务器请求任何东西。",
};

export const pageWords = { en, zh };
