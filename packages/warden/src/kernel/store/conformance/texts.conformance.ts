/** The contract of the full-text index as tests. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { EventId, RoomId } from "@hearth/protocol";
import { readSearchTerms } from "../search-terms.ts";
import type { AppendWrite, Store } from "../store.ts";
import { type IndexedText, EXCERPT_MARKS, type PendingText, type TextQuery } from "../texts.ts";
import type { StoreHarness } from "./rows.conformance.ts";

const HALL = "room_hall" as RoomId;
const CELLAR = "room_cellar" as RoomId;

export const storeTexts = (open: () => Promise<StoreHarness>): void => {
  describe("the full-text index", () => {
    let harness: StoreHarness;
    let store: Store;
    beforeEach(async () => {
      harness = await open();
      store = harness.store;
    });
    afterEach(async () => {
      await harness[Symbol.asyncDispose]();
    });

    const append = (id: string, event: object, { room = HALL, at = 1, blob }: Where = {}): AppendWrite => ({
      kind: "append",
      stream: `room:${room}`,
      event: {
        id: id as EventId,
        type: (event as { readonly type: string }).type,
        at,
        body: blob === undefined ? JSON.stringify(event) : null,
        blob: blob ?? null,
        labels: null,
      },
    });
    const post = async (id: string, text: string, where: Where & { readonly author?: string } = {}): Promise<void> => {
      const { author = "agent_ada" } = where;
      await store.commit({ writes: [append(id, { type: "message", text, author }, where)] });
    };
    /** Writes the words of every pending message, as the reader of this fixture's bodies. */
    const index = async (long: Readonly<Record<string, IndexedText["kind"]>> = {}): Promise<void> => {
      for (let pending = await store.texts.pending(10); pending.length > 0; pending = await store.texts.pending(10))
        await store.texts.write(await Promise.all(pending.map((text) => readOne(text, long))));
    };
    const readOne = async (
      pending: PendingText,
      long: Readonly<Record<string, IndexedText["kind"]>>,
    ): Promise<IndexedText> => {
      const [row] = await store.select({
        table: "events",
        where: { stream: `room:${pending.room}`, offset: pending.edit ?? pending.offset },
      });
      const [firstRow] = await store.select({
        table: "events",
        where: { stream: `room:${pending.room}`, offset: pending.offset },
      });
      if (firstRow?.type === "message-edited" && long[firstRow.id] === "edit")
        return { kind: "edit", pending, message: 1 };
      const body = JSON.parse(row?.body ?? '{"text":"long words"}');
      const { author = "agent_ada" } = JSON.parse(firstRow?.body ?? "{}");
      return { kind: "words", pending, text: body.text, author };
    };
    const find = async (query: string, options: Partial<TextQuery> = {}): Promise<readonly string[]> => {
      const terms = readSearchTerms(query);
      const found = await store.texts.find({ terms, rooms: [HALL, CELLAR], limit: 10, ...options });
      return found.map(({ room, offset }) => `${room.slice("room_".length)} ${offset}`);
    };

    test("finds messages newest first, once their words are written", async () => {
      await post("e1", "The boiler was serviced", { at: 1 });
      await post("e2", "A new boiler", { room: CELLAR, at: 2 });
      expect(await find("boiler")).toEqual([]);
      await index();
      expect(await find("boiler")).toEqual(["cellar 1", "hall 1"]);
      expect(await store.texts.pending(10)).toEqual([]);
    });

    test("compares words without case and diacritics, and the last one as a beginning", async () => {
      await post("e1", "Die Rechnung für das CAFÉ ist da.");
      await index();
      expect(await find("cafe rechnung")).toEqual(["hall 1"]);
      expect(await find("rech")).toEqual(["hall 1"]);
      expect(await find("rech ")).toEqual([]);
      expect(await find('"das cafe"')).toEqual(["hall 1"]);
      expect(await find('"cafe das"')).toEqual([]);
      expect(await find('rechnung "')).toEqual(["hall 1"]);
      expect(await find("rechnung AND * NOT (")).toEqual([]);
      expect(await find("!?")).toEqual([]);
    });

    test("marks the words that were found", async () => {
      await post("e1", "before the boiler after");
      await index();
      const [found] = await store.texts.find({ terms: readSearchTerms("boiler"), rooms: [HALL], limit: 1 });
      expect(found?.excerpt).toBe(`before the ${EXCERPT_MARKS[0]}boiler${EXCERPT_MARKS[1]} after`);
    });

    test("filters by room, author, time and a position", async () => {
      await post("e1", "boiler", { at: 1000 });
      await post("e2", "boiler", { at: 2000, author: "agent_bob" });
      await post("e3", "boiler", { at: 2000, room: CELLAR });
      await index();
      expect(await find("boiler", { rooms: [CELLAR] })).toEqual(["cellar 1"]);
      expect(await find("boiler", { rooms: [] })).toEqual([]);
      expect(await find("boiler", { rooms: undefined })).toEqual(["cellar 1", "hall 2", "hall 1"]);
      expect(await find("boiler", { author: "agent_bob" })).toEqual(["hall 2"]);
      expect(await find("boiler", { since: 1001 })).toEqual(["cellar 1", "hall 2"]);
      expect(await find("boiler", { until: 2000 })).toEqual(["hall 1"]);
      const [lastHit] = await store.texts.find({ terms: readSearchTerms("boiler"), rooms: [HALL, CELLAR], limit: 1 });
      expect(await find("boiler", { before: lastHit?.id ?? "" })).toEqual(["hall 2", "hall 1"]);
      const otherRooms = Array.from({ length: 300 }, (_, number) => `room_other${number}` as RoomId);
      expect(await find("boiler", { rooms: [...otherRooms, CELLAR] })).toEqual(["cellar 1"]);
    });

    test("a message does not match by the words of its room or its author", async () => {
      await post("e1", "boiler", { author: "agent_ada" });
      await index();
      expect(await find("ada")).toEqual([]);
      expect(await find("hall")).toEqual([]);
    });

    test("an edited message is found by its new words only", async () => {
      await post("e1", "boiler");
      await index();
      await store.commit({ writes: [append("e2", { type: "message-edited", message: "e1", text: "stove" })] });
      expect(await store.texts.pending(10)).toMatchObject([{ room: HALL, offset: 1, edit: 2 }]);
      await index();
      expect([await find("boiler"), await find("stove")]).toEqual([[], ["hall 1"]]);
    });

    test("an edit with a long text is resolved by its reader", async () => {
      await post("e1", "boiler");
      await index();
      await store.commit({ writes: [append("e2", { type: "message-edited" }, { blob: "hash" })] });
      await index({ e2: "edit" });
      expect([await find("boiler"), await find("long")]).toEqual([[], ["hall 1"]]);
    });

    test("a message that was edited or deleted before it was indexed has its last words only", async () => {
      await post("e1", "boiler");
      await post("e2", "pump");
      await store.commit({
        writes: [
          append("e3", { type: "message-edited", message: "e1", text: "stove" }),
          append("e4", { type: "message-deleted", message: "e2" }),
        ],
      });
      expect(await store.texts.pending(10)).toMatchObject([{ room: HALL, offset: 1, edit: 3 }]);
      await index();
      expect([await find("boiler"), await find("stove"), await find("pump")]).toEqual([[], ["hall 1"], []]);
    });

    test("each message is indexed once, however few are read at a time", async () => {
      for (let number = 1; number <= 5; number += 1) await post(`e${number}`, `boiler ${number}`, { at: number });
      await store.commit({ writes: [append("e6", { type: "message-edited", message: "e5", text: "stove" })] });
      for (let pending = await store.texts.pending(2); pending.length > 0; pending = await store.texts.pending(2)) {
        expect(pending.length).toBeLessThanOrEqual(2);
        await store.texts.write(await Promise.all(pending.map((text) => readOne(text, {}))));
      }
      expect(await find("boiler")).toEqual(["hall 4", "hall 3", "hall 2", "hall 1"]);
      expect(await find("stove")).toEqual(["hall 5"]);
    });

    test("a deleted message leaves the index with its deletion", async () => {
      await post("e1", "boiler");
      await post("e2", "boiler not indexed yet");
      const pendingBefore = await store.texts.pending(10);
      await store.texts.write([
        { kind: "words", pending: pendingBefore[0] as PendingText, text: "boiler", author: "agent_ada" },
      ]);
      expect(await find("boiler")).toEqual(["hall 1"]);
      await store.commit({
        writes: ["e1", "e2"].map((message) => append(`${message}-gone`, { type: "message-deleted", message })),
      });
      expect(await find("boiler")).toEqual([]);
      // Words that were read before the deletion come too late.
      await store.texts.write(
        pendingBefore.map((pending) => ({ kind: "words", pending, text: "boiler", author: "agent_ada" })),
      );
      expect(await find("boiler")).toEqual([]);
      expect(await store.texts.pending(10)).toEqual([]);
    });

    test("a replaced text leaves the index with its commit", async () => {
      await post("e1", "boiler");
      await index();
      await store.commit({
        writes: [
          {
            kind: "update",
            table: "events",
            where: { stream: `room:${HALL}`, id: "e1" },
            set: { body: JSON.stringify({ type: "message", text: "gone" }), blob: null, labels: null },
          },
        ],
      });
      expect(await find("boiler")).toEqual([]);
      await index();
      expect(await find("gone")).toEqual(["hall 1"]);
    });

    test("the messages of a removed stream leave the index with its commit", async () => {
      await post("e1", "boiler");
      await index();
      await post("e2", "boiler");
      await store.commit({ writes: [{ kind: "delete", table: "events", where: { stream: `room:${HALL}` } }] });
      expect(await find("boiler")).toEqual([]);
      expect(await store.texts.pending(10)).toEqual([]);
    });

    test("events of other streams are not indexed", async () => {
      const event = {
        id: "e1" as EventId,
        type: "message",
        at: 1,
        body: '{"text":"boiler"}',
        blob: null,
        labels: null,
      };
      await store.commit({ writes: [{ kind: "append", stream: "bytes:x", event }] });
      expect(await store.texts.pending(10)).toEqual([]);
    });
  });
};

interface Where {
  readonly room?: RoomId;
  readonly at?: number;
  readonly blob?: string;
}
