import { withPlansChecked } from "../../fixtures/query-plans.ts";
import { describe, expect, test } from "bun:test";
import { createBunClock } from "@hearth/inmate/bun/clock";
import {
  type AgentId,
  type EventId,
  type HouseId,
  inboxPath,
  type RoomId,
  type Upload,
  UPLOAD_PART_BYTES,
} from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import fc from "fast-check";
import { openSqlite } from "../../adapter/bun/sqlite.ts";
import { createTestUploads, TEST_LIMITS } from "../../fixtures/uploads.ts";
import { createRetention } from "../../kernel/journal/retention.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createSqliteStore } from "../../kernel/store/sqlite.ts";
import type { Store } from "../../kernel/store/store.ts";
import { cleanFileName } from "./house-uploads.ts";
import type { UploadLimits } from "./uploads.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const HOUSE = "house_1" as HouseId;
const [ANA, BEN] = ["agent_ana" as AgentId, "agent_ben" as AgentId];
const [ROOM, OTHER] = ["room_1" as RoomId, "room_2" as RoomId];
const ana = { agent: ANA, house: HOUSE };

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  sqlite: () => createSqliteStore({ database: openSqlite(":memory:"), clock: createBunClock() }),
};

const open = async (openStore = stores["memory"]!, limits: Partial<UploadLimits> = {}) => {
  const world = createFakeWorld({ hash });
  const inner = await openStore();
  const store = withPlansChecked(inner);
  const blobs = createMemoryBlobs(hash, world.clock.now);
  const reopen = () => createTestUploads({ world, store, blobs, limits });
  const uploads = reopen();
  let events = 0;
  /** Uploads the bytes in parts of these sizes; the last part takes the rest. */
  const put = async (bytes: Uint8Array, name = "a.bin", sizes: readonly number[] = []): Promise<Upload> => {
    const { id } = await uploads.begin(ana, { name, sizeBytes: bytes.length });
    let offset = 0;
    for (const size of [...sizes, bytes.length]) {
      const part = bytes.slice(offset, offset + Math.min(size, UPLOAD_PART_BYTES));
      if (part.length > 0) ({ offset } = await uploads.append(ANA, id, { offset, bytes: part }));
    }
    return uploads.show(ANA, id);
  };
  /** Posts a message with these uploads, as far as uploads are concerned. */
  const name = async (ids: readonly string[], room = ROOM): Promise<EventId> => {
    events += 1;
    const event = `evt_${events}` as EventId;
    const { guards, writes } = await uploads.planMessage({ author: ANA, room, event }, ids);
    expect((await store.commit({ guards, writes })).kind).toBe("committed");
    return event;
  };
  const forget = async (event: EventId): Promise<void> => {
    const { guards, writes } = await uploads.planRemoval(event);
    await store.commit({ guards, writes });
  };
  const read = async (id: string, from = 0, to?: number, room = ROOM): Promise<string> => {
    const { attachment, read: bytes } = await uploads.open(room, id);
    return Buffer.concat(await Array.fromAsync(bytes(from, to ?? attachment.sizeBytes))).toString("hex");
  };
  const taken = async () => inner.select({ table: "upload_quotas" });
  // Not checked for slow statements, because tests read whole tables.
  return { world, store: inner, blobs, uploads, reopen, put, name, forget, read, taken };
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const patterned = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 31) & 255);

