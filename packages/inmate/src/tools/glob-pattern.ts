/** Compiles file patterns (`src/**\/*.{ts,md}`) for `matcher.ts`, so that no pattern is slow. */
import { HearthError } from "@hearth/protocol";
import { createMatcher, type Matcher } from "./matcher.ts";
import { parseRegex } from "./regex.ts";

/**
 * `*` and `?` match within a name; `**` as a whole name matches any number of folders; `[a-z]` and
 * `[!a-z]` are sets; `{a,b}` are alternatives; a backslash escapes the next character. Names that
 * begin with a dot are not special.
 */
export const createGlobMatcher = (pattern: string): Matcher => {
  const relative = pattern.startsWith("./") ? pattern.slice(2) : pattern;
  if (relative.startsWith("/") || relative.split("/").includes("..")) {
    throw new HearthError("tool.path", "The pattern starts with `/` or contains `..`.", {
      hint: "Patterns are relative to the searched folder and cannot leave it.",
    });
  }
  return createMatcher(parseRegex(`^(?:${translate(relative)})$`, { ignoreCase: false }));
};

const TOKEN = /\*\*\/|\*+|\?|\[[!^]?(?:\\[^]|[^\]\\])+\]|[{},]|\\[^]|[^]/uy;

const translate = (pattern: string): string => {
  TOKEN.lastIndex = 0;
  const out: string[] = [];
  /** Open braces: the index of the brace and of its commas in `out`. */
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (let match = TOKEN.exec(pattern); match !== null; match = TOKEN.exec(pattern)) {
    const [token] = match;
    const startsName = match.index === 0 || pattern[match.index - 1] === "/";
    if (token === "{") {
      open.push({ at: out.length, commas: [] });
      out.push("\\{");
    } else if (token === "}") out.push(closeBrace(out, open.pop()));
    else if (token === ",") {
      open.at(-1)?.commas.push(out.length);
      out.push(",");
    } else out.push(translateToken(token, startsName, TOKEN.lastIndex === pattern.length));
  }
  return out.join("");
};

/**
 * `{a,b}` becomes a choice. Braces without a comma or without their counterpart are plain
 * characters.
 */
const closeBrace = (
  out: string[],
  brace: { readonly at: number; readonly commas: readonly number[] } | undefined,
): string => {
  if (brace === undefined || brace.commas.length === 0) return "\\}";
  out[brace.at] = "(?:";
  for (const comma of brace.commas) out[comma] = "|";
  return ")";
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
