/**
 * Parses IP addresses, and decides which of them belong to the public network. An address that is
 * not certainly public is refused.
 */

/**
 * Returns the 4 or 16 bytes of an address. Accepts only forms that every program interprets alike:
 * no octal numbers, no missing parts, no zone.
 */
export const parseAddress = (text: string): Uint8Array | undefined =>
  text.includes(":") ? parseV6(text) : parseV4(text);

export const formatAddress = (bytes: Uint8Array): string => {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, index) => wordAt(bytes, index).toString(16));
  const [start, length] = findLongestZeros(groups);
  if (length < 2) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
};

const parseV4 = (text: string): Uint8Array | undefined => {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return Uint8Array.from(parts, Number);
};

const parseV6 = (text: string): Uint8Array | undefined => {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => readGroups(half, index === halves.length - 1));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const tailBytes = tail ?? [];
  const missingBytes = 16 - head.length - tailBytes.length;
  if (halves.length === 2 ? missingBytes < 2 : missingBytes !== 0) return undefined;
  return Uint8Array.from([...head, ...Array.from({ length: missingBytes }, () => 0), ...tailBytes]);
};

/**
 * Returns the bytes of the groups between colons. The last group of an address may be a decimal
 * IPv4 address.
 */
const readGroups = (text: string, isEnd: boolean): readonly number[] | undefined => {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    if (isEnd && index === groups.length - 1 && group.includes(".")) {
      const v4Bytes = parseV4(group);
      if (v4Bytes === undefined) return undefined;
      bytes.push(...v4Bytes);
      continue;
    }
    if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
    const word = Number.parseInt(group, 16);
    bytes.push(word >> 8, word & 255);
  }
  return bytes;
};

const wordAt = (bytes: Uint8Array, index: number): number =>
  ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0);

const findLongestZeros = (groups: readonly string[]): readonly [start: number, length: number] => {
  let longestRun: readonly [number, number] = [0, 0];
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === "0") length += 1;
    if (length > longestRun[1]) longestRun = [start, length];
  }
  return longestRun;
};

/**
 * IPv4 ranges outside the public network: IANA's special-purpose registry, multicast, reserved
 * ranges and cloud metadata.
 */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Azure's metadata and platform address.
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
] as const;

/**
 * All allocated global IPv6 addresses. Mapped, NAT64, unique local, link-local and multicast
 * addresses lie outside.
 */
const PUBLIC_V6 = "2000::/3";
/**
 * Ranges inside `PUBLIC_V6` that are not public: Teredo, benchmarks, ORCHID, documentation, 6to4,
 * the former 6bone, AS112.
 */
const NOT_PUBLIC_V6 = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3ffe::/16",
  "3fff::/20",
] as const;
/** Interface ids that embed an IPv4 address of the site: ISATAP. */
const ISATAP = [
  [0x00, 0x00, 0x5e, 0xfe],
  [0x02, 0x00, 0x5e, 0xfe],
] as const;

interface Range {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

const toRange = (text: string): Range => {
  const [address = "", bits] = text.split("/");
  const bytes = parseAddress(address) ?? new Uint8Array();
  return { bytes, bits: bits === undefined ? bytes.length * 8 : Number(bits) };
};

const isIn = (address: Uint8Array, { bytes, bits }: Range): boolean =>
  address.length === bytes.length &&
  bytes.every((byte, index) => {
    const bitsOfByte = Math.min(8, Math.max(0, bits - 8 * index));
    return (((address[index] ?? 0) ^ byte) & (0xff00 >> bitsOfByte)) === 0;
  });

/**
 * Creates ranges that are parsed on first use, because most checks see a host name and need no
 * ranges.
 */
const createRanges = (texts: readonly string[]): (() => readonly Range[]) => {
  let ranges: readonly Range[] | undefined;
  return () => (ranges ??= texts.map(toRange));
};

const notPublic = createRanges([...NOT_PUBLIC_V4, ...NOT_PUBLIC_V6]);
const publicV6 = createRanges([PUBLIC_V6]);
const loopback = createRanges(["127.0.0.0/8", "::1/128"]);

/** Whether the text is an address of the public network in canonical form. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text);
  if (address === undefined || notPublic().some((range) => isIn(address, range))) return false;
  if (address.length === 4) return true;
  return (
    publicV6().some((range) => isIn(address, range)) &&
    !ISATAP.some((prefix) => prefix.every((byte, index) => address[8 + index] === byte))
  );
};

/**
 * Creates the predicate whether an address is in one of these addresses and networks. An IPv4
 * address in IPv6 form counts as IPv4.
 */
export const createAddressSet = (texts: readonly string[]): ((address: string) => boolean) => {
  const ranges = createRanges(texts);
  return (text) => {
    if (texts.length === 0) return false;
    const address = parseAddress(text);
    return address !== undefined && ranges().some((range) => isIn(withoutMapping(address), range));
  };
};

/** `::ffff:0:0/96` */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] as const;
const withoutMapping = (address: Uint8Array): Uint8Array =>
  address.length === 16 && MAPPED.every((byte, index) => address[index] === byte) ? address.subarray(12) : address;

/** Whether the text is a loopback address. */
export const isLoopbackAddress = (text: string): boolean => {
  const address = parseAddress(text);
  return address !== undefined && loopback().some((range) => isIn(address, range));
};