for (const [kind, openStore] of Object.entries(stores))
  describe(`uploads in ${kind}`, () => {
    test("any parts of any file are one attachment, read back byte for byte in any range", async () => {
      const { put, name, read } = await open(openStore);
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ minLength: 1, maxLength: 300 }),
          fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 8 }),
          fc.nat(300),
          fc.nat(300),
          async (bytes, sizes, one, other) => {
            const { id, attachment } = await put(bytes, "x", sizes);
            expect(attachment).toMatchObject({ hash: hash(bytes), sizeBytes: bytes.length });
            await name([id]);
            const [from = 0, to = 0] = [one, other].map((at) => Math.min(at, bytes.length)).toSorted((a, b) => a - b);
            expect(await read(id, from, to)).toBe(hex(bytes.subarray(from, to)));
          },
        ),
        { numRuns: 40 },
      );
    });

    test("a part that arrives before the previous one waits for it, and both make one file", async () => {
      const { uploads, name, read } = await open(openStore);
      const bytes = patterned(10);
      const { id } = await uploads.begin(ana, { name: "x", sizeBytes: 10 });
      const wait = { ms: 1000, signal: new AbortController().signal };
      const part = (offset: number, to: number) =>
        uploads.append(ANA, id, { offset, bytes: bytes.slice(offset, to), wait });
      const [last] = await Promise.all([part(7, 10), part(3, 7), part(0, 3)]);
      expect(last.attachment).toMatchObject({ hash: hash(bytes), sizeBytes: 10 });
      await name([id]);
      expect(await read(id)).toBe(hex(bytes));
    });

    test("an early part is refused and not stored if the previous one does not come, or the upload is removed", async () => {
      const { world, store, uploads } = await open(openStore);
      const { id } = await uploads.begin(ana, { name: "x", sizeBytes: 10 });
      const left = new AbortController();
      const early = () =>
        uploads.append(ANA, id, { offset: 5, bytes: patterned(5), wait: { ms: 1000, signal: left.signal } }).then(
          () => "stored",
          (error: { code: string }) => error.code,
        );
      const timed = early();
      await world.clock.turn();
      await world.advance(1000);
      expect(await timed).toBe("upload.offset");
      const aborted = early();
      left.abort();
      expect(await aborted).toBe("upload.offset");
      expect(await store.select({ table: "upload_parts" })).toEqual([]);
      const removed = uploads.append(ANA, id, {
        offset: 5,
        bytes: patterned(5),
        wait: { ms: 1000, signal: new AbortController().signal },
      });
      await uploads.cancel(ANA, id);
      await expect(removed).rejects.toMatchObject({ code: "upload.not-found" });
    });

    test("the sweep removes uploads that no message names, and no others", async () => {
      const { world, store, uploads, put, name, forget, read, taken } = await open(openStore);
      const open1 = await uploads.begin(ana, { name: "open", sizeBytes: 10 });
      await uploads.append(ANA, open1.id, { offset: 0, bytes: patterned(4) });
      const [complete, named, twice] = [await put(patterned(5)), await put(patterned(6)), await put(patterned(7))];
      await name([named.id]);
      const first = await name([twice.id]);
      await name([twice.id], OTHER);
      await forget(first);
      await world.advance(TEST_LIMITS.unnamedMs - 1);
      expect(await uploads.sweep()).toEqual([]);
      await world.advance(1);
      expect(new Set(await uploads.sweep())).toEqual(new Set([hash(patterned(4)), hash(patterned(5))]));
      for (const { id } of [open1, complete])
        await expect(uploads.show(ANA, id)).rejects.toMatchObject({ code: "upload.not-found" });
      expect(await read(named.id)).toBe(hex(patterned(6)));
      await expect(read(twice.id)).rejects.toMatchObject({ code: "attachment.not-found" });
      expect(await read(twice.id, 0, 7, OTHER)).toBe(hex(patterned(7)));
      expect((await store.select({ table: "upload_parts" })).map(({ size }) => size).toSorted((a, b) => a - b)).toEqual(
        [6, 7],
      );
      expect(await taken()).toEqual(
        expect.arrayContaining([
          { holder: ANA, bytes: 13, open: 0 },
          { holder: HOUSE, bytes: 13, open: 0 },
        ]),
      );
    });

    test("many abandoned uploads are removed in one sweep", async () => {
      const { world, store, uploads } = await open(openStore);
      for (let nth = 0; nth < 60; nth += 1) await uploads.begin(ana, { name: "x", sizeBytes: 1 });
      await world.advance(TEST_LIMITS.unnamedMs);
      await uploads.sweep();
      expect(await store.select({ table: "uploads" })).toEqual([]);
    });

    test("many uploads that another message still names do not keep the sweep from abandoned ones", async () => {
      const { world, store, uploads, put, name, forget } = await open(openStore);
      const ids: Upload["id"][] = [];
      for (let nth = 0; nth < 50; nth += 1) ids.push((await put(patterned(nth + 1))).id);
      for (const id of ids) {
        const first = await name([id]);
        await name([id], OTHER);
        await forget(first);
      }
      await world.advance(1);
      await uploads.begin(ana, { name: "abandoned", sizeBytes: 1 });
      await world.advance(TEST_LIMITS.unnamedMs);
      await uploads.sweep();
      expect((await store.select({ table: "uploads" })).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    });
  });

