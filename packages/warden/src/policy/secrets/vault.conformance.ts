/** The contract of `Vault` as tests. */
import { describe, expect, test } from "bun:test";
import { type AgentId, type ErrorCode, type HouseId, isHearthError, type NewSecretGrant } from "@hearth/protocol";
import { toDestination } from "./secret-rules.ts";
import type { Outgoing, Vault } from "./vault.ts";

export interface VaultHarness extends AsyncDisposable {
  readonly vault: Vault;
  readonly house: HouseId;
  readonly otherHouse: HouseId;
  /** Two agents of `house`, and one of the other. */
  readonly main: AgentId;
  readonly second: AgentId;
  readonly stranger: AgentId;
  /** Returns the same vault without its key. */
  locked(): Promise<Vault>;
  advance(ms: number): Promise<void>;
}

const VALUE = "a secret value, ä and 🐎, \u0000 and all";
const TOKEN = "tok_0123456789";
const requestTo = (overrides: Partial<Outgoing> = {}): Outgoing => ({
  ...{ scheme: "https", host: "api.example.org", port: 443, method: "GET" },
  ...overrides,
});

const codeOf = async (work: Promise<unknown>): Promise<ErrorCode | undefined> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  const errorText = JSON.stringify(error, Object.getOwnPropertyNames(error));
  for (const value of [VALUE, TOKEN, "7 bytes"]) expect(errorText).not.toContain(value);
  if (!isHearthError(error)) throw error;
  return error.code;
};

