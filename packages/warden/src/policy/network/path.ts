/** Paths of requests in their usual form: what a grant is held against is what is sent. */

export interface RequestPath {
  /** Without dots that lead up or nowhere. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
}

/** Undefined for a target that is no path: odd bytes, another form, a fragment. */
export const parsePath = (target: string): RequestPath | undefined => {
  if (!/^\/[\x21-\x7e]*$/.test(target) || target.includes("#") || target.includes("\\")) return undefined;
  // Behind a host of its own a path that begins with two slashes stays a path.
  const url = new URL(`http://host.invalid${target}`);
  if (url.host !== "host.invalid") return undefined;
  return { path: url.pathname, query: url.search };
};

/** Parts that a server may take for a slash, a dot or an end that we do not see: `%2f`, `%5c`, `%2e`, `%00`, `%25` before more, `..;x`. */
const UNCLEAR = /%(?:2f|5c|2e|00|25)|(?:^|\/)\.{1,2};|\/\//i;

/** Whether a path in its usual form is the prefix or lies below it, however a server reads it. */
export const isBelow = (path: string, prefix: string): boolean => {
  const base = prefix.endsWith("/") ? prefix.slice(0, -1) : prefix;
  if (base === "") return true;
  if (path !== base && !path.startsWith(`${base}/`)) return false;
  return !UNCLEAR.test(path.slice(base.length));
};