/** A JPEG with a place in its metadata. */
const PHOTO = Uint8Array.of(
  ...[0xff, 0xd8, 0xff, 0xe1, 0, 14, ...new TextEncoder().encode("Exif\0\0Berlin")],
  ...[0xff, 0xc0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9],
);

test("a picture loses its metadata, and the wire still shows the size of its upload", async () => {
  const { put, name, read } = await open();
  const upload = await put(PHOTO, "berlin.jpg");
  const clean = Uint8Array.of(0xff, 0xd8, ...PHOTO.slice(18));
  expect(upload).toMatchObject({ offset: PHOTO.length, sizeBytes: PHOTO.length });
  expect(upload.attachment).toMatchObject({
    type: "image/jpeg",
    width: 3,
    height: 2,
    sizeBytes: clean.length,
    hash: hash(clean),
  });
  await name([upload.id]);
  expect(await read(upload.id)).toBe(hex(clean));
});

test.each([
  ["damaged", PHOTO.slice(0, 18), /the file is damaged/],
  [
    "of a type that the house cannot change",
    new TextEncoder().encode("8BPS\0\x01\0\0\0\0\0\0"),
    /vnd\.adobe\.photoshop/,
  ],
])("a picture that is %s is refused with the reason and does not stay", async (_what, bytes, why) => {
  const { put, store } = await open();
  const error = await put(bytes, "berlin.psd").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "upload.metadata", message: expect.stringMatching(why) });
  expect(await store.select({ table: "uploads" })).toEqual([]);
  expect(await store.select({ table: "upload_parts" })).toEqual([]);
});

test("a picture keeps its metadata if the house is set up so", async () => {
  const { put } = await open(undefined, { keepMetadata: true });
  expect((await put(PHOTO)).attachment).toMatchObject({ hash: hash(PHOTO) });
  expect((await put(PHOTO.slice(0, 18))).attachment).toMatchObject({ type: "image/jpeg" });
});

test("a part at another offset, beyond the end, or with a wrong hash is refused and changes nothing", async () => {
  const { uploads, store } = await open();
  const { id } = await uploads.begin(ana, { name: "x", sizeBytes: 10 });
  await uploads.append(ANA, id, { offset: 0, bytes: patterned(4) });
  const refuse = (part: Parameters<typeof uploads.append>[2], code: string) =>
    expect(uploads.append(ANA, id, part)).rejects.toMatchObject({ code });
  await refuse({ offset: 0, bytes: patterned(4) }, "upload.offset");
  await refuse({ offset: 5, bytes: patterned(1) }, "upload.offset");
  await refuse({ offset: 4, bytes: patterned(7) }, "request.too-large");
  await refuse({ offset: 4, bytes: patterned(2), hash: hash("other") }, "upload.checksum");
  expect(await uploads.show(ANA, id)).toMatchObject({ offset: 4 });
  expect(await store.select({ table: "upload_parts" })).toHaveLength(1);
  await uploads.append(ANA, id, { offset: 4, bytes: patterned(6), hash: hash(patterned(6)) });
  await refuse({ offset: 4, bytes: patterned(6) }, "upload.offset");
});

test("of two requests that add a part at the same offset, one is refused", async () => {
  const { uploads } = await open();
  const { id } = await uploads.begin(ana, { name: "x", sizeBytes: 8 });
  const parts = [patterned(3), patterned(5)].map((bytes) => uploads.append(ANA, id, { offset: 0, bytes }));
  const outcomes = await Promise.allSettled(parts);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const refused = outcomes.find(({ status }) => status === "rejected");
  expect(refused).toMatchObject({ reason: { code: "upload.offset" } });
});

