/** Decides which chunks a search may see. */
import type { IndexedChunk, VisibilityFilter } from "./chunk-index.ts";

export const isVisible = (
  { audience, integrity, path }: Pick<IndexedChunk, "audience" | "integrity" | "path">,
  { audiences, integrity: wantedIntegrity = "any", under = "", except = [] }: VisibilityFilter,
): boolean =>
  (audiences === undefined || audiences.includes(audience)) &&
  (wantedIntegrity === "any" || integrity !== "untrusted") &&
  path.startsWith(under) &&
  !except.includes(path);

/** A cache key, equal for filters with equal results. */
export const toVisibilityKey = ({ audiences, integrity = "any", under = "", except = [] }: VisibilityFilter): string =>
  JSON.stringify([
    audiences === undefined ? null : [...new Set(audiences)].sort(),
    integrity,
    under,
    [...except].sort(),
  ]);
