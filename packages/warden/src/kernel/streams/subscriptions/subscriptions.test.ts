import { describe, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import { createPublicKey, verify } from "node:crypto";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createEd25519 } from "../../../adapter/bun/ed25519.ts";
import { openSqlite } from "../../../adapter/bun/sqlite.ts";
import { createFakeLog } from "../../log/log.ts";
import { createMemoryBlobs } from "../../store/memory-blobs.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { createSqliteStore } from "../../store/sqlite.ts";
import type { Store } from "../../store/store.ts";
import { createDurableStreams } from "../durable.ts";
import { createOwnStreams } from "../own-streams.ts";
import { createFakeEd25519 } from "./fake-ed25519.ts";
import { matchesPattern } from "./pattern.ts";
import { createSigning } from "./signing.ts";
import { subscriptionsConformance, type SubscriptionsHarness } from "./subscriptions.conformance.ts";
import { findWebhookUrlProblem } from "./webhook-url.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

const over = (openStore: () => Promise<Store>) => async (): Promise<SubscriptionsHarness> => {
  const store = await openStore();
  const blobs = createMemoryBlobs(hash);
  return {
    store,
    open: (world, mayReach) =>
      createOwnStreams({
        ...{ world, log: createFakeLog(), store, streams: createDurableStreams({ world, store, blobs }) },
        release: async () => {},
        url: () => "http://house",
        ed25519: createFakeEd25519(world),
        mayReach: async (agent) => mayReach(agent),
      }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
};

subscriptionsConformance(
  "over the store in memory",
  over(() => Promise.resolve(createMemoryStore())),
);
subscriptionsConformance(
  "over SQLite",
  over(() =>
    createSqliteStore({
      database: openSqlite(":memory:"),
      clock: createBunClock(),
    }),
  ),
);

test.each([
  ["a/b", "a/b", true],
  ["a/*", "a/b", true],
  ["a/*", "a/b/c", false],
  ["a/*", "a", false],
  ["*", "a", true],
  ["**", "a/b/c", true],
  ["a/**", "a", true],
  ["a/**", "a/b/c", true],
  ["**/c", "a/b/c", true],
  ["**/c", "c", true],
  ["a/**/d", "a/b/c/d", true],
  ["a/**/d", "a/d", true],
  ["a/**/d", "a/b/c", false],
  ["a*", "ab", false],
  ["a.c", "abc", false],
])("the pattern %p over %p: %p", (pattern, path, expected) => {
  expect(matchesPattern(pattern, path)).toBe(expected);
});

test("a pattern with many parts is matched quickly", () => {
  expect(
    matchesPattern(Array.from({ length: 100 }, () => "**").join("/") + "/end", Array(200).fill("a").join("/")),
  ).toBe(false);
});

describe("the URL of a webhook", () => {
  const judge = (url: string, allowsLoopback = false) => findWebhookUrlProblem(url, { allowsLoopback });

  test.each([
    "https://example.com/hook?x=1",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://sub.example.co.uk:8443/",
  ])("may be %s", (url) => {
    expect(judge(url)).toBeUndefined();
  });

  test.each([
    "not an address",
    "ftp://example.com/",
    "file:///etc/passwd",
    "http://example.com/",
    "https://name:secret@example.com/",
    "https://localhost/",
    "https://localhost./",
    "https://printer/",
    "https://db.internal/",
    "https://nas.local./",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f.0.0.1/",
    "https://0/",
    "https://10.0.0.1/",
    "https://100.64.1.1/",
    "https://169.254.169.254/",
    "https://172.31.0.1/",
    "https://192.168.1.1/",
    "https://198.19.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::1]/",
    "https://[::]/",
    "https://[fd00::1]/",
    "https://[fe80::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::a00:1]/",
    "https://[2002:a00:1::]/",
    "https://[2001:db8::1]/",
  ])("may not be %s", (url) => {
    expect(judge(url)).toBeString();
  });

  test.each(["http://127.0.0.1:8080/hook", "http://localhost/", "http://[::1]:1/"])(
    "may be %s if the config allows this machine",
    (url) => {
      expect([judge(url, true), typeof judge(url)]).toEqual([undefined, "string"]);
    },
  );

  test("may not be another machine of the network, whatever the config says", () => {
    expect(judge("http://10.0.0.1/hook", true)).toBeString();
    expect(judge("http://example.com/hook", true)).toBeString();
  });
});

test("a signature can be checked with the public key, which is created once", async () => {
  const world = createFakeWorld({ hash });
  await using store = createMemoryStore();
  const open = () => createSigning({ world, store, ed25519: createEd25519() });
  expect(await open().publicKeys()).toEqual([]);
  const signatures = await Promise.all([open().sign("body"), open().sign("body")]);
  const keys = await open().publicKeys();
  for (const signature of signatures) {
    const [, seconds, kid, text = ""] = /^t=(\d+),kid=(ds_\w+),ed25519=([\w-]+)$/.exec(signature) ?? [];
    const key = keys.find((key) => key.kid === kid);
    const isValid = (body: string): boolean =>
      verify(
        null,
        Buffer.from(`${seconds}.${body}`),
        createPublicKey({ key: { ...key }, format: "jwk" }),
        Buffer.from(text, "base64url"),
      );
    expect([isValid("body"), isValid("other")]).toEqual([true, false]);
  }
  expect(await open().keyId()).toBe(keys[0]?.kid ?? "");
});
