/** An address as one that attempts are counted for: whatever one machine could call itself is one. */

/** Everybody whose address is not known. */
const UNKNOWN = "unknown";
const LOOPBACK = "loopback";

/** Loopback is one, and trusted no more than any other. IPv4 in IPv6 is IPv4. Of IPv6, the network: a machine has all of its addresses. */
export const toOrigin = (address: string | undefined): string => {
  if (address === undefined || address === "") return UNKNOWN;
  const plain = address.toLowerCase();
  if (plain.includes(":")) return ofGroups(toGroups(plain));
  return plain.startsWith("127.") ? LOOPBACK : plain;
};

const ofGroups = (groups: readonly number[]): string => {
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

/** The eight groups of an IPv6 address. */
const toGroups = (address: string): readonly number[] => {
  const [before = "", after] = address.split("::");
  const head = toNumbers(before);
  if (after === undefined) return head;
  const tail = toNumbers(after);
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
