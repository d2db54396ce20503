import { expect, test } from "bun:test";
import { findWebhookUrlProblem } from "./webhook-url.ts";

const judge = (url: string, allowsLoopback = false) => findWebhookUrlProblem(url, { allowsLoopback });

/** First and last address of each reserved range, with the public neighbours that it has. */
test.each([
  ["0.0.0.0", "0.255.255.255", [undefined, "1.0.0.0"]],
  ["10.0.0.0", "10.255.255.255", ["9.255.255.255", "11.0.0.0"]],
  ["100.64.0.0", "100.127.255.255", ["100.63.255.255", "100.128.0.0"]],
  ["127.0.0.0", "127.255.255.255", ["126.255.255.255", "128.0.0.0"]],
  ["169.254.0.0", "169.254.255.255", ["169.253.255.255", "169.255.0.0"]],
  ["172.16.0.0", "172.31.255.255", ["172.15.255.255", "172.32.0.0"]],
  ["192.0.0.0", "192.0.0.255", ["191.255.255.255", "192.0.1.0"]],
  ["192.0.2.0", "192.0.2.255", ["192.0.1.255", "192.0.3.0"]],
  ["192.88.99.0", "192.88.99.255", ["192.88.98.255", "192.88.100.0"]],
  ["192.168.0.0", "192.168.255.255", ["192.167.255.255", "192.169.0.0"]],
  ["198.18.0.0", "198.19.255.255", ["198.17.255.255", "198.20.0.0"]],
  ["198.51.100.0", "198.51.100.255", ["198.51.99.255", "198.51.101.0"]],
  ["203.0.113.0", "203.0.113.255", ["203.0.112.255", "203.0.114.0"]],
  ["224.0.0.0", "255.255.255.255", ["223.255.255.255", undefined]],
])("the addresses from %s to %s are not public, and their neighbours are", (first, last, neighbours) => {
  for (const inner of [first, last]) expect(judge(`https://${inner}/`)).toBe("is not a public address");
  for (const outer of neighbours) if (outer !== undefined) expect(judge(`https://${outer}/`)).toBeUndefined();
});

test("an IPv6 address is global unicast, without documentation and embedded IPv4 addresses", () => {
  for (const address of ["2001:4860:4860::8888", "2606:4700::1111", "2a00::1", "3000::1", "2003::1"])
    expect([address, judge(`https://[${address}]/`)]).toEqual([address, undefined]);
  for (const address of ["::", "::1", "1000::1", "4000::1", "fc00::1", "2001::1", "2001:db8::1", "2002:808:808::1"])
    expect([address, judge(`https://[${address}]/`)]).toEqual([address, "is not a public address"]);
});

test("a name is of the public network", () => {
  for (const host of ["example.com", "EXAMPLE.COM.", "local.example.com", "home.org", "a.internal.io"])
    expect([host, judge(`https://${host}/`)]).toEqual([host, undefined]);
  const ends = ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "arpa", "test", "onion"];
  for (const host of ["printer", "localhost", ...ends.flatMap((end) => [`a.${end}`, `a.${end.toUpperCase()}.`])])
    expect([host, judge(`https://${host}/`)]).toEqual([host, "is a name of a local network"]);
});

test("a URL with a name or a password contains a credential", () => {
  for (const part of ["name", ":secret", "name:secret"])
    expect(judge(`https://${part}@example.com/`)).toBe("contains a credential");
});

test("the problem of a URL is the first that applies", () => {
  expect([judge("ftp://example.com/"), judge("nothing"), judge("http://example.com/")]).toEqual([
    ...["is not an http or https URL", "is not an http or https URL", "is not https"],
  ]);
});

test("this machine is allowed only by the config, by any of its names", () => {
  for (const host of ["localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "[::1]"])
    for (const scheme of ["http", "https"])
      expect([judge(`${scheme}://${host}/`, true), typeof judge(`${scheme}://${host}/`)]).toEqual([
        undefined,
        "string",
      ]);
  for (const host of ["128.0.0.1", "localhost.example.com", "[::2]", "x.localhost"])
    expect([host, typeof judge(`http://${host}/`, true)]).toEqual([host, "string"]);
});