test("an upload continues in another process, which reads its earlier parts for the hash", async () => {
  const { uploads, reopen } = await open();
  const { id } = await uploads.begin(ana, { name: "x", sizeBytes: 9 });
  await uploads.append(ANA, id, { offset: 0, bytes: patterned(4) });
  const { attachment } = await reopen().append(ANA, id, { offset: 4, bytes: patterned(9).slice(4) });
  expect(attachment?.hash).toBe(hash(patterned(9)));
});

test("an upload whose process ended before it was complete is completed by the next request", async () => {
  const { uploads, store, reopen } = await open();
  const { id } = await uploads.begin(ana, { name: "x", sizeBytes: 4 });
  const part = { upload: id, start: 0, size: 4, blob: hash(patterned(4)), house: HOUSE };
  await uploads.append(ANA, id, { offset: 0, bytes: patterned(4) });
  const set = { state: "open", hash: null, facts: null } as const;
  await store.commit({ writes: [{ kind: "update", table: "uploads", where: { id }, set }] });
  expect(await store.select({ table: "upload_parts" })).toEqual([part]);
  expect(await reopen().show(ANA, id)).toMatchObject({ attachment: { hash: part.blob } });
});

test("a message names only complete uploads of its author, and nothing else can be read", async () => {
  const { uploads, put, name, read } = await open();
  const { id: half } = await uploads.begin(ana, { name: "x", sizeBytes: 10 });
  await uploads.append(ANA, half, { offset: 0, bytes: patterned(9) });
  const { id, attachment } = await put(patterned(3));
  await expect(name([id, half])).rejects.toMatchObject({ code: "upload.incomplete" });
  await expect(read(half)).rejects.toMatchObject({ code: "attachment.not-found" });
  await expect(read(id)).rejects.toMatchObject({ code: "attachment.not-found" });
  await expect(read(attachment?.hash ?? "")).rejects.toMatchObject({ code: "attachment.not-found" });
  const message = { author: BEN, room: ROOM, event: "evt_ben" as EventId };
  await expect(uploads.planMessage(message, [id])).rejects.toMatchObject({ code: "upload.not-found" });
  await name([id]);
  expect(await read(id)).toBe(hex(patterned(3)));
  await expect(read(id, 0, 3, OTHER)).rejects.toMatchObject({ code: "attachment.not-found" });
});

test("an attachment is found in its room by its name or inbox path, the newest first, until its message is deleted", async () => {
  const { world, uploads, put, name, forget } = await open();
  const old = await put(Uint8Array.of(1), "shed.png");
  await world.advance(1);
  const later = await put(Uint8Array.of(2), "shed.png");
  await put(Uint8Array.of(3), "unsent.png");
  const first = await name([old.id]);
  const second = await name([later.id]);
  const path = old.attachment === undefined ? "" : inboxPath(old.attachment);
  expect(await Promise.all(["shed.png", path].map((called) => uploads.find(ROOM, called)))).toEqual([later.id, old.id]);
  for (const called of ["unsent.png", "SHED.png", "inbox/", ""])
    expect(await uploads.find(ROOM, called)).toBeUndefined();
  expect(await uploads.find(OTHER, "shed.png")).toBeUndefined();
  await forget(second);
  expect(await uploads.find(ROOM, "shed.png")).toBe(old.id);
  await forget(first);
  expect(await uploads.find(ROOM, "shed.png")).toBeUndefined();
});

test("others neither see, change nor remove an upload", async () => {
  const { uploads, put } = await open();
  const { id } = await uploads.begin(ana, { name: "x", sizeBytes: 2 });
  const complete = await put(patterned(2));
  const notFound = { code: "upload.not-found", hint: expect.any(String) };
  await expect(uploads.show(BEN, id)).rejects.toMatchObject(notFound);
  await expect(uploads.append(BEN, id, { offset: 0, bytes: patterned(1) })).rejects.toMatchObject(notFound);
  for (const upload of [id, complete.id]) await expect(uploads.cancel(BEN, upload)).rejects.toMatchObject(notFound);
  await uploads.cancel(ANA, complete.id);
  await expect(uploads.show(ANA, complete.id)).rejects.toMatchObject(notFound);
});

