import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isHearthError } from "@hearth/protocol";
import { anchorConformance } from "../../../kernel/audit/anchor.conformance.ts";
import { chain, headOf, HOUSE } from "../../../kernel/audit/fixtures.conformance.ts";
import { createBunWorld } from "../world.ts";
import { createAnchorFiles } from "./anchor.ts";
import { openAuditParts } from "./parts.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hearth-audit-"));
});
afterEach(() => rmSync(home, { recursive: true }));

anchorConformance("files", async () => {
  const own = mkdtempSync(join(tmpdir(), "hearth-anchor-"));
  return {
    anchor: createAnchorFiles(own),
    reopen: () => createAnchorFiles(own),
    async [Symbol.asyncDispose]() {
      rmSync(own, { recursive: true });
    },
  };
});

const world = createBunWorld();
const modeOf = (name: string): number => statSync(join(home, name)).mode & 0o777;
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("only their owner can read the key and the anchor", async () => {
  const { anchor } = await openAuditParts(home, world);
  await anchor.write([]);
  expect(["keys", "keys/audit.key", "audit", "audit/heads.json"].map(modeOf)).toEqual([0o700, 0o600, 0o700, 0o600]);
});

test("the key is created once and is the same at every start", async () => {
  const [first, second] = [await openAuditParts(home, world), await openAuditParts(home, world)];
  const idsOf = ({ keys }: typeof first) => keys.confirmed().map(({ id }) => id);
  expect(idsOf(second)).toEqual(idsOf(first));
  expect(readFileSync(join(home, "keys/audit.key"), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
});

test("the seal equals HMAC-SHA-256 of another implementation", async () => {
  mkdirSync(join(home, "keys"));
  writeFileSync(join(home, "keys/audit.key"), "00".repeat(32));
  const { keys } = await openAuditParts(home, world);
  expect(keys.confirmed()[0]?.hmac("é")).toBe(createHmac("sha256", Buffer.alloc(32)).update("é").digest("hex"));
});

test("a log without its key is not continued", async () => {
  const { anchor } = await openAuditParts(home, world);
  await anchor.write([]);
  rmSync(join(home, "keys/audit.key"));
  const error = await failure(openAuditParts(home, world));
  expect(isHearthError(error, "store.damaged") && error.hint).toContain("from a backup");
  expect(existsSync(join(home, "keys/audit.key"))).toBe(false);
});

test("a new key is in the file before it is used, and stands first when it is the present one", async () => {
  const read = () => readFileSync(join(home, "keys/audit.key"), "utf8").trimEnd().split("\n");
  const { keys } = await openAuditParts(home, world);
  const [first = ""] = read();
  const { id } = await keys.prepare();
  expect(read()).toEqual([first, expect.stringMatching(/^next [0-9a-f]{64}$/)]);
  const [, next = ""] = read();
  // After a kill, the next start has the same keys.
  const again = (await openAuditParts(home, world)).keys;
  expect([again.confirmed().length, again.next()?.id]).toEqual([1, id]);
  await again.confirm();
  expect(read()).toEqual([next.replace("next ", ""), first]);
  expect(modeOf("keys/audit.key")).toBe(0o600);
  const last = (await openAuditParts(home, world)).keys;
  expect([last.confirmed().at(-1)?.id, last.next()]).toEqual([id, undefined]);
  await last.prepare();
  await last.confirm();
  expect(read().slice(1)).toEqual([next.replace("next ", ""), first]);
});

test("an invalid key file is rejected", async () => {
  mkdirSync(join(home, "keys"));
  const key = "0".repeat(64);
  for (const text of ["", "secret", "0".repeat(63), `next ${key}`, `${key}\nnext ${key}\n${key}`, `${key}\n\n${key}`]) {
    writeFileSync(join(home, "keys/audit.key"), text);
    expect(isHearthError(await failure(openAuditParts(home, world)), "store.damaged")).toBe(true);
  }
});

test("an invalid anchor file is reported and gives no head", async () => {
  const anchor = createAnchorFiles(home);
  await anchor.write([headOf(chain(HOUSE, ["{}"]))]);
  for (const text of ["", "{}", '[{"house":"x"}]', readFileSync(join(home, "audit/heads.json"), "utf8").slice(0, -3)]) {
    writeFileSync(join(home, "audit/heads.json"), text);
    expect(await anchor.read()).toEqual({ heads: [], lost: [], isBroken: true });
  }
  await anchor.setAside(7);
  expect(readdirSync(join(home, "audit"))).toEqual(["lost-7.json"]);
  expect(await anchor.read()).toEqual({ heads: [], lost: [], isBroken: true });
});
