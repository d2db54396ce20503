/**
 * Damaged blobs: for each column that names a blob, how consumers handle a missing, truncated or
 * changed blob without stopping the house.
 */
import { plainEvent, plainRow } from "../../src/fixtures/rows.ts";
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAMAGED_TEXT, UNKNOWN_AGENT } from "@hearth/protocol";
import { openBlobs } from "../../src/adapter/bun/blobs.ts";
import { until } from "@hearth/protocol/until";
import { createCrashingStore } from "../../src/fixtures/crashing-store.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import type { ScriptedReply } from "../../src/models/scripted/scripted.ts";
import type { Blobs } from "../../src/kernel/store/blobs.ts";

const LONG = "long ".repeat(5000);
const answer = (): ScriptedReply => ({ text: "answer" });

interface FileDisk extends TestDisk, Disposable {
  fileOf(hash: string): string;
}

/** A disk whose blobs are real files, so that the test can damage them. */
const createFileDisk = async (): Promise<FileDisk> => {
  const disk = createTestDisk();
  const folder = mkdtempSync(join(tmpdir(), "hearth-blobs-"));
  return {
    ...disk,
    blobs: await openBlobs(folder, { durability: "process" }),
    fileOf: (hash) => join(folder, hash.slice(0, 2), hash),
    [Symbol.dispose]() {
      disk[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  };
};

const damages: Readonly<Record<string, (file: string) => void>> = {
  missing: (file) => rmSync(file),
  truncated: (file) => truncateSync(file, 5),
  "bit-flipped": (file) => {
    const bytes = readFileSync(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  },
};

const named = (hashes: readonly (string | null)[]): string => {
  const hash = hashes.findLast((hash) => hash !== null);
  if (hash === undefined || hash === null) throw new Error("no row names a blob");
  return hash;
};

const fates = async (house: TestHouse): Promise<readonly string[]> => {
  const { status, json } = await house.ask("GET", "/api/rooms/main/fates");
  expect(status).toBe(200);
  return json.fates.map(({ fate }: { fate: { kind: string } }) => fate.kind);
};

/**
 * Opens the house. If its newest messages lost their blobs it starts on hold, so the owner ends the
 * hold.
 */
const reopen = async (disk: TestDisk): Promise<TestHouse> => {
  const house = await openTestHouse({ disk, script: answer });
  if (house.warden.isOnHold())
    expect((await house.ask("POST", "/api/restore", { decision: "continue" })).status).toBe(200);
  return house;
};

/** A house that ended during its second model call, after a first answer that is a blob. */
const dieInTurn = async (disk: TestDisk): Promise<void> => {
  const life = createCrashingStore(disk.store);
  const first: ScriptedReply = { text: LONG, toolCalls: [{ id: "t1", name: "time", input: {} }] };
  const house = await openTestHouse({
    disk: { ...disk, store: life.store },
    config: 'tools = ["time"]\n',
    script: (_request, call) => (call === 0 ? first : { hang: true }),
  });
  await house.post("go");
  const isKept = async () => (await disk.store.select({ table: "steps" })).some((row) => row.output_blob !== null);
  await until(async () => house.model.requests.length >= 2 && (await isKept()));
  life.die();
};

for (const [how, damage] of Object.entries(damages)) {
  describe(`a blob that is ${how}`, () => {
    test("of a message is a placeholder in pages, fates and prompts, and turns continue", async () => {
      using disk = await createFileDisk();
      await using first = await openTestHouse({ disk, script: answer });
      await first.post(LONG);
      await first.until(2);
      await first[Symbol.asyncDispose]();
      const events = await disk.store.select({ table: "events", where: { type: "message" } });
      damage(disk.fileOf(named(events.map(({ blob }) => blob))));

      await using house = await reopen(disk);
      expect((await house.messages())[0]).toMatchObject({
        ...{ offset: 1, author: UNKNOWN_AGENT, damaged: true },
        body: { text: DAMAGED_TEXT },
      });
      expect(await fates(house)).toEqual(["answered"]);
      await house.post("and now?");
      expect((await house.until(4)).at(-1)).toMatchObject({ body: { text: "answer" } });
      expect(JSON.stringify(house.model.requests.at(-1)?.messages)).toContain(DAMAGED_TEXT);
      expect(await fates(house)).toEqual(["answered", "answered"]);
      expect(house.logLines.filter((line) => line.includes("an event is damaged"))).toHaveLength(1);
    });

    test("of an unread message wakes no agent, is reported, and blocks no other message", async () => {
      using disk = await createFileDisk();
      const first = await openTestHouse({ disk, script: answer });
      const { id: room } = await first.room();
      const me = (await first.ask("GET", "/api/me")).json.agent.id;
      await first[Symbol.asyncDispose]();
      const blob = await disk.blobs.put(new TextEncoder().encode(JSON.stringify({ text: LONG, author: me })));
      const event = plainEvent({ id: `evt_${"1".repeat(26)}`, type: "message", at: 1, body: null, blob, labels: null });
      await disk.store.commit({ writes: [{ kind: "append", stream: `room:${room}`, event }] });
      damage(disk.fileOf(blob));

      await using house = await reopen(disk);
      await house.post("hello?");
      await house.until(3);
      expect(await fates(house)).toEqual(["damaged", "answered"]);
    });

    test("of a completed step ends the turn with a reason, and the next turn runs", async () => {
      using disk = await createFileDisk();
      await dieInTurn(disk);
      const steps = await disk.store.select({ table: "steps" });
      damage(disk.fileOf(named(steps.map((row) => row.output_blob))));

      await using house = await reopen(disk);
      await house.post("again");
      await until(async () => (await fates(house)).at(-1) === "answered");
      expect(await fates(house)).toEqual(["failed", "answered"]);
      const [{ id }] = (await house.ask("GET", "/api/agents/main/activations?state=failed")).json;
      const { status, json } = await house.ask("GET", `/api/activations/${id}`);
      expect([status, json.error.code]).toEqual([200, "store.damaged"]);
      expect(json.error.message).toContain("step 0");
    });

    test("of a turn's frozen input ends the turn with a reason, and the next turn runs", async () => {
      using disk = await createFileDisk();
      await dieInTurn(disk);
      const [row] = await disk.store.select({ table: "activations", where: { ended_at: null } });
      const blob = await disk.blobs.put(new TextEncoder().encode(row?.frozen ?? ""));
      const set = { frozen: null, frozen_blob: blob };
      await disk.store.commit({
        writes: [{ kind: "update", table: "activations", where: { id: row?.id ?? "" }, set }],
      });
      damage(disk.fileOf(blob));

      await using house = await reopen(disk);
      await house.post("again");
      await until(async () => (await fates(house)).at(-1) === "answered");
      expect(await fates(house)).toEqual(["failed", "answered"]);
      const [failed] = (await house.ask("GET", "/api/agents/main/activations?state=failed")).json;
      expect(failed.error.code).toBe("store.damaged");
    });

    test("of a summary discards the summary, and turns read the room instead", async () => {
      using disk = await createFileDisk();
      const first = await openTestHouse({ disk, script: answer });
      const [{ id: room }, { id: agent }] = [await first.room(), (await first.ask("GET", "/api/agents/main")).json];
      await first.post("the first of it");
      await first.until(2);
      await first[Symbol.asyncDispose]();
      const summary = await disk.blobs.put(new TextEncoder().encode("They talked."));
      await disk.store.commit({
        writes: [
          { kind: "insert", table: "compactions", row: plainRow("compactions", compaction({ agent, room, summary })) },
        ],
      });
      damage(disk.fileOf(summary));

      await using house = await reopen(disk);
      await house.post("go on");
      await house.until(4);
      expect(JSON.stringify(house.model.requests.at(-1)?.messages)).toContain("the first of it");
      const { status, json } = await house.ask("GET", "/api/agents/main/compactions");
      expect([status, json[0].state, json[0].reason]).toEqual([200, "over", "Its summary is damaged."]);
    });

    test("of a file version fails only that version, with a reason", async () => {
      using disk = await createFileDisk();
      await using house = await reopen(disk);
      const write = (text: string) => house.ask("PUT", "/api/agents/main/brain/file?path=NOTES.md", { text });
      expect((await write("first")).status).toBeLessThan(300);
      expect((await write(LONG)).status).toBeLessThan(300);
      expect((await write("short")).status).toBeLessThan(300);
      const bodies = await disk.store.select({ table: "brain_bodies", where: { text: null } });
      damage(disk.fileOf(named(bodies.map(({ hash }) => hash))));
      const { status, json } = await house.ask("GET", "/api/agents/main/brain/versions?path=NOTES.md");
      expect(status).toBe(200);
      const answers = await Promise.all(
        json.map(({ id }: { id: string }) =>
          house.ask("GET", `/api/agents/main/brain/diff?change=${id}&path=NOTES.md`),
        ),
      );
      expect(answers.length).toBeGreaterThan(1);
      for (const answer of answers) if (answer.status !== 200) expect(answer.json.error.code).toBe("store.damaged");
      expect(answers.some((answer) => answer.status === 200)).toBe(true);
      await house.post("hello");
      expect(await house.until(2)).toHaveLength(2);
    });
  });
}

test("a slow blob delays its own page, and no turn in another room", async () => {
  using disk = await createFileDisk();
  const first = await openTestHouse({ disk, script: answer });
  await first.post(LONG);
  await first.until(2);
  await first[Symbol.asyncDispose]();
  const release = Promise.withResolvers<void>();
  const blobs: Blobs = { ...disk.blobs, get: (hash) => release.promise.then(() => disk.blobs.get(hash)) };
  await using house = await openTestHouse({ disk: { ...disk, blobs }, script: answer });
  const page = house.messages();
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
  await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main hi" });
  let after = 0;
  for (let replies = 0; replies < 2;) {
    const { events, next } = (await house.ask("GET", `/api/rooms/${room.id}/events?after=${after}&wait=5000`)).json;
    replies += events.length;
    after = next;
  }
  release.resolve();
  expect((await page)[0]?.body.text).toBe(LONG);
});

const compaction = (row: { agent: string; room: string; summary: string }) => ({
  ...{ ...row, place: 1, state: "done", reason: null, keep: null, activation: null, after: 0, through: 2, head: 2 },
  ...{ messages: 2, tokens: null, labels: null, files: "[]", at: 1, ended_at: 1 },
  usage: JSON.stringify({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }),
});