test("a named upload cannot be removed, and an upload that is removed meanwhile cannot be named", async () => {
  const { store, uploads, put, name, read } = await open();
  const [kept, gone] = [await put(patterned(2)), await put(patterned(3))];
  await name([kept.id]);
  await expect(uploads.cancel(ANA, kept.id)).rejects.toMatchObject({ code: "upload.not-found" });
  expect(await read(kept.id)).toBe(hex(patterned(2)));
  const plan = await uploads.planMessage({ author: ANA, room: ROOM, event: "evt_x" as EventId }, [gone.id]);
  await uploads.cancel(ANA, gone.id);
  expect((await store.commit(plan)).kind).toBe("refused");
});

test("a file, a person and a house have limits, and removed uploads make room", async () => {
  const { uploads } = await open(undefined, { fileBytes: 100, personBytes: 150, houseBytes: 200 });
  const begin = (sizeBytes: number, agent = ANA) => uploads.begin({ agent, house: HOUSE }, { name: "x", sizeBytes });
  await expect(begin(101)).rejects.toMatchObject({ code: "upload.too-large", hint: expect.any(String) });
  const { id } = await begin(100);
  await expect(begin(51)).rejects.toMatchObject({
    code: "upload.quota",
    message: expect.stringContaining("your uploads take 100 bytes"),
  });
  await begin(50);
  await begin(50, BEN);
  await expect(begin(1, BEN)).rejects.toMatchObject({
    code: "upload.quota",
    message: expect.stringContaining("of this house take 200 bytes"),
  });
  await uploads.cancel(ANA, id);
  await begin(100, BEN);
});

test("concurrent uploads never exceed a quota together", async () => {
  const { uploads, taken } = await open(undefined, { personBytes: 50 });
  const begun = await Promise.allSettled(
    Array.from({ length: 10 }, () => uploads.begin(ana, { name: "x", sizeBytes: 10 })),
  );
  expect(begun.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(await taken()).toContainEqual({ holder: ANA, bytes: 50, open: 5 });
});

test("an agent has at most 100 incomplete uploads", async () => {
  const { uploads, put } = await open();
  for (let nth = 0; nth < 100; nth += 1) await uploads.begin(ana, { name: "x", sizeBytes: 1 });
  await expect(put(patterned(1))).rejects.toMatchObject({ code: "upload.limit" });
});

test.each([
  ["photo.jpg", "photo.jpg"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\ana\\a.txt", "a.txt"],
  ["", "file"],
  ["..", "file"],
  ["a/", "file"],
  ["a\nb\u202Egpj.exe", "abgpj.exe"],
  [`${"x".repeat(300)}.jpeg`, `${"x".repeat(195)}.jpeg`],
  ["\uD800.txt", "\uFFFD.txt"],
])("the file name %j becomes %j", (given, expected) => {
  expect(cleanFileName(given)).toBe(expected);
});

test("equal files are stored once, and the blob stays while one of them is there", async () => {
  const { world, store, blobs, uploads, put, name, read } = await open();
  const [kept, abandoned] = [await put(patterned(9)), await put(patterned(9))];
  await name([kept.id]);
  const alone = await put(patterned(8));
  expect(new Set((await store.select({ table: "upload_parts" })).map(({ blob }) => blob)).size).toBe(2);
  const retention = createRetention({
    world,
    store,
    blobs,
    uploads,
    log: createFakeLog(),
    times: () => ({
      activationMs: TEST_LIMITS.unnamedMs,
      days: { deliveryDays: 90, jobDays: 365, usageDays: 400 },
    }),
    audit: { archive: async () => 0 },
    inbox: { sweep: async () => 0 },
    indexes: { catchUp: async () => {} },
    traces: { sweep: async () => {} },
  });
  await world.advance(TEST_LIMITS.unnamedMs);
  await retention.sweep();
  for (const { id } of [abandoned, alone])
    await expect(uploads.show(ANA, id)).rejects.toMatchObject({ code: "upload.not-found" });
  expect([await read(kept.id), await blobs.get(hash(patterned(8)))]).toEqual([hex(patterned(9)), undefined]);
});
