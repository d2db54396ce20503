/** A simple `CompileGlob` for tests. It expands braces, and matches with the native engine. */
import type { CompileGlob } from "./glob-pattern.ts";

export const compileFakeGlob: CompileGlob = (pattern) => {
  const natives = expandBraces(pattern).map(toNative);
  return (path) => natives.some((native) => native.test(path));
};

/** Expands braces. A brace without a counterpart is a plain character. */
const expandBraces = (pattern: string): readonly string[] => {
  const openAt = pattern.indexOf("{");
  if (openAt === -1) return [pattern];
  const commas: number[] = [];
  let depth = 0;
  for (let index = openAt; index < pattern.length; index += 1) {
    if (pattern[index] === "{") depth += 1;
    if (pattern[index] === "}") depth -= 1;
    if (pattern[index] === "," && depth === 1) commas.push(index);
    if (depth > 0) continue;
    const cuts = [openAt, ...commas, index];
    return cuts
      .slice(1)
      .flatMap((cut, cutIndex) =>
        expandBraces(
          pattern.slice(0, openAt) + pattern.slice((cuts[cutIndex] ?? 0) + 1, cut) + pattern.slice(index + 1),
        ),
      );
  }
  return [pattern];
};

/** Converts a pattern without braces to a native regular expression. */
const toNative = (pattern: string): RegExp => {
  const names = pattern.split("/");
  const parts = names.map((name, index) => {
    const isLast = index === names.length - 1;
    if (name === "**") return isLast ? "[^]*" : "(?:[^/]+/)*";
    return `${nameToNative(name)}${isLast ? "" : "/"}`;
  });
  return new RegExp(`^${parts.join("")}$`, "u");
};

const nameToNative = (name: string): string =>
  name.replaceAll(/\*+|\?|\[!?[^\]]+\]|\\.|[^]/gu, (token) => {
    if (token.startsWith("*")) return "[^/]*";
    if (token === "?") return "[^/]";
    if (token.length > 1 && token.startsWith("[!")) return `[^/${token.slice(2)}`;
    if (token.length > 1 && token.startsWith("[")) return token;
    return (token.length > 1 ? token.slice(1) : token).replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
  });
