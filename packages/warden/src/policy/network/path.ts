/** Normalizes request paths, so that the path checked against a grant is the path sent. */

export interface RequestPath {
  /** Without dot segments. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

/** Undefined for a target that is not a path: odd bytes, another form, a fragment. */
export const parsePath = (target: string): RequestPath | undefined => {
  if (!/^\/[\x21-\x7e]*$/.test(target) || target.includes("#") || target.includes("\\")) return undefined;
  // With a host in front, a path that begins with two slashes stays a path.
  const url = new URL(`http://host.invalid${target}`);
  if (url.host !== "host.invalid") return undefined;
  return { path: url.pathname, query: url.search };
};

/**
 * Parts that a server may read as a slash, a dot or an end of the path: `%2f`, `%5c`, `%2e`, `%00`,
 * `%25` in front of these, `..;x`.
 */
const UNCLEAR = /%(?:2f|5c|2e|00|25)|(?:^|\/)\.{1,2};|\/\//i;

/** Whether a normalized path is the prefix or below it, for every way a server may read it. */
export const isBelow = (path: string, prefix: string): boolean => {
  const base = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
  if (base === "") return true;
  if (path !== base && !path.startsWith(`${base}/`)) return false;
  return !UNCLEAR.test(path.slice(base.length));
};
