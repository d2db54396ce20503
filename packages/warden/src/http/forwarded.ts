/**
 * Reads the headers in which proxies report the client that they serve: `Forwarded` (RFC 7239) and
 * `X-Forwarded-For`, `-Proto` and `-Host`. A malformed header is an error, because a proxy and this
 * house could read it differently.
 */
import { HearthError } from "@hearth/protocol";
import { parseAddress } from "../policy/index.ts";

/** A connection that a proxy reports. */
export interface Hop {
  /** The address at the other end. Absent: the proxy does not reveal it. */
  readonly address?: string;
  /** The scheme and host that the other end used, in lower case. */
  readonly scheme?: string;
  readonly host?: string;
}

type IsTrusted = (address: string) => boolean;

/**
 * Returns the client's connection, or undefined if no proxy reports one. `proxy` is the address of
 * the nearest one: it is the client if the headers name a scheme or host only. The hops are read
 * from the end, which the nearest proxy wrote, to the first address that is not a trusted proxy.
 * The client may have invented the entries before it.
 */
export const readForwarded = (headers: Headers, proxy: string, isTrusted: IsTrusted): Hop | undefined => {
  const standard = headers.get("forwarded");
  const hop = standard === null ? undefined : pickClientHop(parseForwarded(standard), isTrusted);
  const xForwardedHop = readXForwarded(headers, proxy, isTrusted);
  if (hop === undefined || xForwardedHop === undefined) return hop ?? xForwardedHop;
  // Most proxies write one family and pass the other one on as the client sent it.
  if (hop.address === xForwardedHop.address && hop.scheme === xForwardedHop.scheme && hop.host === xForwardedHop.host)
    return hop;
  throw new HearthError("request.invalid", "The Forwarded and the X-Forwarded headers contradict each other.", {
    hint: "Let the proxy remove the headers that it does not write. docs/operations.md has samples.",
  });
};

const pickClientHop = (hops: readonly Hop[], isTrusted: IsTrusted): Hop | undefined =>
  hops.findLast(({ address }) => address === undefined || !isTrusted(address)) ?? hops[0];

/** Reads the `X-Forwarded` headers. Each list has one entry per proxy, or a single entry that the proxies pass on. */
const readXForwarded = (headers: Headers, proxy: string, isTrusted: IsTrusted): Hop | undefined => {
  const addresses = listOf(headers, "x-forwarded-for");
  const schemes = listOf(headers, "x-forwarded-proto");
  const hosts = listOf(headers, "x-forwarded-host");
  if (addresses.length + schemes.length + hosts.length === 0) return undefined;
  for (const [name, list] of [
    ["Proto", schemes],
    ["Host", hosts],
  ] as const) {
    if (list.length > 1 && list.length !== addresses.length)
      throw malformedError(`X-Forwarded-${name} and X-Forwarded-For have different lengths`);
  }
  const clientIndex = addresses.findLastIndex((text) => {
    const address = toAddress(text, "X-Forwarded-For");
    return address === undefined || !isTrusted(address);
  });
  const index = Math.max(0, clientIndex);
  const node = addresses[index];
  return toHop({
    address: node === undefined ? proxy : toAddress(node, "X-Forwarded-For"),
    scheme: schemes[schemes.length > 1 ? index : 0],
    host: hosts[hosts.length > 1 ? index : 0],
  });
};

const listOf = (headers: Headers, name: string): readonly string[] =>
  (headers.get(name) ?? "").split(",").flatMap((piece) => (piece.trim() === "" ? [] : [piece.trim()]));

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PAIR = new RegExp(
  `[ \\t]*(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\\\x00-\\x1f\\x7f]|\\\\[\\t\\x20-\\x7e])*)")[ \\t]*(;|,|$)`,
  "y",
);

/** Throws `request.invalid` for anything that RFC 7239 does not allow. */
const parseForwarded = (text: string): readonly Hop[] => {
  const hops: Hop[] = [];
  let pairs = new Map<string, string>();
  let position = 0;
  for (;;) {
    PAIR.lastIndex = position;
    const match = PAIR.exec(text);
    if (match === null) throw malformedError("the Forwarded header does not follow RFC 7239");
    const [pairText, name = "", token, quoted, end] = match;
    const key = name.toLowerCase();
    if (pairs.has(key)) throw malformedError(`the Forwarded header repeats ${key}`);
    pairs.set(key, token ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
    position += pairText.length;
    if (end === ";") continue;
    const node = pairs.get("for");
    hops.push(
      toHop({
        address: node === undefined ? undefined : toAddress(node, "Forwarded"),
        scheme: pairs.get("proto"),
        host: pairs.get("host"),
      }),
    );
    pairs = new Map();
    if (end === "") return hops;
  }
};

const toHop = ({ address, scheme, host }: { readonly [Name in keyof Hop]: Hop[Name] | undefined }): Hop => ({
  ...(address === undefined ? {} : { address }),
  ...(scheme === undefined ? {} : { scheme: scheme.toLowerCase() }),
  ...(host === undefined ? {} : { host: host.toLowerCase() }),
});

/** Returns the address of a node without its port, or undefined if the proxy hides it. */
const toAddress = (node: string, header: string): string | undefined => {
  if (/^(?:unknown|_[A-Za-z0-9._-]+)$/i.test(node)) return undefined;
  const [, inBrackets, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(node) ?? [];
  const address = inBrackets ?? withPort ?? node;
  if (parseAddress(address) === undefined) throw malformedError(`${header} contains an entry that is no address`);
  return address;
};

const malformedError = (why: string): HearthError =>
  new HearthError("request.invalid", `A header of a proxy is malformed: ${why}.`, {
    hint: "Let the proxy overwrite the headers that clients send. docs/operations.md has samples.",
  });
