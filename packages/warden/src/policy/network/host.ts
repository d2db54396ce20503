/** Names of hosts, read one way only: what is checked is what is resolved and what is dialled. */
import { formatAddress, parseAddress } from "./address.ts";

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME = 253;

/**
 * A host as it stands in a target or a `Host` header, in its usual form: lower case, without one dot at the end; an IPv6 address in
 * brackets. Undefined for whatever two programs could read in two ways: odd bytes, empty labels, numbers that only some take for an address.
 */
export const normalizeHost = (text: string): string | undefined => {
  if (text.startsWith("[")) {
    if (!text.endsWith("]") || text.includes("%")) return undefined;
    const address = parseAddress(text.slice(1, -1));
    return address?.length === 16 ? `[${formatAddress(address)}]` : undefined;
  }
  const name = (text.endsWith(".") ? text.slice(0, -1) : text).toLowerCase();
  if (name.length > MAX_NAME) return undefined;
  const labels = name.split(".");
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // Whoever ends in a number is an address to some: then it has to be one to all.
  if (!/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) return name;
  return text.endsWith(".") || parseAddress(name)?.length !== 4 ? undefined : name;
};

/** Whether a host in its usual form is what the pattern of a grant means. */
export const matchesHost = (pattern: string, host: string): boolean => {
  if (pattern.startsWith("*.")) return host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1;
  return pattern.startsWith("[") ? normalizeHost(pattern) === host : pattern === host;
};

export interface Authority {
  readonly host: string;
  readonly port: number | undefined;
}

/** `host` or `host:port`, and nothing beside it: no user, no path. */
export const parseAuthority = (text: string): Authority | undefined => {
  const [, name = "", digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = normalizeHost(name);
  const port = digits === undefined ? undefined : Number(digits);
  if (host === undefined || port === 0 || (port ?? 0) > 65_535) return undefined;
  return { host, port };
};

/** What a resolver and a socket take: an address without brackets, or the name. */
export const bareHost = (host: string): string => (host.startsWith("[") ? host.slice(1, -1) : host);
