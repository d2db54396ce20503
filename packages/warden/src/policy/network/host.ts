/** Normalizes host names, so that the checked name is the one that is resolved and dialled. */
import { formatAddress, parseAddress } from "./address.ts";

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_NAME_LENGTH = 253;

/**
 * Normalizes a host from a target or a `Host` header: lower case, without a trailing dot, an IPv6
 * address in brackets. Returns undefined for a text that two programs could interpret differently:
 * odd bytes, empty labels, numbers that only some programs take for an address.
 */
export const normalizeHost = (text: string): string | undefined => {
  if (text.startsWith("[")) {
    if (!text.endsWith("]") || text.includes("%")) return undefined;
    const address = parseAddress(text.slice(1, -1));
    return address?.length === 16 ? `[${formatAddress(address)}]` : undefined;
  }
  const name = (text.endsWith(".") ? text.slice(0, -1) : text).toLowerCase();
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const labels = name.split(".");
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // Some programs interpret a name that ends in a number as an address, so it must be a canonical
  // address.
  if (!/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "")) return name;
  return text.endsWith(".") || parseAddress(name)?.length !== 4 ? undefined : name;
};

/** Whether a normalized host matches the pattern of a grant. */
export const matchesHost = (pattern: string, host: string): boolean => {
  if (pattern.startsWith("*.")) return host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1;
  return pattern.startsWith("[") ? normalizeHost(pattern) === host : pattern === host;
};

export interface Authority {
  readonly host: string;
  readonly port: number | undefined;
}

/** Parses `host` or `host:port`, with no user and no path. */
export const parseAuthority = (text: string): Authority | undefined => {
  const [, name = "", digits] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = normalizeHost(name);
  const port = digits === undefined ? undefined : Number(digits);
  if (host === undefined || port === 0 || (port ?? 0) > 65_535) return undefined;
  return { host, port };
};

/** Returns the form that resolvers and sockets take: an address without brackets, or the name. */
export const bareHost = (host: string): string => (host.startsWith("[") ? host.slice(1, -1) : host);
