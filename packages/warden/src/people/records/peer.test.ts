import { expect, test } from "bun:test";
import { toOrigin } from "./peer.ts";

test("all names of this machine are one origin, and no other machine's are", () => {
  const loopback = toOrigin("127.0.0.1");
  for (const name of [
    "127.0.0.2",
    "127.255.255.254",
    "::1",
    "::ffff:127.0.0.1",
    "::FFFF:127.0.0.9",
    "::ffff:7f00:1",
    "0:0:0:0:0:0:0:1",
  ])
    expect([name, toOrigin(name)]).toEqual([name, loopback]);
  for (const other of ["10.0.0.1", "::2", "::ffff:10.0.0.1", "2001:db8::1", "fe80::1%lo", "128.0.0.1", undefined, ""])
    expect([other, toOrigin(other)]).not.toEqual([other, loopback]);
});

test("IPv4 in IPv6 is IPv4, in any notation", () => {
  for (const name of ["203.0.113.7", "::ffff:203.0.113.7", "::ffff:cb00:7107", "0:0:0:0:0:ffff:203.0.113.7"])
    expect(toOrigin(name)).toBe("203.0.113.7");
  expect(toOrigin("203.0.113.8")).not.toBe("203.0.113.7");
});

test("an IPv6 address counts by its network, because one machine has all of its addresses", () => {
  const one = toOrigin("2001:db8:1:2::1");
  for (const name of ["2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0DB8:0001:0002::abcd", "2001:db8:1:2:0:0:0:1%eth0"])
    expect([name, toOrigin(name)]).toEqual([name, one]);
  expect(toOrigin("fe80::1%eth0")).toBe(toOrigin("fe80::2%wlan0"));
  expect(toOrigin("::1%lo")).toBe(toOrigin("::1"));
  expect(toOrigin("2001:db8:1:3::1")).not.toBe(one);
  expect(toOrigin("2001:db8::1")).not.toBe(one);
});

test("unknown addresses are one origin, separate from all others", () => {
  expect(toOrigin(undefined)).toBe(toOrigin(""));
  expect(toOrigin(undefined)).not.toBe(toOrigin("127.0.0.1"));
});
