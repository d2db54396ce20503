/**
 * Groups addresses into origins for attempt limits: all addresses of one machine are one origin.
 */

/** The origin of connections without an address. */
const UNKNOWN_ORIGIN = "unknown";
const LOOPBACK = "loopback";

/**
 * Returns the origin of an address, for limits. All loopback addresses are one origin, without
 * extra trust. IPv4 in IPv6 is IPv4. An IPv6 address counts by its network, because a machine has
 * all of its addresses.
 */
export const toOrigin = (address: string | undefined): string => {
  if (address === undefined || address === "") return UNKNOWN_ORIGIN;
  const normalized = address.toLowerCase();
  if (normalized.includes(":")) return originOfGroups(toGroups(normalized));
  return normalized.startsWith("127.") ? LOOPBACK : normalized;
};

const originOfGroups = (groups: readonly number[]): string => {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return toOrigin(
      groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 255])
        .join("."),
    );
  const isLoopback = groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1;
  return isLoopback
    ? LOOPBACK
    : `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(":")}::/64`;
};

/** Returns the eight groups of an IPv6 address. */
const toGroups = (address: string): readonly number[] => {
  const [headText = "", tailText] = address.split("::");
  const head = toNumbers(headText);
  if (tailText === undefined) return head;
  const tail = toNumbers(tailText);
  return [...head, ...Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
};

const toNumbers = (text: string): number[] =>
  text
    .split(":")
    .filter((part) => part !== "")
    .flatMap((part) => {
      if (!part.includes(".")) return [Number.parseInt(part, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number);
      return [a * 256 + b, c * 256 + d];
    });
