/** Reads file patterns such as `src/**\/*.{ts,md}`, which a model writes. */
import { HearthError } from "@hearth/protocol";
import { checkLength } from "./regex.ts";

export type PathFilter = (path: string) => boolean;

/**
 * Compiles a pattern for relative paths.
 *
 * Contract, checked by `globConformance`:
 * - `*` and `?` match within a name; `**` as a whole name matches any number of folders; `[a-z]` and
 *   `[!a-z]` are sets; `{a,b}` are alternatives; a backslash escapes the next character
 * - names that begin with a dot, and a `!` at the start, are not special
 * - no pattern is slow
 */
export type CompileGlob = (pattern: string) => PathFilter;

/** Compiles a pattern. Throws `tool.path` if it leaves the folder, and `tool.invalid` if it is too long. */
export const createPathFilter = (pattern: string, compile: CompileGlob): PathFilter => {
  checkLength(pattern);
  const relative = pattern.startsWith("./") ? pattern.slice(2) : pattern;
  if (relative.startsWith("/") || relative.split("/").includes("..")) {
    throw new HearthError("tool.path", "The pattern starts with `/` or contains `..`.", {
      hint: "Patterns are relative to the searched folder and cannot leave it.",
    });
  }
  return compile(relative);
};
