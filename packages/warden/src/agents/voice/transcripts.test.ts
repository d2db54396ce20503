import { expect, test } from "bun:test";
import { type AgentId, type EventId, type HouseId, HearthError, isHearthError, type RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import type { Voice } from "../../models/index.ts";
import { createTranscripts } from "./transcripts.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const HOUSE = "house_1" as HouseId;
const [ANA, BEN] = ["agent_ana" as AgentId, "agent_ben" as AgentId];
const [ROOM, OTHER] = ["room_1" as RoomId, "room_2" as RoomId];
const EVENT = "evt_1" as EventId;

/** A house with one voice note in one room. `hear` is the transcriber. */
const open = async (hear: () => Promise<string>) => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const uploads = createTestUploads({ world, store });
  const bytes = new Uint8Array(20_000);
  const { id } = await uploads.begin({ agent: ANA, house: HOUSE }, { name: "note.wav", sizeBytes: bytes.length });
  await uploads.append(ANA, id, { offset: 0, bytes });
  await store.commit(await uploads.planMessage({ author: ANA, room: ROOM, event: EVENT }, [id]));
  const paid: (readonly [most: number, cost: number])[] = [];
  let limit = Infinity;
  const voice: Pick<Voice, "transcription"> = {
    transcription: async (recording) => ({
      name: "test/ear",
      maxCost: recording.bytes.length,
      costOf: (durationMs) => durationMs,
      run: async () => ({ text: await hear(), durationMs: 700, segments: [] }),
    }),
  };
  const transcripts = createTranscripts({
    kernel: { store, world, signal: new AbortController().signal },
    uploads,
    voice,
    async admitHomeCost({ costAtMost: most }) {
      if (most > limit) return { kind: "stop", text: "The budget of the day is spent.", hint: "Raise it." };
      let isOpen = true;
      return {
        kind: "allowed",
        settle(cost) {
          if (isOpen) paid.push([most, cost]);
          isOpen = false;
        },
      };
    },
  });
  const forget = async (): Promise<void> => void (await store.commit(await uploads.planRemoval(EVENT)));
  return { transcripts, id, paid, store, forget, spendAtMost: (money: number) => void (limit = money) };
};

test("audio is transcribed once, also for concurrent callers, and costs its length", async () => {
  let calls = 0;
  const { transcripts, id, paid } = await open(async () => `said ${(calls += 1)}`);
  expect(await transcripts.find(ROOM, id)).toBeUndefined();
  const [first, second] = await Promise.all([transcripts.make(ROOM, id), transcripts.make(ROOM, id)]);
  expect(first).toMatchObject({ text: "said 1", source: "test/ear" });
  expect(second).toEqual(first);
  expect(await transcripts.make(ROOM, id, "retry")).toEqual(first!);
  expect(paid).toEqual([[20_000, 700]]);
});

test("a failure is stored with its reason, is paid at most, and only a retry repeats it", async () => {
  let fails = true;
  const { transcripts, id, paid } = await open(async () => {
    if (fails) throw new HearthError("provider.overloaded", "ear.test is overloaded.");
    return "hello";
  });
  const failed = await transcripts.make(ROOM, id);
  expect(failed?.text).toBeUndefined();
  expect(failed?.error).toEqual({ code: "provider.overloaded", message: "ear.test is overloaded." });
  fails = false;
  expect(await transcripts.make(ROOM, id)).toEqual(failed!);
  expect((await transcripts.make(ROOM, id, "retry"))?.text).toBe("hello");
  expect(paid).toEqual([
    [20_000, 20_000],
    [20_000, 700],
  ]);
});

test("a spent budget is the reason, and nothing is sent", async () => {
  let calls = 0;
  const { transcripts, id, paid, spendAtMost } = await open(async () => `${(calls += 1)}`);
  spendAtMost(100);
  expect((await transcripts.make(ROOM, id))?.error).toMatchObject({ code: "budget.spent" });
  expect([calls, paid]).toEqual([0, []]);
});

test("A42: a transcript is read through its room, and goes with its message", async () => {
  const { transcripts, id, store, forget } = await open(async () => "a secret");
  await transcripts.make(ROOM, id);
  const codeIn = (room: RoomId) =>
    transcripts.find(room, id).then(
      () => "found",
      (error: unknown) => isHearthError(error) && error.code,
    );
  expect([await codeIn(ROOM), await codeIn(OTHER)]).toEqual(["found", "attachment.not-found"]);
  await forget();
  expect(await codeIn(ROOM)).toBe("attachment.not-found");
  expect(await store.select({ table: "transcripts" })).toEqual([]);
});

test("A42: a message that is deleted during the transcription leaves no transcript", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { transcripts, id, store, forget } = await open(() => {
    start();
    return promise;
  });
  const making = transcripts.make(ROOM, id);
  await started;
  await forget();
  resolve("too late");
  await making;
  expect(await store.select({ table: "transcripts" })).toEqual([]);
});

test("only the sender corrects a transcript, also one that failed", async () => {
  const { transcripts, id } = await open(async () => {
    throw new HearthError("provider.refused", "No speech was found in the audio.");
  });
  const codeOf = (by: AgentId) =>
    transcripts.edit(ROOM, id, "Hello.", by).then(
      ({ text, editedBy, error }) => [text, editedBy, error],
      (error: unknown) => isHearthError(error) && error.code,
    );
  expect(await codeOf(ANA)).toBe("transcript.none");
  await transcripts.make(ROOM, id);
  expect(await codeOf(BEN)).toBe("auth.denied");
  expect(await codeOf(ANA)).toEqual(["Hello.", ANA, undefined]);
});
