/** Compiles file patterns (`src/**\/*.{ts,md}`) for `matcher.ts`, so that no pattern is slow. */
import { HearthError } from "@hearth/protocol";
import { createMatcher, type Matcher } from "./matcher.ts";
import { checkLength, parseRegex } from "./regex.ts";

/**
 * `*` and `?` match within a name; `**` as a whole name matches any number of folders; `[a-z]` and
 * `[!a-z]` are sets; `{a,b}` are alternatives; a backslash escapes the next character. Names that
 * begin with a dot are not special.
 */
export const createGlobMatcher = (pattern: string): Matcher => {
  checkLength(pattern);
  const relative = pattern.startsWith("./") ? pattern.slice(2) : pattern;
  if (relative.startsWith("/") || relative.split("/").includes("..")) {
    throw new HearthError("tool.path", "The pattern starts with `/` or contains `..`.", {
      hint: "Patterns are relative to the searched folder and cannot leave it.",
    });
  }
  return createMatcher(parseRegex(`^(?:${translate(relative)})$`, { ignoreCase: false }));
};

const TOKEN = /\*\*\/|\*+|\?|\[[!^]?(?:\\[^]|[^\]\\])+\]|[{},]|\\[^]|[^]/gu;

const translate = (pattern: string): string => {
  const tokens = pattern.match(TOKEN) ?? [];
  const braces = findBraces(tokens);
  /** For each open brace, whether its alternatives start a name. */
  const open: boolean[] = [];
  let startsName = true;
  return tokens
    .map((token, at) => {
      const brace = braces.get(at);
      if (brace === undefined) {
        const translated = translateToken(token, startsName, endsPattern(tokens, braces, at + 1));
        startsName = token.endsWith("/");
        return translated;
      }
      if (token === "{") open.push(startsName);
      else startsName = token === "," && open.at(-1) === true;
      if (token === "}") open.pop();
      return token === "{" ? "(?:" : token === "," ? "|" : ")";
    })
    .join("");
};

/** Position of a brace or comma that makes a choice → position of the brace that ends the choice. */
type Braces = ReadonlyMap<number, number>;

/** Braces without a comma or without their counterpart are plain characters. */
const findBraces = (tokens: readonly string[]): Braces => {
  const braces = new Map<number, number>();
  const open: number[][] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === "{") open.push([at]);
    else if (token === ",") open.at(-1)?.push(at);
    else if (token === "}") {
      const choice = open.pop() ?? [];
      if (choice.length > 1) for (const place of [...choice, at]) braces.set(place, at);
    }
  }
  return braces;
};

/** Whether nothing follows a position, in the alternative that it is in. */
const endsPattern = (tokens: readonly string[], braces: Braces, at: number): boolean => {
  if (at === tokens.length) return true;
  const end = tokens[at] === "{" ? undefined : braces.get(at);
  return end !== undefined && endsPattern(tokens, braces, end + 1);
};

const translateToken = (token: string, startsName: boolean, endsPattern: boolean): string => {
  if (token === "**/") return startsName ? "(?:[^/]+/)*" : "[^/]*/";
  if (token === "**" && startsName && endsPattern) return "[^]*";
  if (token.startsWith("*")) return "[^/]*";
  if (token === "?") return "[^/]";
  if (token.length > 1 && token.startsWith("[")) return translateSet(token);
  return literal(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
};

const translateSet = (token: string): string => {
  const negated = /^\[[!^]/.test(token);
  const inner = token
    .slice(negated ? 2 : 1, -1)
    .replace(/\\([^])|[[^]/gu, (character: string, escaped: string | undefined) => `\\${escaped ?? character}`);
  return negated ? `[^/${inner}]` : `[${inner}]`;
};

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
