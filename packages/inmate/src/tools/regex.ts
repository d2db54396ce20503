/**
 * Compiles a model's regular expression to an automaton. `matcher.ts` takes one step per character
 * for any pattern, even for one that makes a backtracking engine hang. So patterns need no other
 * checks. The syntax is JavaScript's without backreferences and lookaround, which an automaton
 * cannot express. Single characters (`\w`, `[^a-z]`, `\p{L}`) are tested with the native engine.
 */
import { HearthError } from "@hearth/protocol";

export type State =
  | { readonly op: "one"; readonly test: (character: string) => boolean; readonly next: number }
  | { readonly op: "split"; readonly next: readonly number[] }
  | { readonly op: "assert"; readonly at: Assertion; readonly next: number }
  | { readonly op: "accept" };

export type Assertion = "start" | "end" | "word" | "not-word";

export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
}

const MAX_PATTERN_LENGTH = 1000;
/** Maximum number of states. More would make a step slow. */
const MAX_STATES = 1000;
const MAX_STEPS = 20_000;

/** Compiles a pattern. Throws `tool.invalid` with an explanation for the model. */
export const parseRegex = (pattern: string, options: { readonly ignoreCase: boolean }): Automaton => {
  checkLength(pattern);
  const hasInlineFlag = pattern.startsWith("(?i)");
  const source = hasInlineFlag ? pattern.slice(4) : pattern;
  const flags = `${unicodeFlag(source)}${options.ignoreCase || hasInlineFlag ? "i" : ""}`;
  return compile(parse(source, flags));
};

/** Throws `tool.invalid` for a pattern that is too long to compile. */
export const checkLength = (pattern: string): void => {
  if (pattern.length > MAX_PATTERN_LENGTH) throw invalidPatternError(`is longer than ${MAX_PATTERN_LENGTH} characters`);
};

type Node =
  | { readonly kind: "one"; readonly test: (character: string) => boolean }
  | { readonly kind: "assert"; readonly at: Assertion }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly min: number; readonly max: number };

/**
 * Selects the strict syntax if the pattern follows it, and otherwise the lenient one, in which `{`
 * and `\-` can be literal.
 */
const unicodeFlag = (source: string): "u" | "" => {
  try {
    new RegExp(source, "u");
    return "u";
  } catch {
    try {
      new RegExp(source);
      return "";
    } catch (error) {
      throw invalidPatternError(`is not valid: ${error instanceof Error ? error.message : "unknown syntax"}`);
    }
  }
};

