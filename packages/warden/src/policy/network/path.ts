/** Normalizes request paths, so that the path checked against a grant is the path sent. */

export interface RequestPath {
  /** The path without dot segments. */
  readonly path: string;
  /** The query with its question mark, or an empty text. */
  readonly query: string;
}

/**
 * Splits a target. Returns undefined unless it is an absolute path of visible ASCII characters
 * without `#` and backslash.
 */
export const parsePath = (target: string): RequestPath | undefined => {
  if (!/^\/[\x21-\x7e]*$/.test(target) || target.includes("#") || target.includes("\\")) return undefined;
  // The host prevents that a path with two slashes at the start is parsed as a host.
  const url = new URL(`http://host.invalid${target}`);
  if (url.host !== "host.invalid") return undefined;
  return { path: url.pathname, query: url.search };
};

/**
 * Matches parts that a server may interpret as a slash, a dot or the end of the path: `%2f`, `%5c`,
 * `%2e`, `%00`, `%25` (which may hide one of these), a segment such as `..;x`, and two slashes in a
 * row.
 */
const AMBIGUOUS = /%(?:2f|5c|2e|00|25)|(?:^|\/)\.{1,2};|\/\//i;

/** Whether a normalized path is `prefix` or below it, and no server can read it differently. */
export const isBelow = (path: string, prefix: string): boolean => {
  const base = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
  if (base === "") return true;
  if (path !== base && !path.startsWith(`${base}/`)) return false;
  return !AMBIGUOUS.test(path.slice(base.length));
};
