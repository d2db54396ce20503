/**
 * Checks webhook URLs. The subscriber chooses the URL, so it must not lead to places that only the
 * house can reach. A name may still resolve to such a place. The call therefore uses HTTPS, so that
 * the server must prove its name, and follows no redirect.
 */

/** Returns the problem with the URL, or undefined. */
export const findWebhookUrlProblem = (
  text: string,
  { allowsLoopback }: { readonly allowsLoopback: boolean },
): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "is not an http or https URL";
  if (url.username !== "" || url.password !== "") return "contains a credential";
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  if (allowsLoopback && isLoopback(host)) return undefined;
  if (url.protocol !== "https:") return "is not https";
  if (host.startsWith("[")) return isPublicV6(host.slice(1, -1)) ? undefined : "is not a public address";
  if (/^\d+(\.\d+){3}$/.test(host)) return isPublicV4(host) ? undefined : "is not a public address";
  return host.includes(".") && !LOCAL_NAMES.test(host) ? undefined : "is a name of a local network";
};

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);

const LOCAL_NAMES = /\.(localhost|local|internal|intranet|lan|home|corp|arpa|test|onion)$/;

/** Reserved networks: the first address, and the number of bits of the prefix. */
const RESERVED_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

const toNumber = (address: string): number =>
  address.split(".").reduce((value, octet) => value * 256 + Number(octet), 0);

const isPublicV4 = (address: string): boolean =>
  RESERVED_V4.every(([range, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(toNumber(address) / size) !== Math.floor(toNumber(range) / size);
  });

/**
 * Whether the address is global unicast, outside documentation ranges and embedded IPv4 addresses.
 */
const isPublicV6 = (address: string): boolean => /^[23]/.test(address) && !/^(2001:(0?:|db8:)|2002:)/.test(address);
