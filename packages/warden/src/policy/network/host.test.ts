/** The one form of a host name, and which names a grant's pattern matches. */
import { expect, test } from "bun:test";
import { bareHost, matchesHost, normalizeHost, parseAuthority } from "./host.ts";

/** Host as written → its normal form; null if programs could read it differently. */
const HOSTS: readonly (readonly [text: string, host: string | null])[] = [
  ["x.example", "x.example"],
  ["X.Example.", "x.example"],
  ["x..example", null],
  [".x", null],
  ["x.", "x"],
  ["", null],
  ["x_y", "x_y"],
  ["-x", null],
  ["x-", null],
  ["a-b.c", "a-b.c"],
  ["1.2.3.4", "1.2.3.4"],
  ["1.2.3.4.", null],
  ["1.2.3", null],
  ["01.2.3.4", null],
  ["0x7f.1", null],
  ["x.0x1", null],
  ["x.1", null],
  ["x.1a", "x.1a"],
  ["[::1]", "[::1]"],
  ["[::1", null],
  ["[::1%lo]", null],
  ["[1.2.3.4]", null],
  ["[0:0::1]", "[::1]"],
  ["x y", null],
  ["é.example", null],
];

test.each([...HOSTS])("the host %p is %p", (text, host) => {
  expect(normalizeHost(text) ?? null).toBe(host);
});

test("a label has at most 63 characters, and a name 253", () => {
  const label = "a".repeat(63);
  const longest = [label, label, label, "a".repeat(61)].join(".");
  for (const name of [label, longest]) expect(normalizeHost(name)).toBe(name);
  for (const name of [`${label}a`, `${longest}a`]) expect(normalizeHost(name)).toBeUndefined();
});

test.each([
  ["*.x.example", "a.x.example", true],
  ["*.x.example", "x.example", false],
  ["*.x.example", ".x.example", false],
  ["*.x.example", "ax.example", false],
  ["x.example", "x.example", true],
  ["x.example", "a.x.example", false],
  ["[0::1]", "[::1]", true],
  ["[::2]", "[::1]", false],
] as const)("the pattern %p and the host %p: %p", (pattern, host, isMatch) => {
  expect(matchesHost(pattern, host)).toBe(isMatch);
});

test.each([
  ["x.example", { host: "x.example" }],
  ["x.example:80", { host: "x.example", port: 80 }],
  ["x.example:0", null],
  ["x.example:65535", { host: "x.example", port: 65535 }],
  ["x.example:65536", null],
  ["[::1]:443", { host: "[::1]", port: 443 }],
  ["[::1]", { host: "[::1]" }],
  ["u@x.example", null],
  ["x.example/", null],
  ["x.example:", null],
  ["x.example:123456", null],
  ["x y:1", null],
])("the authority %j is %j", (text, authority) => {
  expect(JSON.stringify(parseAuthority(text) ?? null)).toBe(JSON.stringify(authority));
});

test("sockets take an address without brackets", () => {
  expect(["[::1]", "x.example", "1.2.3.4"].map(bareHost)).toEqual(["::1", "x.example", "1.2.3.4"]);
});
