/** Uploads that no message names are removed after their time, with their quota. */
import { expect, test } from "bun:test";
import type { AgentId, EventId, HouseId, RoomId, Upload } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTestUploads, TEST_LIMITS } from "../../fixtures/uploads.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createQuotas } from "./quotas.ts";
import { createUploadSweep } from "./upload-sweep.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const ANA = "agent_ana" as AgentId;
const HOUSE = "house_1" as HouseId;
const ROOM = "room_1" as RoomId;
const UNNAMED_MS = 1000;

const open = () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const uploads = createTestUploads({ world, store });
  const quotas = createQuotas({ store, limits: () => TEST_LIMITS });
  const sweep = createUploadSweep({ clock: world.clock, store, quotas, unnamedMs: () => UNNAMED_MS });
  const begin = (name: string, sizeBytes = 3) => uploads.begin({ agent: ANA, house: HOUSE }, { name, sizeBytes });
  const put = async (name: string): Promise<Upload> => {
    const { id } = await begin(name);
    await uploads.append(ANA, id, { offset: 0, bytes: new TextEncoder().encode(name.padEnd(3).slice(0, 3)) });
    return uploads.show(ANA, id);
  };
  const name = async ({ id }: Upload): Promise<void> => {
    const plan = await uploads.planMessage({ author: ANA, room: ROOM, event: `evt_${id}` as EventId }, [id]);
    await store.commit({ guards: plan.guards, writes: plan.writes });
  };
  const left = async () => (await store.select({ table: "uploads" })).map((row) => row.name).toSorted();
  const quotaOf = async (holder: string) => {
    const [row] = await store.select({ table: "upload_quotas", where: { holder } });
    return [row?.bytes, row?.open];
  };
  return { world, store, sweep, begin, put, name, left, quotaOf };
};

test("an upload is removed once it has been unnamed for the whole time, complete or not", async () => {
  const { world, sweep, begin, put, left, quotaOf } = open();
  await begin("open");
  await put("one");
  await world.advance(1);
  await put("two");
  expect(await quotaOf(ANA)).toEqual([9, 1]);
  await world.advance(UNNAMED_MS - 2);
  expect([await sweep.run(), await left()]).toEqual([[], ["one", "open", "two"]]);
  await world.advance(1);
  expect([(await sweep.run()).length, await left()]).toEqual([1, ["two"]]);
  expect([await quotaOf(ANA), await quotaOf(HOUSE)]).toEqual([
    [3, 0],
    [3, 0],
  ]);
  await world.advance(1);
  expect([(await sweep.run()).length, await left()]).toEqual([1, []]);
  expect(await quotaOf(ANA)).toEqual([0, 0]);
});

test("an upload that a message names stays, also if the time has passed, and cannot be erased", async () => {
  const { world, store, sweep, put, name, left } = open();
  const named = await put("one");
  await name(named);
  // Another message that named it was deleted, so it is complete again.
  await store.commit({
    writes: [{ kind: "update", table: "uploads", where: { id: named.id, house: HOUSE }, set: { state: "complete" } }],
  });
  await world.advance(2 * UNNAMED_MS);
  expect([await sweep.run(), await left()]).toEqual([[], ["one"]]);
  expect((await store.select({ table: "uploads" }))[0]?.state).toBe("named");
  expect(await sweep.erase(named.id)).toEqual([]);
  expect(await left()).toEqual(["one"]);
});

test("erasing an upload returns the blobs of its parts, and nothing for an unknown one", async () => {
  const { store, sweep, put, left, quotaOf } = open();
  const { id } = await put("one");
  const parts = await store.select({ table: "upload_parts", where: { upload: id } });
  expect(await sweep.erase(id)).toEqual(parts.map(({ blob }) => blob));
  expect([parts.length, await left(), await quotaOf(ANA)]).toEqual([1, [], [0, 0]]);
  expect(await store.select({ table: "upload_parts" })).toEqual([]);
  expect(await sweep.erase(id)).toEqual([]);
});

test("more uploads than one query returns are removed by one sweep, which its signal ends", async () => {
  const { world, sweep, begin, left } = open();
  for (let count = 0; count < 51; count += 1) await begin(`u${count}`, 0);
  await world.advance(UNNAMED_MS);
  expect([await sweep.run(AbortSignal.abort()), (await left()).length]).toEqual([[], 51]);
  await sweep.run();
  expect(await left()).toEqual([]);
});

test("an upload that changed after it was read is not removed", async () => {
  const { store, sweep, put, left } = open();
  await put("one");
  const [row] = await store.select({ table: "uploads" });
  if (row === undefined) throw new Error("there is no upload");
  expect(await sweep.remove({ ...row, changed_at: row.changed_at - 1 })).toBe(false);
  expect(await left()).toEqual(["one"]);
  expect(await sweep.remove(row)).toBe(true);
});
