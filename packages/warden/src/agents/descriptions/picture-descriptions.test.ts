import { expect, test } from "bun:test";
import { type AgentId, type EventId, HearthError, type HouseId, isHearthError, type RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { PreparedDescription } from "../../models/index.ts";
import { drawPng } from "../../models/pictures/memory-pictures.ts";
import type { SizedPicture } from "../pictures/sized-pictures.ts";
import { createPictureDescriptions } from "./picture-descriptions.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const HOUSE = "house_1" as HouseId;
const ANA = "agent_ana" as AgentId;
const [ROOM, OTHER] = ["room_1" as RoomId, "room_2" as RoomId];
const BYTES = drawPng(8, 4, [9, 9, 9]);

/** A house that describes pictures with `look`. */
const open = async (look: (bytes: Uint8Array) => Promise<string>, limits = { edge: 100, sizeBytes: 1_000_000 }) => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const uploads = createTestUploads({ world, store });
  const scaled: string[] = [];
  let isOn = true;
  const run: PreparedDescription["run"] = async ({ bytes }, gate, signal) => {
    const charge = await gate.admit("test/eye", signal);
    if ("error" in charge) throw new HearthError(charge.error.code, charge.error.message);
    const usage = charge.settle({ saidBytes: 0, end: "ended" });
    return { text: await look(bytes), usage };
  };
  const descriptions = createPictureDescriptions({
    kernel: { store, world, signal: new AbortController().signal },
    uploads,
    pictures: {
      async show(_room, upload): Promise<SizedPicture> {
        scaled.push(upload);
        return {
          kind: "picture",
          type: "image/webp",
          width: 2,
          height: 1,
          hash: "2".repeat(64),
          bytes: Uint8Array.of(1),
        };
      },
    },
    descriptions: {
      prepare: async () => (isOn ? { name: "test/eye", limits, inputTokens: 9, maxOutputTokens: 9, run } : undefined),
    },
    openHomeGate: () => ({
      admit: async () => ({
        maxOutputTokens: 9,
        settle: () => ({ inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 42 }),
      }),
    }),
  });
  let events = 0;
  /** Sends a file in a message of the room. */
  const send = async (bytes: Uint8Array = BYTES, room = ROOM) => {
    const { id } = await uploads.begin({ agent: ANA, house: HOUSE }, { name: "a.png", sizeBytes: bytes.length });
    await uploads.append(ANA, id, { offset: 0, bytes });
    events += 1;
    const event = `evt_${events}` as EventId;
    await store.commit(await uploads.planMessage({ author: ANA, room, event }, [id]));
    return { id, forget: async () => void (await store.commit(await uploads.planRemoval(event))) };
  };
  const rows = () => store.select({ table: "picture_descriptions" });
  return { descriptions, send, rows, scaled, turnOff: () => void (isOn = false) };
};

test("a content is described once, also for concurrent callers and another upload, and its cost is booked once", async () => {
  let calls = 0;
  const { descriptions, send, rows } = await open(async () => `picture ${(calls += 1)}`);
  const [first, second] = [await send(), await send()];
  expect(await descriptions.find(ROOM, first.id)).toBeUndefined();
  const made = await Promise.all([
    descriptions.make(ROOM, first.id),
    descriptions.make(ROOM, first.id, "retry"),
    descriptions.make(ROOM, second.id),
  ]);
  expect(made.map((description) => description?.text)).toEqual(["picture 1", "picture 1", "picture 1"]);
  expect(await descriptions.make(ROOM, second.id)).toMatchObject({ text: "picture 1", source: "test/eye" });
  expect((await rows()).map(({ cost }) => cost).toSorted((a, b) => a - b)).toEqual([0, 42]);
  expect(calls).toBe(1);
});

test("A42: a description is read through its room, and goes with its message", async () => {
  const { descriptions, send, rows } = await open(async () => "a secret");
  const { id, forget } = await send();
  await descriptions.make(ROOM, id);
  const codeIn = (room: RoomId) =>
    descriptions.find(room, id).then(
      () => "found",
      (error: unknown) => isHearthError(error) && error.code,
    );
  expect([await codeIn(ROOM), await codeIn(OTHER)]).toEqual(["found", "attachment.not-found"]);
  await forget();
  expect(await codeIn(ROOM)).toBe("attachment.not-found");
  expect(await rows()).toEqual([]);
});

test("A42: a message that is deleted during the call leaves no description", async () => {
  const started = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const { descriptions, send, rows } = await open(() => {
    started.resolve();
    return answer.promise;
  });
  const { id, forget } = await send();
  const making = descriptions.make(ROOM, id);
  await started.promise;
  await forget();
  answer.resolve("too late");
  await making;
  expect(await rows()).toEqual([]);
});

test("a failure is stored with its reason, and only a retry repeats it", async () => {
  let fails = true;
  let calls = 0;
  const { descriptions, send } = await open(async () => {
    calls += 1;
    if (fails) throw new HearthError("provider.overloaded", "eye.test is overloaded.");
    return "a cat";
  });
  const { id } = await send();
  const failed = await descriptions.make(ROOM, id);
  expect(failed).toMatchObject({
    source: "test/eye",
    error: { code: "provider.overloaded", message: "eye.test is overloaded." },
  });
  fails = false;
  expect(await descriptions.make(ROOM, id)).toEqual(failed!);
  expect((await descriptions.make(ROOM, id, "retry"))?.text).toBe("a cat");
  expect(calls).toBe(2);
});

test("nothing is stored while descriptions are off, and another file is refused", async () => {
  const { descriptions, send, rows, turnOff } = await open(async () => "a cat");
  turnOff();
  const { id } = await send();
  expect(await descriptions.make(ROOM, id)).toBeUndefined();
  const text = await send(new TextEncoder().encode("plain text"));
  await expect(descriptions.make(ROOM, text.id)).rejects.toMatchObject({ code: "attachment.no-picture" });
  expect(await rows()).toEqual([]);
});

test("a picture that is larger than the model takes is scaled down first", async () => {
  const seen: number[] = [];
  const look = async (bytes: Uint8Array): Promise<string> => {
    seen.push(bytes.length);
    return "a cat";
  };
  const small = await open(look);
  await small.descriptions.make(ROOM, (await small.send()).id);
  const large = await open(look, { edge: 4, sizeBytes: 1_000_000 });
  const { id } = await large.send();
  await large.descriptions.make(ROOM, id);
  expect([small.scaled, large.scaled, seen]).toEqual([[], [id], [BYTES.length, 1]]);
});
