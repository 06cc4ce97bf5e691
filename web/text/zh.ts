/** 图中所有文字的简体中文版；键与 en.ts 一致，由编译器检查。 */

import { corpusZh } from "./corpus.js";
import { costsZh } from "./costs-zh.js";
import { curvesZh } from "./curves.js";
import type { Text } from "./en.js";
import { costShare, counted, measured, megabytes, plain, weight } from "./numbers.js";
import { amid } from "./spacing.js";
import { surgeryZh } from "./surgery.js";

/** 12,345 次，242 亿次 */
const times = (value: number) => `${counted(value, "zh").replace(/\d$/, "$& ")}次`;

/** 两个、三种：量词前的小数目 */
const few = (count: number): string => ["零", "一", "两", "三", "四"][count] ?? ` ${count} `;

export const zh: Text = {
  htmlLang: "zh-Hans",
  locale: "zh",
  pageTitle: "Whereformer：Transformer 怎样知道一个词在哪里",
  bar: {
    label: "页面设置",
    otherLanguage: "English",
    otherLanguageLabel: "English: switch to English",
    otherLanguageTag: "en",
    toDark: "深色",
    toLight: "浅色",
    toDarkLabel: "深色：换成深色背景",
    toLightLabel: "浅色：换成浅色背景",
    sections: [
      ["chase", "语序"],
      ["mask", "掩码"],
      ["schemes", "方案"],
      ["heads", "注意力头"],
      ["lengths", "长度"],
      ["cost", "开销"],
      ["use", "拿去用"],
    ],
  },
  actions: {
    label: "带走这张图",
    link: "链接",
    linked: "链接已复制",
    linkShown: "链接已写入地址栏",
    code: "代码",
    hideCode: "收起代码",
    copy: "复制",
    copied: "已复制",
    png: "PNG",
    svg: "SVG",
    csv: "CSV",
  },
  scale: {
    weight: "注意力份额",
    difference: "份额之差",
    masked: "被掩码挡住，看不到",
    query: "行：在看的词（查询）",
    key: "列：被看的词（键）",
  },
  cell: (row, from, to, value) => `第 ${row} 行 ${from} → ${to} ${weight(value)}`,
  cellMasked: (row, from, to) => `第 ${row} 行 ${from} → ${to} 被掩码挡住`,
  cellDifference: (row, from, to, value) =>
    `第 ${row} 行 ${from} → ${to} 相差 ${value < 0 ? "−" : ""}${measured(Math.abs(value))}`,
  keys: "方向键逐格移动，Home 和 End 跳到行首行尾。",
  waiting: "正在计算……",
  failure: {
    title: "这张图暂时画不出来",
    network: "文件没有下载成功。",
    worker: "浏览器没能启动负责计算的工作线程。",
    unsupported: "引擎需要 WebAssembly SIMD，这个浏览器不支持。",
    malformed_file: "文件下载到了，但内容不对。",
    out_of_memory: "浏览器分配不出更多内存。",
    invalid_argument: "引擎不接受这组选项。",
    otherOptions: "请在下面改动选项。",
    other: "引擎报告了一个错误。",
    cure: "请重新载入页面；没有这张图，文章其余部分照常可读。",
    again: "再试一次",
  },
  chase: {
    name: "两种语序的注意力图",
    sentence: "猫追老鼠",
    titleSame: "没有位置，两句话得到同一张图",
    titleDiffer: (scheme) => `${scheme}：两句话，两张图`,
    mapA: "甲",
    mapB: "乙",
    mapC: "乙按甲的次序排好，减去甲",
    mapALabel: (text) => `甲句“${text}”的注意力图`,
    mapBLabel: (text) => `乙句“${text}”的注意力图`,
    mapCLabel: "乙图的行列按甲的次序排好，再减去甲图",
    readingSame: (difference, pooled) =>
      `把乙图的行和列按甲的次序排回去，两张图${difference === "0" ? "一个比特都不差" : `最多只差 ${difference}，不超过 32 位浮点数的舍入误差`}。再把每句话平均成一个向量，两个向量也只差 ${pooled}。谁追谁，图里根本没有。`,
    titleStill: (scheme) => `${scheme}：这样对调，仍是同一张图`,
    readingStill: (difference, pooled) =>
      `把乙图的行和列按甲的次序排回去，两张图最多只差 ${difference}，两句话的平均向量只差 ${pooled}。这种编码只告诉注意力距离，不分左右，而这样对调之后各个距离都没变。换两个相邻的词试试。`,
    readingDiffer: (difference, pooled) =>
      `把乙图的行和列按甲的次序排回去，两张图仍然不同，最多差 ${difference}；两句话的平均向量相差 ${pooled}。这一层分得清谁追谁了。`,
    input: "甲句",
    swap: "乙句对调",
    swapFirst: "要对调的第一个词",
    swapSecond: "要对调的第二个词",
    and: "和",
    positions: "位置",
    unit: "词元按",
    units: { word: "词", character: "字" },
    tooShort: "请至少输入两个词。",
    tooLong: (most) => `只取前 ${most} 个词。`,
    note: (seed, parameters) =>
      `一层、四个注意力头（图中是第一个）、不加掩码；权重未经训练，随机种子 ${seed}（换别的种子，结论一样），共 ${parameters.toLocaleString("en")} 个数。`,
    caveat:
      "这张图没有告诉你的：训练之后会怎样。权重是随机的，图里颜色轻重本身没有意义；有意义的只是两张图之间变没变。",
  },
  order: {
    name: "最后一个词元能知道什么",
    sentence: "不 都 去",
    title: "加掩码：一层只见集合，两层看见次序",
    cases: {
      open: (layers) => `无掩码，${layers} 层`,
      causal: (layers) => `因果掩码，${layers} 层`,
    },
    before: "原句",
    after: "前两个词对调",
    moved: "最后一个词元的输出变化",
    reading: (last, open, causalOne, causalTwo) =>
      `对调前两个词元，看模型怎样理解“${last}”：不加掩码，它的输出变化 ${open}；加掩码、一层，变化 ${causalOne}；加掩码、两层，变化 ${causalTwo}。前两个数是舍入误差，最后一个才是次序——它从掩码里漏了进来。`,
    mapLabel: (name, which) => `注意力图，${name}，${which}`,
    input: "句子",
    newWeights: "换一组随机权重",
    tooShort: "请至少输入三个词，用空格隔开。",
    note: (seed) =>
      `完全没有位置编码；权重未经训练，随机种子 ${seed}；图中是最后一层的第一个注意力头。“输出”指最后一次归一化之后的向量，每个分量的大小约为 1。`,
    caveat:
      "这张图没有告诉你的：训练好的模型是否真的利用这点泄漏；这里只说明它有可能利用。“变化”取输出向量各分量变化的最大值。",
  },
  gallery: {
    name: "所有方案",
    sentence: "猫 追 老鼠 老鼠 躲 猫 又 追",
    input: "文字",
    families: {
      none: "不加位置",
      absolute: "绝对位置",
      relative: "相对位置",
      rotary: "旋转",
      latent: "低秩压缩",
      grid: "网格",
    },
    claims: {
      shiftInvariant: "平移不变",
      extrapolatesByConstruction: "公式可外推",
      bidirectional: "可用于双向注意力",
      decodes: "可用缓存逐词解码",
    },
    holds: (holds) => (holds ? "：是" : "：否"),
    cost: {
      sizes: ({ tokens, numHeads, headDim, numLayers }) =>
        `${tokens} 个词元，${numHeads} 个头，每头 ${headDim} 个通道，${numLayers} 层`,
      parameters: "额外参数",
      operations: "额外运算",
      cache: "KV 缓存",
      none: "无",
      numbers: (value) => `${value.toLocaleString("en")} 个`,
      once: (value) => `共 ${times(value)}，只算一遍`,
      layer: (value, of) => `每层 ${times(value)}，相当于注意力本身的 ${costShare(value / of)}`,
      unused: "不使用",
      bytes: (value) => `每层每个词元 ${value.toLocaleString("en")} 字节`,
    },
    kinds: {
      encoding: "给词元向量加上了什么",
      turn: "每对通道转过多少",
      bias: "给得分加上了什么",
      attention: "注意力图（权重未经训练）",
    },
    formula: "公式",
    encodingRead: "横向是位置，纵向是通道",
    encodingCell: (position, channel, value) =>
      `位置 ${position}，通道 ${channel}：${plain(value)}`,
    dialsRead: "横向是位置；右边是转满一圈所需的词元数",
    dial: (pair, position, radians, tokens) =>
      `第 ${pair} 对，位置 ${position}：转了 ${radians.toFixed(2)} 弧度，每 ${tokens} 个词元转一圈`,
    left: "两个相同向量的得分（距离 0 处为 1）",
    headName: (head) => `头 ${head}`,
    biasMap: (head) => `第 ${head} 个头，24 个位置`,
    biasCell: (row, column, value) => `查询 ${row}，键 ${column}：${plain(value)}`,
    biasMasked: (row, column) => `查询 ${row}，键 ${column}：被掩码挡住`,
    curves: "偏置随距离的变化，每个头一条线",
    curvePoint: (distance, values) => `回看 ${distance} 个词元：${values.map(plain).join("，")}`,
    channelName: (channel) => `通道 ${channel}`,
    gridRead: {
      encoding: (side) => `${side} × ${side} 个格子，每个通道一张图（取 16 个）`,
      turn: (side) => `${side} × ${side} 个格子：全 1 的向量转成了什么，每个通道一张图`,
      bias: (side) => `${side} × ${side} 个格子，从加框的那一格看出去，每个头一张图`,
    },
    gridMap: (name, least, most) => `${name}：从 ${least} 到 ${most}`,
    mapTitleOfGrid: (head, side) => `第 ${head} 个头读 ${side} × ${side} 个格子（权重未经训练）`,
    gridLabels: "格子标作“行,列”，从 0 数起",
    mapTitle: (head) => `第 ${head} 个头读这段文字（权重未经训练）`,
    addedTitle: (isNothing) =>
      isNothing ? "训练之前，位置什么也没加" : "位置给每个得分加上了什么",
    addedCell: (row, from, to, value) => `第 ${row} 行 ${from} → ${to} ${plain(value)}`,
    sumTitle: (from, to) => `“${from}”对“${to}”的得分`,
    reading: (from, to, terms, total, error) =>
      `从“${from}”到“${to}”：${terms}；合计 ${total}（误差 ${error}）。`,
    head: "头",
    slider: (key) => `${key}，滑块`,
    defaults: "恢复默认值",
    empty: "（空）",
    cut: (most) => `只读前 ${most} 个词：再往后，这种方案没有定义。`,
    note: (seed, isCausal) =>
      `一层，四个头，每头 16 个通道，${isCausal ? "带因果掩码" : "不加掩码"}；权重未经训练，随机种子 ${seed}。要靠学习得到的数，都还是初始值。`,
    caveat:
      "这张图没有告诉你的：训练之后会怎样。权重是随机的，得分里属于词的那部分全凭运气；位置加上去的那部分是什么形状，才是方案本身决定的。",
  },
  heads: {
    name: "训练好的模型读同一段文字",
    text: "床前明月光，疑是地上霜。举头望明月，低头思故乡。",
    title: (layer, head, models) =>
      `第 ${layer} 层第 ${head} 个头：同一段文字，${few(models)}种位置方案`,
    models: "模型",
    gridTitle: "全部注意力头（竖看是层，横看是头），点一个来看",
    input: "文字",
    layer: "层",
    head: "头",
    headLabel: (layer, head, distance) =>
      `第 ${layer} 层第 ${head} 个头，平均回看 ${distance.toFixed(1)} 个词元`,
    gridLabel: (scheme) => `${scheme}模型的全部注意力头`,
    mapLabel: (scheme) => `注意力图：${scheme}`,
    reading: (from, to, values) => `从“${from}”到“${to}”：${values}。`,
    looksBack: (list) => `读这段文字时，选中的头平均回看：${list}。`,
    tokensBack: (name, distance) => `${name} ${distance.toFixed(1)} 个词元`,
    value: (name, value) => `${name} ${weight(value)}`,
    joiner: "，",
    loading: (models, loaded, total) =>
      total
        ? `正在下载${few(models)}个小模型：${megabytes(loaded)} / ${megabytes(total)} MB`
        : `正在下载${few(models)}个小模型：${megabytes(loaded)} MB`,
    asleep: (models) => `滚动到这里时才下载${few(models)}个小模型。`,
    cut: (most) => `只读前 ${most} 个词元。`,
    empty: "请输入一些文字。",
    note: (models, parameters, milliseconds) =>
      `每个模型约有 ${(parameters / 1e4).toFixed(0)} 万个参数，除位置编码外训练完全相同。这${few(models)}个模型刚才读一遍，共用 ${milliseconds.toFixed(0)} 毫秒。`,
    bits: (list) => `在没见过的文本上（先英文，后中文），每字符比特数：${list}。`,
    bitsOf: (name, en, zh) => `${name} ${en.toFixed(2)}、${zh.toFixed(2)}`,
    caveat:
      "这张图没有告诉你的：重要性。格子颜色重，只说明这个头从那里取得多，不说明取来的东西有多要紧。模型很小，每种只训练了一次；这个模型的第 2 个头做的事，那个模型的第 2 个头未必也做。开头这首诗，训练时读过一个字句稍异的版本；不妨换成它们没读过的文字。",
  },
  terms: {
    name: "一个得分从哪里来",
    title: (from, to) => `“${from}”为什么看“${to}”？`,
    names: {
      content: "内容",
      rotation: "旋转",
      position: "位置",
      distance: "距离",
      bias: "距离偏置",
      alibi: "距离偏置",
      wordWord: "词 · 词",
      wordPosition: "词 · 位置",
      positionWord: "位置 · 词",
      positionPosition: "位置 · 位置",
      temperature: "温度",
      kernel: "核函数",
      window: "窗口",
      cosines: "余弦",
      bucket: "分桶",
      interpolation: "插值",
      contextual: "门控计数",
      relativeKey: "相对位置的键",
      relativeQuery: "相对位置的查询",
      positions: "位置",
      cosine: "余弦",
      contentToPosition: "内容 → 位置",
      positionToContent: "位置 → 内容",
      queryDistance: "查询 · 距离",
      keyBias: "键的偏置",
      distanceBias: "距离偏置",
    },
    total: "得分",
    pairs: (scheme) => `${scheme}，逐对通道拆开：左边转得快，右边转得慢`,
    pairsLimit: (limit) => `柱高上下限 ±${limit}`,
    reading: (parts) => `${parts}。一行得分再经 softmax，就成了份额。`,
    sum: (name, terms, total, error) => `${name}：${terms} = ${total}（误差 ${error}）`,
    rowLabel: "选中得分的各个分项",
    termLabel: (scheme, term, value) => `${scheme}，${term}：${value}`,
    turn: (tokens) => `每 ${tokens} 个词元转一圈`,
    pairLabel: (index, value, turn) => `第 ${index} 对：${value}${turn ? `，${turn}` : ""}`,
    pairGrid: "旋转编码得分中每对通道的份额",
    row: "从（行）",
    column: "到（列）",
    caveat:
      "这张图没有告诉你的：值向量，也就是究竟搬走了什么。对旋转编码来说，“内容”是同一对查询和键在距离为 0 时的得分；位置则是两者之间的夹角，所以第二个条形只是个差值，本身并不独立存在。",
    pick: "在上面的图里点一格，或在这里选：",
  },
  distance: {
    name: "注意力随距离的分布",
    title: "这个头往回看多远？",
    x: "回看的词元数",
    y: "平均注意力份额",
    chosen: "选中的格子",
    thisText: "这段文字",
    heldOut: "留出文本",
    even: "在留出文本上平均分配",
    unmeasured: "没有在留出文本上测过",
    reading: (list, heldOut) =>
      `注意力留在自身和前四个词元上的份额${heldOut ? `，先是这段文字，后是全部${heldOut}` : ""}：${list}。`,
    share: (name, share, heldOut) =>
      heldOut ? `${name} ${share}、${heldOut}` : `${name} ${share}`,
    joiner: "；",
    gridLabel: "各距离上的平均注意力份额",
    point: (name, distance, values) => `${name}，回看 ${distance} 个词元：${values}`,
    caveat:
      "这张图没有告诉你的：别种文字。一段文字只是一个样本，距离越远，够得着的行越少；不足四行时，线就到此为止。文字短，可分的词元就少，所以它的线往往高过留出文本。",
  },
  corpus: corpusZh,
  curves: curvesZh,
  costs: costsZh,
  surgery: surgeryZh,
  lengths: {
    name: "损失随测试长度的变化",
    question: (length) => `每次只用 ${length} 个字母训练，测试时拉长：谁撑得住？`,
    finding: (name, multiple, value) =>
      `到训练长度的 ${multiple} 倍，${amid(name).trimStart()}最好：每字母 ${value} 比特`,
    testTitle: "在没见过的文字上测试",
    trainTitle: "训练过程",
    x: "测试文字的字母数",
    y: "比特 / 字母",
    steps: "步",
    trained: "训练长度",
    notDefined: (name) => `${name}：无定义`,
    undefined: "无定义",
    gridLabel: "各方案在各长度上的损失",
    cell: (name, length, { mean, least, most, count }) =>
      `${name}，${length} 个字母：每字母 ${mean.toFixed(2)} 比特${count > 1 ? `，${count} 个种子从 ${least.toFixed(2)} 到 ${most.toFixed(2)}` : ""}`,
    cellUndefined: (name, length) => `${name}，${length} 个字母：无定义`,
    atRest: (name) =>
      `现在还什么都没训练。把四个圆环拉到你猜${amid(name)}会落在的地方：比特越少越好，一无所知的模型大约要六比特。然后按“训练”。`,
    changes: (from, to, list) =>
      list ? `从 ${from} 个字母到 ${to} 个，每字母损失的变化（比特）：${list}。` : "",
    change: (name, by) => `${name} ${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(2)}`,
    ends: (name, length) => `到 ${length} 个字母，${amid(name)}无定义：它的表到头了。`,
    off: (name, { mean, most, multiple }) =>
      `你对${amid(name)}的猜测平均差 ${mean.toFixed(2)}，差得最多的是 ${multiple} 倍处（${most.toFixed(2)}）。`,
    guess: (name) => `你的猜测：${name}`,
    ring: (name, length) => `你猜${amid(name)}在 ${length} 个字母时的损失`,
    bits: (value) => `每字母 ${value} 比特`,
    myGuess: "圆环是我对它的猜测：",
    guessFor: "猜哪种方案",
    schemes: "方案",
    train: "训练",
    again: "重新训练",
    pause: "暂停",
    resume: "继续",
    cancel: "取消",
    paused: "已暂停。",
    training: "正在训练。",
    progressLabel: "已训练的步数",
    progress: (done, total, models, of) =>
      `${done.toLocaleString("en")} / ${total.toLocaleString("en")} 步，${of} 个模型已完成 ${models} 个。`,
    left: (seconds) =>
      seconds < 90
        ? `大约还要 ${Math.max(1, Math.round(seconds))} 秒。`
        : `大约还要 ${Math.round(seconds / 60)} 分钟。`,
    tableLabel: "数值",
    tableCaption: (seeds) =>
      `没见过的文字上每字母的比特数，按测试长度；最多 ${seeds} 个种子的平均 ± 半个极差`,
    scheme: "方案",
    file: "权重",
    keep: "保存",
    keepLabel: (name) => `保存${amid(name)}的权重`,
    load: "用保存的权重接着训练……",
    notOurs: (file) => `${file} 不是在这里保存的。`,
    otherRecipe: (file) => `${file} 是另一种尺寸的模型。`,
    goesOn: (name, steps) => `${amid(name).trimStart()}从第 ${steps} 步接着训练。`,
    continued: (name, steps) => `${name}，${steps} 步`,
    refused: (name) => `${amid(name).trimStart()}训练不了：`,
    note: ({ model, length, batchSize, steps, seeds, tableMultiple, testCharacters }, letters) =>
      `${model.numLayers} 层，${model.numHeads} 个头，${model.hiddenSize} 个通道；训练 ${steps} 步，每步取《创世记》英文里的 ${batchSize} 段，每段 ${length} 个字母（共 ${letters} 种符号），种子为 ${seeds.join("、")}；测试用的 ${testCharacters.toLocaleString("en")} 个字母没有参加训练，按各个长度切成段。位置表有 ${tableMultiple * length} 行，训练只见过前 ${length} 行。一切都在这个标签页里计算，什么也不会传出去。`,
    caveat:
      "没有画出的：大模型、长时间的训练、真实的长度。色带是各个种子的范围，三个种子并不多。某一长度的损失是文中所有位置的平均，开头几个位置也算在内。",
  },
};
