/** The contract of the full-text index of attachments as tests. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { EventId, HouseId, RoomId, UploadId } from "@hearth/protocol";
import { FIRST_FILE_NUMBER, NUMBERS_PER_INSTANT, type Passage } from "../passages.ts";
import { readSearchTerms } from "../search-terms.ts";
import type { Store, Write } from "../store.ts";
import { EXCERPT_MARKS, type TextQuery } from "../texts.ts";
import type { StoreHarness } from "./rows.conformance.ts";

const HALL = "room_hall" as RoomId;
const CELLAR = "room_cellar" as RoomId;
const HOUSE = "house_1" as HouseId;

export const storePassages = (open: () => Promise<StoreHarness>): void => {
  describe("the full-text index of attachments", () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    const attach = async (upload: string, { room = HALL, event = `evt_${upload}` } = {}): Promise<void> => {
      const row = { room, upload: upload as UploadId, event: event as EventId, caption: null };
      const message = { id: row.event, type: "message", at: 1, body: "{}", blob: null, labels: null };
      await store.commit({ writes: [{ kind: "insert", table: "attachments", row }] });
      expect((await store.passages.pending(100)).filter((file) => file.event === row.event)).toEqual([]);
      await store.commit({ writes: [{ kind: "append", stream: `room:${room}`, event: message }] });
    };
    const detach = (upload: string, room = HALL): Write => ({
      kind: "delete",
      table: "attachments",
      where: { room, upload: upload as UploadId, event: `evt_${upload}` as EventId },
    });
    /** Writes these passages for every pending attachment. */
    const index = async (
      passages: readonly Passage[],
      { at = 1000, author = "agent_ada" }: { readonly at?: number; readonly author?: string } = {},
    ): Promise<void> => {
      for (const pending of await store.passages.pending(100))
        await store.passages.write({ pending, author, at, passages });
    };
    const pending = async (): Promise<readonly string[]> =>
      (await store.passages.pending(100)).map(({ upload }) => upload);
    const find = async (query: string, options: Partial<TextQuery> = {}): Promise<readonly string[]> => {
      const found = await store.passages.find({
        ...{ terms: readSearchTerms(query), rooms: [HALL, CELLAR], limit: 10 },
        ...options,
      });
      return found.map(({ upload, place }) => `${upload} ${place}`);
    };
    const page = (number: number, text: string): Passage => ({ place: `page ${number}`, text });

    test("finds the place of a file, once its words are written", async () => {
      await attach("upl_a");
      expect([await pending(), await find("boiler")]).toEqual([["upl_a"], []]);
      await index([page(1, "The roof"), page(2, "The BOILER of the café")]);
      expect([await pending(), await find("boiler"), await find("cafe boiler")]).toEqual([
        [],
        ["upl_a page 2"],
        ["upl_a page 2"],
      ]);
      // All words must be in one passage.
      expect(await find("boiler roof")).toEqual([]);
      const [found] = await store.passages.find({ terms: readSearchTerms("roof"), rooms: [HALL], limit: 1 });
      expect(found).toEqual({
        position: String(1000 * NUMBERS_PER_INSTANT + FIRST_FILE_NUMBER),
        room: HALL,
        upload: "upl_a" as UploadId,
        event: "evt_upl_a" as EventId,
        place: "page 1",
        text: "The roof",
        excerpt: `The ${EXCERPT_MARKS[0]}roof${EXCERPT_MARKS[1]}`,
      });
    });

    test("finds the newest files first, and at most three passages of each, in the order of the file", async () => {
      await attach("upl_a");
      await index([1, 2, 3, 4, 5].map((number) => page(number, "boiler")));
      await attach("upl_b", { room: CELLAR });
      await index([page(1, "boiler")], { at: 2000 });
      const all = await find("boiler");
      expect(all.slice(0, 1)).toEqual(["upl_b page 1"]);
      expect(all.slice(1)).toEqual(all.slice(1).toSorted());
      expect(all.length).toBe(4);
      expect(await find("boiler", { limit: 1 })).toEqual(["upl_b page 1"]);
      const [newestHit] = await store.passages.find({ terms: readSearchTerms("boiler"), rooms: undefined, limit: 1 });
      expect((await find("boiler", { before: newestHit?.position ?? "" }))[0]).toStartWith("upl_a");
    });

    test("filters by room, author and time", async () => {
      await attach("upl_a");
      await index([page(1, "boiler")]);
      await attach("upl_b", { room: CELLAR });
      await index([page(1, "boiler")], { at: 2000, author: "agent_bob" });
      expect(await find("boiler", { rooms: [HALL] })).toEqual(["upl_a page 1"]);
      expect(await find("boiler", { rooms: [] })).toEqual([]);
      expect(await find("boiler", { rooms: undefined })).toEqual(["upl_b page 1", "upl_a page 1"]);
      const otherRooms = Array.from({ length: 300 }, (_, number) => `room_other${number}` as RoomId);
      expect(await find("boiler", { rooms: [...otherRooms, HALL] })).toEqual(["upl_a page 1"]);
      expect(await find("boiler", { author: "agent_bob" })).toEqual(["upl_b page 1"]);
      expect(await find("boiler", { since: 1001 })).toEqual(["upl_b page 1"]);
      expect(await find("boiler", { until: 2000 })).toEqual(["upl_a page 1"]);
      expect(await find("ada")).toEqual([]);
      expect([...(await store.passages.rooms())].toSorted()).toEqual([CELLAR, HALL]);
    });

    test("ranks the passages that have some of the words", async () => {
      await attach("upl_a");
      await index([page(1, "the deposit"), page(2, "the deposit of the flat"), page(3, "the garden")]);
      await attach("upl_b", { room: CELLAR });
      await index([page(1, "the deposit of the flat")]);
      const terms = readSearchTerms("deposit flat unheard");
      const rank = async (rooms: readonly RoomId[], limit: number) =>
        (await store.passages.rank({ terms, rooms, limit })).map(({ upload, place }) => `${upload} ${place}`);
      expect(await rank([HALL], 10)).toEqual(["upl_a page 2", "upl_a page 1"]);
      expect(await rank([HALL], 1)).toEqual(["upl_a page 2"]);
      expect((await rank([HALL, CELLAR], 10)).length).toBe(3);
      expect(await rank([], 10)).toEqual([]);
      const otherRooms = Array.from({ length: 300 }, (_, number) => `room_other${number}` as RoomId);
      expect(await rank([...otherRooms, CELLAR], 10)).toEqual(["upl_b page 1"]);
    });

    test("a removed attachment leaves the index with its commit", async () => {
      await attach("upl_a");
      await attach("upl_b");
      const before = await store.passages.pending(100);
      await index([page(1, "boiler")]);
      await store.commit({ writes: [detach("upl_a")] });
      expect(await find("boiler")).toEqual(["upl_b page 1"]);
      // Words that were read before the removal come too late.
      for (const pendingFile of before)
        await store.passages.write({ pending: pendingFile, author: "agent_ada", at: 1, passages: [page(9, "boiler")] });
      expect([await find("boiler"), await pending()]).toEqual([["upl_b page 1"], []]);
    });

    test("a new, changed or removed transcript replaces the words of each message with the file", async () => {
      await attach("upl_a");
      await attach("upl_a", { room: CELLAR, event: "evt_other" });
      await index([{ place: "", text: "boiler" }]);
      const upload = "upl_a" as UploadId;
      const row = { upload, house: HOUSE, text: "stove", language: null, segments: null, source: "x", cost: 0 };
      const changes: readonly Write[] = [
        { kind: "put", table: "transcripts", row: { ...row, error: null, edited_by: null, at: 1 } },
        { kind: "update", table: "transcripts", where: { upload }, set: { text: "oven" } },
        { kind: "delete", table: "transcripts", where: { upload } },
      ];
      for (const [number, change] of changes.entries()) {
        const [before] = await store.passages.pending(1);
        expect(before).toBeUndefined();
        await store.commit({ writes: [change] });
        expect([await find("boiler"), await find(`word${number - 1}`), await pending()]).toEqual([
          [],
          [],
          ["upl_a", "upl_a"],
        ]);
        await index([{ place: "", text: `word${number}` }]);
        expect(await find(`word${number}`)).toEqual(["upl_a ", "upl_a "]);
      }
    });

    test("words that were read before a change are not written", async () => {
      await attach("upl_a");
      const [before] = await store.passages.pending(1);
      const row = { upload: "upl_a" as UploadId, hash: "h", blob: "b", house: HOUSE };
      await store.commit({ writes: [{ kind: "put", table: "upload_texts", row }] });
      if (before !== undefined)
        await store.passages.write({ pending: before, author: "agent_ada", at: 1, passages: [page(1, "old")] });
      expect([await find("old"), await pending()]).toEqual([[], ["upl_a"]]);
      await index([page(1, "new")]);
      expect([await find("new"), await pending()]).toEqual([["upl_a page 1"], []]);
      await store.commit({ writes: [{ kind: "delete", table: "upload_texts", where: { upload: row.upload } }] });
      expect([await find("new"), await pending()]).toEqual([[], ["upl_a"]]);
    });

    test("a file without text is not pending", async () => {
      await attach("upl_a");
      await index([]);
      expect([await pending(), await find("boiler")]).toEqual([[], []]);
    });
  });
};
