/**
 * Replaces text that a model, its chat template or the house would interpret as markup: turn
 * tokens, role headers, end marks of untrusted text. The text stays readable with other signs:
 * `‹|im_start|›`, `‹/s›`, `Assistant› `.
 */

type Replacer = (match: string, head?: string) => string;

/** The replacements. Each has the length of the replaced sign, so that offsets stay correct. */
const SIGNS: Readonly<Record<string, string>> = {
  "<": "‹",
  ">": "›",
  "[": "‹",
  "]": "›",
  "＜": "‹",
  "＞": "›",
  "⟨": "‹",
  "⟩": "›",
  "〈": "‹",
  "〉": "›",
  "⟪": "‹",
  "⟫": "›",
  "《": "‹",
  "》": "›",
  "«": "‹",
  "»": "›",
  "❮": "‹",
  "❯": "›",
  "【": "‹",
  "】": "›",
};
const SIGN = /[<>[\]＜＞⟨⟩〈〉⟪⟫《》«»❮❯【】]/gu;

const replaceSigns: Replacer = (match) => match.replace(SIGN, (sign) => SIGNS[sign] ?? sign);

/** Matches `<|…|>` with any content, also with the wide bar. Each family of models has its own. */
const BARRED_TOKEN = /[<＜][|｜][^<>＜＞\n]{1,80}?[|｜][>＞]/gu;
/** Matches tokens in the form of tags. */
const NAMED_TOKEN =
  /<\/?(?:s|bos|eos|pad|unk|sop|eop|BOS_TOKEN|EOS_TOKEN|(?:start|end)_of_(?:turn|image|text)|fim_(?:prefix|suffix|middle|pad)|PRE|SUF|MID|EOT|extra_id_\d{1,4}|unused\d{1,5}|reserved_\d{1,5}|tool_(?:call|response|result|output|sep)s?)>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|gMASK|sMASK|IMG|PREFIX|SUFFIX|MIDDLE|BEGIN_TOOL_REQUEST|END_TOOL_REQUEST)\]|\]~!?b\[|\[e~\[/gu;
/**
 * Matches tags that vendors and agent programs put around calls, results and their own messages.
 */
const WRAPPER =
  /[<＜]\s?\/?\s?(?:[a-z]{1,12}:)?(?:untrusted|external|function_(?:calls?|results?|response)|invoke|parameter(?=[ ])|tool_use|system|assistant|system[-_](?:reminder|prompt|message|note))(?:[-_](?:content|data|text|input))?(?:\s[^<>＜＞\n]{0,200})?\/?[>＞]/giu;
/** Matches `<<<END_OF_THAT>>>` in brackets of any kind. */
const FENCE =
  /[<＜⟨〈⟪《«❮【]{1,5}[ \t]{0,3}\/?(?:END|BEGIN|START|STOP|CLOSE|OPEN|UNTRUSTED|EXTERNAL|SYSTEM)(?:[A-Z0-9_ :./-]{0,80})[>＞⟩〉⟫》»❯】]{1,5}/gu;

/** Matches role headers, which begin a turn in models without special tokens. */
const ROLE =
  /((?:(?<=^[ \t>*_#]{0,8})(?:System|SYSTEM|User|USER|Developer|DEVELOPER)|(?:Assistant|ASSISTANT|Human|HUMAN))[*_]{0,3} ?):/gmu;
/** Matches role headers in the front matter of a file. */
const HEAD_ROLE =
  /(-{3}[ \t]{0,8}\r?\n(?:[^\n]{0,200}\n){0,8}?[ \t]{0,8}role[ \t]?):(?=[ \t]{0,8}["']?(?:system|developer|assistant|tool)\b)/gimu;
/**
 * Matches notes: `[who, when]` is the house's own, and `[… id: 5]` and `[System: …]` are those of
 * other programs.
 */
const NOTE =
  /\[(?:[^[\]\n]{0,300}\b\p{L}{3} \d{4}-\d{2}-\d{2} \d{2}:\d{2}\b|[^[\]\n]{0,80}(?:\b|_)id[ \t]?[:=][ \t]?["']?\d|System(?:[ \t]?:|[ \t](?:message|note|reminder)))[^[\]\n]{0,300}\]/gimu;

type Shape = readonly [shape: RegExp, replacer: Replacer];

const TOKEN_SHAPES: readonly Shape[] = [BARRED_TOKEN, NAMED_TOKEN].map((shape) => [shape, replaceSigns]);
const ALL_SHAPES: readonly Shape[] = [
  ...TOKEN_SHAPES,
  ...[WRAPPER, FENCE, NOTE].map((shape): Shape => [shape, replaceSigns]),
  ...[HEAD_ROLE, ROLE].map((shape): Shape => [shape, (_, head = "") => `${head}›`]),
];

const MAY_BE_TOKEN = /[<[＜~]/u;
const MAY_MATCH = /[<[＜⟨〈⟪《«❮【~]|(?:system|assistant|human|user|developer|role)[*_]{0,3}[ \t]?:/iu;

/** Replaces chat template tokens. Keeps the length. */
export const withoutTokens = (text: string): string =>
  MAY_BE_TOKEN.test(text) ? replaceUntilStable(text, TOKEN_SHAPES) : text;

/**
 * Replaces chat template tokens, and text that imitates notes of the house or of other programs.
 * Keeps the length.
 */
export const withoutMarks = (text: string): string =>
  MAY_MATCH.test(text) ? replaceUntilStable(text, ALL_SHAPES) : text;

/**
 * Repeats until the text no longer changes, because a replacement may form another match. Each
 * round removes signs, so the loop ends.
 */
const replaceUntilStable = (text: string, shapes: readonly Shape[]): string => {
  const replacedText = shapes.reduce((current, [shape, replacer]) => current.replace(shape, replacer), text);
  return replacedText === text ? text : replaceUntilStable(replacedText, shapes);
};
