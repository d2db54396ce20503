/** Which grants allow a request, and what a refusal says. */
import { expect, test } from "bun:test";
import type { EgressGrant } from "@hearth/protocol";
import { grantsFor, reachesHost, refusalOf, type RequestTarget } from "./grants.ts";

const request: RequestTarget = { scheme: "https", host: "x.example", port: 443, method: "GET", path: "/a/b" };
const grant = (more: Partial<EgressGrant> = {}): EgressGrant => ({ host: "x.example", ...more }) as EgressGrant;

test.each([
  ["its host", grant(), {}, true],
  ["another host", grant({ host: "y.example" }), {}, false],
  ["a pattern of hosts", grant({ host: "*.example" }), {}, true],
  ["the usual port of https", grant(), { port: 80 }, false],
  ["the usual port of http", grant(), { scheme: "http", port: 80 }, true],
  ["https on the port of http", grant(), { scheme: "http", port: 443 }, false],
  ["its own port only", grant({ port: 8443 }), {}, false],
  ["its own port", grant({ port: 8443 }), { port: 8443 }, true],
  ["its method", grant({ methods: ["POST", "GET"] }), {}, true],
  ["another method", grant({ methods: ["POST"] }), {}, false],
  ["no method", grant({ methods: [] }), {}, false],
  ["a path below its own", grant({ path: "/a" }), {}, true],
  ["another path", grant({ path: "/b" }), {}, false],
] as const)("a grant and a request with %s", (_what, one, more, isAllowed) => {
  const wanted: RequestTarget = { ...request, ...more };
  expect(grantsFor([grant({ host: "other.example" }), one], wanted)).toEqual(isAllowed ? [one] : []);
});

test("all grants that allow a request are returned in their order", () => {
  const all = [grant({ path: "/a" }), grant({ path: "/c" }), grant()];
  expect(grantsFor(all, request)).toEqual([all[0] as EgressGrant, all[2] as EgressGrant]);
});

test("a grant without a port reaches the usual ports, and one with a port only this one", () => {
  const reached = (grant: EgressGrant) =>
    [80, 443, 8443].filter((port) => reachesHost([grant], { host: "x.example", port }));
  expect(reached(grant())).toEqual([80, 443]);
  expect(reached(grant({ port: 8443 }))).toEqual([8443]);
  expect(reached(grant({ host: "y.example" }))).toEqual([]);
});

test("a refusal says whether the network, the host or the request is not granted", () => {
  expect(refusalOf([], request)).toContain("no grant for the network");
  expect(refusalOf([grant({ host: "y.example" })], request)).toContain("no grant for x.example:443");
  expect(refusalOf([grant({ methods: ["POST"] })], request)).toContain("do not allow GET /a/b");
});

test("the public web fits reads of named hosts over HTTPS, and a refusal says so", () => {
  const web = grant({ host: "*" });
  const isAllowed = (more: Partial<RequestTarget>) => grantsFor([web], { ...request, ...more }).length === 1;
  expect(isAllowed({})).toBe(true);
  expect(isAllowed({ method: "HEAD" })).toBe(true);
  expect(isAllowed({ method: "POST" })).toBe(false);
  expect(isAllowed({ scheme: "http", port: 80 })).toBe(false);
  expect(isAllowed({ port: 8443 })).toBe(false);
  expect(isAllowed({ host: "93.184.216.34" })).toBe(false);
  expect(isAllowed({ host: "[2606:2800::1]" })).toBe(false);
  expect(isAllowed({ host: "model.hearth" })).toBe(false);
  expect(reachesHost([web], request)).toBe(false);
  expect(refusalOf([web], { ...request, method: "POST" })).toContain("by GET at https addresses");
});
