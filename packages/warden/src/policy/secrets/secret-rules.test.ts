import { describe, expect, test } from "bun:test";
import { MAX_SECRET_SIZE, MIN_SECRET_SIZE, type NewSecretGrant, type SecretGrant } from "@hearth/protocol";
import { checkRoom, checkSecret, chooseGrants, matchesGrant, MAX_VAULT_SIZE } from "./secret-rules.ts";
import { checkPassphrase } from "./vault-key.ts";

/** A grant with ids that a test can read. */
type Over = Omit<Partial<SecretGrant>, "id"> & { readonly id?: string };

const grant = (over: Over): { readonly grant: SecretGrant } => ({
  grant: {
    ...{ id: "g1", agent: "agent_1", by: "agent_0", at: 0, host: "api.example.org", as: "bearer" },
    ...over,
  } as SecretGrant,
});

describe("of several grants for one header", () => {
  const idsOf = (...granted: readonly Over[]): readonly string[] =>
    chooseGrants(granted.map(grant)).map(({ grant: { id } }) => id);
  const both = (a: Over, b: Over) => [idsOf(a, b), idsOf(b, a)];

  test.each<[string, Over, Over]>([
    ["the newer one wins", { id: "g2" }, { id: "g1" }],
    ["a full name wins over a pattern", { id: "g1" }, { id: "g2", host: "*.example.org" }],
    ["the longer pattern wins", { id: "g1", host: "*.api.example.org" }, { id: "g2", host: "*.example.org" }],
    [
      "the newer of two patterns of one length wins",
      { id: "g2", host: "*.example.org" },
      { id: "g1", host: "*.example.net" },
    ],
    ["names of headers differ in case only", { id: "g2", as: "header:X-Key" }, { id: "g1", as: "header:x-key" }],
  ])("%s, in any order", (_title, better, worse) => {
    expect(both(better, worse)).toEqual([[better.id as string], [better.id as string]]);
  });

  test("grants for other headers stay beside it", () => {
    expect(idsOf({ id: "g1" }, { id: "g2", as: "header:X-Key" }).toSorted()).toEqual(["g1", "g2"]);
    expect(idsOf()).toEqual([]);
  });
});

describe("a grant fits a request", () => {
  const to = { scheme: "https", host: "api.example.org", port: 443, method: "GET", path: "/" } as const;
  const terms = { agent: "agent_1", host: "api.example.org", as: "bearer" } as NewSecretGrant;

  test.each<[string, Partial<NewSecretGrant>, Partial<Parameters<typeof matchesGrant>[1]>]>([
    ["of its host over TLS", {}, {}],
    ["of a host below its pattern", { host: "*.example.org" }, {}],
    ["of the port that it names", { port: 8443 }, { port: 8443 }],
    ["of one of its methods", { methods: ["POST", "GET"] }, {}],
    ["over plain HTTP if it says so", { plain: true }, { scheme: "http", port: 80 }],
  ])("%s", (_title, more, how) => expect(matchesGrant({ ...terms, ...more }, { ...to, ...how })).toBe(true));

  test.each<[string, Partial<NewSecretGrant>, Partial<Parameters<typeof matchesGrant>[1]>]>([
    ["of another host", {}, { host: "example.org" }],
    ["of another port", {}, { port: 8443 }],
    ["of the usual port if it names another", { port: 8443 }, {}],
    ["of another method", { methods: ["POST"] }, {}],
    ["over plain HTTP", {}, { scheme: "http", port: 80 }],
    ["over plain HTTP at the port of TLS", { plain: true }, { scheme: "http" }],
  ])("but not %s", (_title, more, how) => expect(matchesGrant({ ...terms, ...more }, { ...to, ...how })).toBe(false));
});

describe("a limit of sizes", () => {
  const isRefused = (act: () => void): boolean => {
    try {
      act();
      return false;
    } catch (error) {
      expect(error).toMatchObject({ code: "secret.invalid" });
      return true;
    }
  };
  const CHECKS: readonly (readonly [what: string, limit: number, check: (size: number) => void])[] = [
    ["the value", MAX_SECRET_SIZE, (size) => checkSecret("KEY", "v".repeat(size))],
    // A character of two bytes: the limit is in bytes.
    ["a value of other letters", MAX_SECRET_SIZE / 2, (size) => checkSecret("KEY", "é".repeat(size))],
    ["all values together", MAX_VAULT_SIZE - 8, (size) => checkRoom("8 bytes.", size)],
  ];
  test.each(CHECKS)("%s has at most its maximum", (_what, limit, check) => {
    expect([isRefused(() => check(limit)), isRefused(() => check(limit + 1))]).toEqual([false, true]);
  });

  test("a value and a passphrase have at least their minimum", () => {
    const value = [MIN_SECRET_SIZE, MIN_SECRET_SIZE - 1].map((size) =>
      isRefused(() => checkSecret("KEY", "v".repeat(size))),
    );
    const passphrase = ["ten letter", "nine lett", undefined].map((text) => isRefused(() => checkPassphrase(text)));
    expect([value, passphrase]).toEqual([
      [false, true],
      [false, true, true],
    ]);
  });
});
