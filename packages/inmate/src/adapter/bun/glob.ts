/** `CompileGlob` with Bun's globs. */
import type { CompileGlob } from "../../tools/glob-pattern.ts";

export const compileBunGlob: CompileGlob = (pattern) => {
  // Bun reads `!` at the start as "all other paths".
  const glob = new Bun.Glob(pattern.startsWith("!") ? `\\${pattern}` : pattern);
  return (path) => glob.match(path);
};