const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|[^])/uy;
const UNICODE_ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|[pP]\{[^}]*\}|c[A-Za-z]|[^])/uy;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/uy;
const GROUP = /\((?:\?:|\?<[^=!>][^>]*>)?/uy;
const REPEAT = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/uy;

/** Parses a pattern. The native engine has accepted it, so it is well formed. */
const parse = (source: string, flags: string): Node => {
  let position = 0;

  const takeToken = (token: RegExp): RegExpExecArray | undefined => {
    token.lastIndex = position;
    const match = token.exec(source) ?? undefined;
    if (match !== undefined) position += match[0].length;
    return match;
  };

  const parseChoice = (): Node => {
    const options = [parseSequence()];
    while (source[position] === "|") {
      position += 1;
      options.push(parseSequence());
    }
    return { kind: "choice", options };
  };

  const parseSequence = (): Node => {
    const parts: Node[] = [];
    while (position < source.length && source[position] !== "|" && source[position] !== ")")
      parts.push(parseRepeat(parseTerm()));
    return { kind: "sequence", parts };
  };

  const parseRepeat = (node: Node): Node => {
    const match = takeToken(REPEAT);
    if (match === undefined) return node;
    const [, sign, minText, comma, maxText] = match;
    if (sign !== undefined)
      return { kind: "repeat", node, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
    const min = Number(minText);
    return { kind: "repeat", node, min, max: comma === undefined ? min : maxText === "" ? Infinity : Number(maxText) };
  };

  const parseTerm = (): Node => {
    const character = source[position];
    if (character === "(") return parseGroup();
    if (character === "^" || character === "$") {
      position += 1;
      return { kind: "assert", at: character === "^" ? "start" : "end" };
    }
    if (character === "\\") return parseEscape();
    const token =
      (character === "[" ? takeToken(CLASS)?.[0] : undefined) ??
      String.fromCodePoint(source.codePointAt(position) ?? 0);
    if (character !== "[") position += token.length;
    return characterNode(token, flags);
  };

  const parseGroup = (): Node => {
    if (/^\((?:\?<?[=!])/.test(source.slice(position, position + 4)))
      throw invalidPatternError(
        "uses lookahead or lookbehind, which are not supported",
        "Search for the text itself and filter the lines yourself.",
      );
    const opening = takeToken(GROUP);
    if (opening?.[0] === "(" && source[position] === "?")
      throw invalidPatternError("contains inline flags, which are not supported", "Use `ignoreCase`.");
    const inner = parseChoice();
    position += 1;
    return inner;
  };

  const parseEscape = (): Node => {
    const token = takeToken(flags.startsWith("u") ? UNICODE_ESCAPE : ESCAPE)?.[0] ?? "";
    if (token === "\\b" || token === "\\B") return { kind: "assert", at: token === "\\b" ? "word" : "not-word" };
    if (/^\\[1-9k]/.test(token)) throw invalidPatternError("refers back to a group, which is not supported");
    return characterNode(token, flags);
  };

  return parseChoice();
};

const PLAIN = /^[^\\^$.*+?()[\]{}|]$/u;

const characterNode = (token: string, flags: string): Node => {
  if (PLAIN.test(token) && !flags.includes("i")) return { kind: "one", test: (character) => character === token };
  const native = new RegExp(`^(?:${/^[{}\]]$/.test(token) ? `\\${token}` : token})$`, flags);
  return { kind: "one", test: (character) => native.test(character) };
};

const compile = (root: Node): Automaton => {
  const states: State[] = [];
  let steps = 0;

  const push = (state: State): number => {
    if (states.length >= MAX_STATES) throw tooLargeError();
    return states.push(state) - 1;
  };

  /** Adds states that match `node` and continue at `next`. Returns the first state. */
  const emit = (node: Node, next: number): number => {
    steps += 1;
    if (steps > MAX_STEPS) throw tooLargeError();
    switch (node.kind) {
      case "one":
        return push({ op: "one", test: node.test, next });
      case "assert":
        return push({ op: "assert", at: node.at, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => emit(part, after), next);
      case "choice":
        return node.options.length === 1 && node.options[0] !== undefined
          ? emit(node.options[0], next)
          : push({ op: "split", next: node.options.map((option) => emit(option, next)) });
      case "repeat":
        return emitRepeat(node, next);
    }
  };

  const emitRepeat = ({ node, min, max }: Extract<Node, { kind: "repeat" }>, next: number): number => {
    let entry = max === Infinity ? loop(node, next) : next;
    for (let count = min; max !== Infinity && count < max; count += 1)
      entry = push({ op: "split", next: [emit(node, entry), next] });
    for (let count = 0; count < min; count += 1) entry = emit(node, entry);
    return entry;
  };

  const loop = (node: Node, next: number): number => {
    const targets = [next];
    const entry = push({ op: "split", next: targets });
    targets.push(emit(node, entry));
    return entry;
  };

  const start = emit(root, push({ op: "accept" }));
  return { states, start };
};

const tooLargeError = (): HearthError =>
  invalidPatternError("is too large with its repetitions expanded", "Use `*` or `+` instead of large counts.");

const invalidPatternError = (why: string, hint?: string): HearthError =>
  new HearthError("tool.invalid", `The pattern ${why}.`, hint === undefined ? {} : { hint });