export const vaultConformance = (name: string, open: () => Promise<VaultHarness>): void => {
  describe(`vault: ${name}`, () => {
    const setUp = async () => {
      const harness = await open();
      const { vault, house, main } = harness;
      const set = (secret = "ONE", value = TOKEN) => vault.set(house, { name: secret, value }, main);
      const grant = (overrides: Partial<NewSecretGrant> = {}, secret = "ONE") =>
        vault.grant(house, secret, { agent: main, host: "api.example.org", as: "bearer", ...overrides }, main);
      const values = async (agent: AgentId, overrides?: Partial<Outgoing>) =>
        (await vault.injectionsFor(agent, requestTo(overrides))).map(({ value }) => value);
      return { ...harness, harness, set, grant, values, [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose]() };
    };

    test("A26: the house's own values are in no list, and no request can name one", async () => {
      await using open = await setUp();
      const { vault, house, otherHouse, main, set } = open;
      await set();
      await vault.own.set(house, "seed", VALUE);
      expect([await vault.own.read(house, "seed"), await vault.own.names(house)]).toEqual([VALUE, ["seed"]]);
      expect([await vault.own.read(otherHouse, "seed"), await vault.own.names(otherHouse)]).toEqual([undefined, []]);
      expect((await vault.list(house)).map(({ name }) => name)).toEqual(["ONE"]);
      const grant = { agent: main, host: "api.example.org", as: "bearer" } as const;
      for (const stored of ["seed", "own:seed"]) {
        expect(await vault.read(house, stored)).toBeUndefined();
        expect(await vault.readFor(house, stored, requestTo())).toBeUndefined();
        expect(await codeOf(vault.grant(house, stored, grant, main))).toBe("secret.not-found");
        expect(await codeOf(vault.remove(house, stored, main))).toBe("secret.not-found");
      }
      for (const change of ["set", "rotate"] as const)
        expect(await codeOf(vault[change](house, { name: "own:seed", value: TOKEN }, main))).toBe("secret.invalid");
      expect(await codeOf(vault.own.set(house, "seed", TOKEN))).toBe("secret.taken");
      expect(await vault.own.read(house, "seed")).toBe(VALUE);
    });

    test("the house's own values survive another key, and are removed while the vault is locked", async () => {
      await using open = await setUp();
      const { vault, harness, house } = open;
      await vault.own.set(house, "seed", VALUE);
      await vault.changeKey({ source: "passphrase", passphrase: "a long passphrase" });
      expect(await vault.own.read(house, "seed")).toBe(VALUE);
      const locked = await harness.locked();
      expect(await codeOf(locked.own.read(house, "seed"))).toBe("secret.locked");
      await locked.own.remove(house, "seed");
      expect(await locked.own.names(house)).toEqual([]);
      await locked.own.remove(house, "seed");
    });

    test("returns a value exactly as it was set, within its house", async () => {
      await using open = await setUp();
      const { vault, house, otherHouse, set } = open;
      expect(vault.status()).toEqual({ state: "empty" });
      await set("ONE", VALUE);
      expect(await vault.read(house, "ONE")).toBe(VALUE);
      expect([await vault.read(house, "TWO"), await vault.read(otherHouse, "ONE")]).toEqual([undefined, undefined]);
      expect(vault.status().state).toBe("open");
    });

    test("lists names, versions and times, sorted by name, without values", async () => {
      await using open = await setUp();
      const { vault, house, otherHouse, main, set, advance } = open;
      const first = await set("b-two", VALUE);
      await advance(5);
      await set("A_one");
      await advance(5);
      const rotated = await vault.rotate(house, { name: "b-two", value: `${VALUE}!` }, main);
      expect(await vault.list(house)).toEqual([
        { name: "A_one", version: 1, createdAt: first.createdAt + 5, setAt: first.createdAt + 5, grants: [] },
        rotated,
      ]);
      expect(rotated).toEqual({ ...first, version: 2, setAt: first.createdAt + 10 });
      expect(await vault.list(otherHouse)).toEqual([]);
      expect(JSON.stringify(await vault.list(house))).not.toContain("a secret");
    });

    test("set never replaces a secret, rotate never creates one, and two houses may use the same name", async () => {
      await using open = await setUp();
      const { vault, house, otherHouse, main, set } = open;
      await set();
      expect(await codeOf(set("ONE", VALUE))).toBe("secret.taken");
      expect(await codeOf(vault.rotate(house, { name: "TWO", value: VALUE }, main))).toBe("secret.not-found");
      await vault.set(otherHouse, { name: "ONE", value: VALUE }, main);
      expect([await vault.read(house, "ONE"), await vault.read(otherHouse, "ONE")]).toEqual([TOKEN, VALUE]);
    });

    test("of two concurrent sets of one name, one fails with `secret.taken`", async () => {
      await using open = await setUp();
      const { vault, house, set } = open;
      const codes = await Promise.all([codeOf(set("ONE", "the first value")), codeOf(set("ONE", "the other value"))]);
      expect(codes).toEqual([undefined, "secret.taken"]);
      expect(await vault.read(house, "ONE")).toBe("the first value");
    });

    test.each([
      ["a name with a space", "O NE", TOKEN],
      ["a name that is a path", "../ONE", TOKEN],
      ["no name", "", TOKEN],
      ["a name of 65 letters", "x".repeat(65), TOKEN],
      ["a short value", "ONE", "7 bytes"],
      ["a long value", "ONE", "x".repeat(64 * 1024 + 1)],
      ["half a character", "ONE", `${TOKEN}\ud800`],
    ])("%s is refused", async (_what, secret, value) => {
      await using open = await setUp();
      expect(await codeOf(open.set(secret, value))).toBe("secret.invalid");
      expect(await open.vault.list(open.house)).toEqual([]);
    });

    test.each([
      ["a short value", "7 bytes"],
      ["a long value", "x".repeat(64 * 1024 + 1)],
      ["half a character", `${TOKEN}\ud800`],
    ])("%s does not take the place of a value", async (_what, value) => {
      await using open = await setUp();
      const { vault, house, main, set } = open;
      await set("ONE");
      expect(await codeOf(vault.rotate(house, { name: "ONE", value }, main))).toBe("secret.invalid");
      expect(await vault.read(house, "ONE")).toBe(TOKEN);
      expect((await vault.list(house)).map(({ version }) => version)).toEqual([1]);
    });

    test("stores a value of the longest length", async () => {
      await using open = await setUp();
      const value = "x".repeat(64 * 1024);
      await open.set("ONE", value);
      expect(await open.vault.read(open.house, "ONE")).toBe(value);
    });

    test("limits all values of a home together, and allows changes within the limit", async () => {
      await using open = await setUp();
      const { vault, house, otherHouse, main, set } = open;
      const value = "x".repeat(64 * 1024);
      for (let index = 0; index < 16; index += 1)
        await vault.set(index < 8 ? house : otherHouse, { name: `N${index}`, value }, main);
      expect(await codeOf(set("ONE"))).toBe("secret.invalid");
      await vault.rotate(house, { name: "N0", value: "y".repeat(64 * 1024) }, main);
      await vault.rotate(house, { name: "N0", value: "y".repeat(60 * 1024) }, main);
      await set("ONE");
    });

    test("counts a secret of another house with the same name", async () => {
      await using open = await setUp();
      const { vault, house, otherHouse, main, set } = open;
      const value = "x".repeat(64 * 1024);
      for (let index = 0; index < 16; index += 1) await vault.set(otherHouse, { name: `N${index}`, value }, main);
      expect(await codeOf(set("N0"))).toBe("secret.invalid");
      expect(await vault.list(house)).toEqual([]);
    });

    test("removes a secret with its grants, and a new secret of that name has none of them", async () => {
      await using open = await setUp();
      const { vault, house, main, set, grant, values } = open;
      await set();
      await grant();
      await vault.remove(house, "ONE", main);
      expect([await vault.read(house, "ONE"), await vault.list(house), await values(main)]).toEqual([
        undefined,
        [],
        [],
      ]);
      expect(await codeOf(vault.remove(house, "ONE", main))).toBe("secret.not-found");
      expect((await set("ONE", "another value")).grants).toEqual([]);
      expect(await values(main)).toEqual([]);
    });

    test("injects only what was granted, and exactly that", async () => {
      await using open = await setUp();
      const { vault, main, second, stranger, set, grant, values } = open;
      await set();
      expect(await values(main)).toEqual([]);
      expect(await vault.hasGrants()).toBe(false);
      const createdGrant = await grant();
      expect(await vault.hasGrants()).toBe(true);
      expect(await vault.injectionsFor(main, requestTo())).toEqual([
        { secret: "ONE", header: "Authorization", value: `Bearer ${TOKEN}` },
      ]);
      expect((await vault.list(open.house))[0]?.grants).toEqual([createdGrant]);
      for (const other of [second, stranger]) expect(await values(other)).toEqual([]);
    });

    test.each<[string, Partial<Outgoing>]>([
      ["another host", { host: "example.org" }],
      ["a host below it", { host: "x.api.example.org" }],
      ["a host that ends like it", { host: "evilapi.example.org" }],
      ["a host that begins like it", { host: "api.example.org.evil.com" }],
      ["another port", { port: 8443 }],
      ["another method", { method: "DELETE" }],
      ["plain HTTP", { scheme: "http", port: 80 }],
      ["plain HTTP on the port of TLS", { scheme: "http", port: 443 }],
    ])("%s gets none", async (_what, overrides) => {
      await using open = await setUp();
      await open.set();
      await open.grant({ methods: ["GET", "POST"] });
      expect(await open.values(open.main)).toHaveLength(1);
      expect(await open.values(open.main, overrides)).toEqual([]);
    });

    test("a wildcard host covers every name below it, and a port and plain HTTP have to be granted explicitly", async () => {
      await using open = await setUp();
      const { main, set, grant, values } = open;
      await set();
      await grant({ host: "*.example.org", port: 8080, plain: true });
      const count = async (overrides: Partial<Outgoing>) => (await values(main, { port: 8080, ...overrides })).length;
      expect(await count({ host: "a.example.org" })).toBe(1);
      expect(await count({ host: "a.b.example.org", scheme: "http" })).toBe(1);
      expect(await count({ host: "example.org" })).toBe(0);
      expect(await count({ host: ".example.org" })).toBe(0);
      expect(await count({ host: "a.example.org", port: 80, scheme: "http" })).toBe(0);
    });

    test("writes the header as the grant says", async () => {
      await using open = await setUp();
      const { vault, main, set, grant } = open;
      await set();
      await grant({ as: "basic:git user" });
      await grant({ as: "header:X-Api-Key" });
      expect(await vault.injectionsFor(main, requestTo())).toEqual([
        { secret: "ONE", header: "Authorization", value: `Basic ${btoa(`git user:${TOKEN}`)}` },
        { secret: "ONE", header: "X-Api-Key", value: TOKEN },
      ]);
    });

    test("of two grants for one header, the more exact host wins, then the newer grant", async () => {
      await using open = await setUp();
      const { main, set, grant, values, advance } = open;
      for (const secret of ["WIDE", "EXACT", "NEWER"]) await set(secret, `value-of-${secret}`);
      await grant({ as: "header:x-key" }, "EXACT");
      await advance(5);
      await grant({ host: "*.example.org", as: "header:X-Key" }, "WIDE");
      expect(await values(main)).toEqual(["value-of-EXACT"]);
      expect(await values(main, { host: "b.example.org" })).toEqual(["value-of-WIDE"]);
      await advance(5);
      await grant({ as: "header:X-Key" }, "NEWER");
      expect(await values(main)).toEqual(["value-of-NEWER"]);
    });

    test("a value that a header cannot contain is neither granted for one nor injected later", async () => {
      await using open = await setUp();
      const { vault, house, main, set, grant } = open;
      await set("ONE", "two\r\nlines: of text");
      for (const as of ["bearer", "header:X-Key"] as const) expect(await codeOf(grant({ as }))).toBe("secret.invalid");
      await grant({ as: "basic:git" });
      await set("TWO");
      await grant({}, "TWO");
      expect(await codeOf(vault.rotate(house, { name: "TWO", value: "two\nlines" }, main))).toBe("secret.invalid");
      expect(await vault.read(house, "TWO")).toBe(TOKEN);
    });

    test("a provider reads a secret only for a host, port and scheme that a grant for providers names", async () => {
      await using open = await setUp();
      const { vault, house, main, set, grant } = open;
      const readFor = (url: string) => vault.readFor(house, "ONE", toDestination(new URL(url)));
      expect(await readFor("https://api.example.org/v1")).toBeUndefined();
      await set();
      // Grants for agents do not apply to providers, and the other way round.
      await grant();
      expect(await codeOf(readFor("https://api.example.org/v1"))).toBe("secret.invalid");
      await grant({ agent: "providers", host: "models.example.org" });
      await grant({ agent: "providers", host: "home.example.org", port: 8080, plain: true });
      expect(await readFor("https://models.example.org/v1")).toBe(TOKEN);
      expect(await readFor("http://home.example.org:8080")).toBe(TOKEN);
      for (const refused of [
        "https://api.example.org",
        "https://models.example.org:8443",
        "http://models.example.org",
        "https://models.example.org.evil.example",
        "https://evil.example/models.example.org",
        "http://home.example.org",
      ])
        expect([refused, await codeOf(readFor(refused))]).toEqual([refused, "secret.invalid"]);
      expect(await vault.injectionsFor(main, requestTo({ host: "models.example.org" }))).toEqual([]);
      const [info] = await vault.list(house);
      for (const { id, agent } of info?.grants ?? [])
        if (agent === "providers") await vault.revoke(house, "ONE", id, main);
      expect(await codeOf(readFor("https://models.example.org/v1"))).toBe("secret.invalid");
    });

    test("a grant requires an agent of the same house and an existing secret", async () => {
      await using open = await setUp();
      const { set, grant, stranger } = open;
      await set();
      expect(await codeOf(grant({ agent: stranger }))).toBe("secret.invalid");
      expect(await codeOf(grant({}, "TWO"))).toBe("secret.not-found");
    });

    test("grants survive a change of the value and are revoked one by one", async () => {
      await using open = await setUp();
      const { vault, house, otherHouse, main, set, grant, values } = open;
      await set();
      const first = await grant();
      await grant({ host: "other.example.org" });
      await vault.rotate(house, { name: "ONE", value: "tok_rotated" }, main);
      expect(await values(main)).toEqual(["Bearer tok_rotated"]);
      expect(await codeOf(vault.revoke(otherHouse, "ONE", first.id, main))).toBe("secret.not-found");
      expect(await codeOf(vault.revoke(house, "TWO", first.id, main))).toBe("secret.not-found");
      await vault.revoke(house, "ONE", first.id, main);
      expect(await codeOf(vault.revoke(house, "ONE", first.id, main))).toBe("secret.not-found");
      expect([await values(main), await values(main, { host: "other.example.org" })]).toEqual([
        [],
        ["Bearer tok_rotated"],
      ]);
    });

    test("a change of the key keeps all values and grants", async () => {
      await using open = await setUp();
      const { vault, house, main, set, grant, values } = open;
      await set();
      await set("TWO", VALUE);
      await grant();
      const before = await vault.list(house);
      expect(await vault.changeKey({ source: "passphrase", passphrase: "correct horse battery" })).toEqual({
        state: "open",
        source: "passphrase",
      });
      expect([await vault.list(house), await vault.read(house, "TWO")]).toEqual([before, VALUE]);
      expect(await values(main)).toEqual([`Bearer ${TOKEN}`]);
      expect(await codeOf(vault.changeKey({ source: "passphrase", passphrase: "short" }))).toBe("secret.invalid");
      expect(await codeOf(vault.changeKey({ source: "passphrase" }))).toBe("secret.invalid");
      expect(vault.status()).toEqual({ state: "open", source: "passphrase" });
    });

    test("A64: with a right instead of the level, a secret reaches no new host and is sent in no new way", async () => {
      await using open = await setUp();
      const { vault, house, main, second, set, grant, values } = open;
      await set();
      const terms = { host: "api.example.org", as: "bearer" } as const;
      const extend = (overrides: Partial<NewSecretGrant> = {}) =>
        codeOf(vault.grant(house, "ONE", { ...terms, agent: second, ...overrides }, main, "secrets"));
      expect(await extend()).toBe("auth.denied");
      await grant({ agent: "providers", host: "api.example.org" });
      expect(await extend()).toBe("auth.denied");
      const { id } = await grant({ methods: ["GET"], port: 8443 });
      const granted = { methods: ["GET"] as NewSecretGrant["methods"], port: 8443 };
      expect(await extend()).toBe("auth.denied");
      for (const overrides of [
        { host: "evil.example.org" },
        { host: "*.example.org" },
        { port: 443 },
        { as: "header:X-Key" },
        { plain: true },
        { methods: ["GET", "POST"] },
        { methods: undefined },
      ] as const)
        expect([overrides, await extend({ ...granted, ...(overrides as Partial<NewSecretGrant>) })]).toEqual([
          overrides,
          "auth.denied",
        ]);
      expect(await values(second, { port: 8443 })).toEqual([]);
      expect(await extend(granted)).toBeUndefined();
      expect(await values(second, { port: 8443 })).toEqual([`Bearer ${TOKEN}`]);
      expect(await codeOf(vault.revoke(house, "ONE", id, main, "secrets"))).toBeUndefined();
      expect(await codeOf(vault.rotate(house, { name: "ONE", value: `${TOKEN}!` }, main, "secrets"))).toBeUndefined();
      expect(await codeOf(vault.remove(house, "ONE", main, "secrets"))).toBeUndefined();
    });

    test("a locked vault lists names, refuses reads and changes, and allows removals", async () => {
      await using open = await setUp();
      const { harness, house, main, set, grant } = open;
      await set();
      await set("TWO", VALUE);
      const createdGrant = await grant();
      await grant({ host: "other.example.org" });
      const before = await open.vault.list(house);
      const vault = await harness.locked();
      expect(vault.status()).toMatchObject({ state: "locked", why: expect.any(String), fix: expect.any(String) });
      const terms = { agent: main, host: "api.example.org", as: "bearer" } as const;
      for (const work of [
        () => vault.set(house, { name: "THREE", value: VALUE }, main),
        () => vault.rotate(house, { name: "ONE", value: `${TOKEN}!` }, main),
        () => vault.grant(house, "ONE", terms, main),
        () => vault.read(house, "ONE"),
        () => vault.injectionsFor(main, requestTo()),
        () => vault.changeKey({ source: "file" }),
      ])
        expect(await codeOf(work())).toBe("secret.locked");
      expect(await vault.list(house)).toEqual(before);
      // Without a grant, a locked vault has nothing to inject.
      expect(await vault.injectionsFor(main, requestTo({ host: "nowhere.example.org" }))).toEqual([]);
      await vault.revoke(house, "ONE", createdGrant.id, main);
      await vault.remove(house, "TWO", main);
      const remainingSecrets = await vault.list(house);
      expect(remainingSecrets.map(({ name: secret, grants }) => [secret, grants.length])).toEqual([["ONE", 1]]);
    });
  });
};
