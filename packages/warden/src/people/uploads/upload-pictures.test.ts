import { expect, test } from "bun:test";
import type { AgentId, HouseId, UploadId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const [ANA, EVE] = [
  { agent: "agent_ana" as AgentId, house: "house_1" as HouseId },
  { agent: "agent_eve" as AgentId, house: "house_2" as HouseId },
];
const small = { type: "image/webp", width: 10, height: 5, bytes: Uint8Array.of(1, 2) };

const open = () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const uploads = createTestUploads({ world, store, blobs: createMemoryBlobs(hash, world.clock.now) });
  const put = async (text: string, by = ANA): Promise<UploadId> => {
    const bytes = new TextEncoder().encode(text);
    const { id } = await uploads.begin(by, { name: "a.png", sizeBytes: bytes.length });
    await uploads.append(by.agent, id, { offset: 0, bytes });
    return id;
  };
  const rows = async () => (await store.select({ table: "upload_pictures" })).map(({ upload }) => upload).toSorted();
  return { uploads, put, rows };
};

test("equal uploads of one house share a scaled picture, and it stays when the first of them is removed", async () => {
  const { uploads, put, rows } = open();
  const [one, same, changed, elsewhere] = [await put("a"), await put("a"), await put("b"), await put("a", EVE)];
  const kept = { ...small, hash: hash(small.bytes) };
  expect(await uploads.keepPicture(one, 640, small)).toBe(kept.hash);
  expect(await uploads.findPicture(one, 640)).toEqual(kept);
  expect(await uploads.findPicture(one, 641)).toBeUndefined();
  expect(await uploads.findPicture(changed, 640)).toBeUndefined();
  expect(await uploads.findPicture(elsewhere, 640)).toBeUndefined();
  expect(await uploads.findPicture(same, 640)).toEqual(kept);
  await uploads.cancel(ANA.agent, one);
  expect(await rows()).toEqual([same]);
  expect(await uploads.findPicture(same, 640)).toEqual(kept);
});

test("an erased upload takes its scaled pictures along", async () => {
  const { uploads, put, rows } = open();
  const id = await put("a");
  await uploads.keepPicture(id, 640, small);
  expect(await uploads.erase(id)).toContain(hash(small.bytes));
  expect(await rows()).toEqual([]);
  await uploads.keepPicture(id, 640, small);
  expect(await rows()).toEqual([]);
});
