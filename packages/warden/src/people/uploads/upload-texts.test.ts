import { expect, test } from "bun:test";
import type { AgentId, EventId, HouseId, RoomId, UploadId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTestUploads, TEST_LIMITS } from "../../fixtures/uploads.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createUploadTexts } from "./upload-texts.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const [ANA, EVE] = [
  { agent: "agent_ana" as AgentId, house: "house_1" as HouseId },
  { agent: "agent_eve" as AgentId, house: "house_2" as HouseId },
];

const open = () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(hash, world.clock.now);
  const uploads = createTestUploads({ world, store, blobs });
  const put = async (text: string, by = ANA): Promise<UploadId> => {
    const bytes = new TextEncoder().encode(text);
    const { id } = await uploads.begin(by, { name: "a.pdf", sizeBytes: bytes.length });
    await uploads.append(by.agent, id, { offset: 0, bytes });
    return id;
  };
  const rows = async () => (await store.select({ table: "upload_texts" })).map(({ upload }) => upload).toSorted();
  return { world, store, blobs, uploads, put, rows };
};

test("equal uploads of one house share a text, and it stays when the first of them is removed", async () => {
  const { uploads, put, rows } = open();
  const [one, same, changed, elsewhere] = [await put("a"), await put("a"), await put("b"), await put("a", EVE)];
  await uploads.keepText(one, "the text");
  expect(await uploads.findText(one)).toBe("the text");
  expect(await uploads.findText(changed)).toBeUndefined();
  expect(await uploads.findText(elsewhere)).toBeUndefined();
  expect(await rows()).toEqual([one]);
  expect(await uploads.findText(same)).toBe("the text");
  expect(await rows()).toEqual([one, same].toSorted());
  await uploads.cancel(ANA.agent, one);
  expect(await rows()).toEqual([same]);
  expect(await uploads.findText(one)).toBeUndefined();
  expect(await uploads.findText(same)).toBe("the text");
});

test("an upload that is incomplete or was removed keeps no text", async () => {
  const { uploads, put, rows } = open();
  const { id: partial } = await uploads.begin(ANA, { name: "a", sizeBytes: 2 });
  await uploads.keepText(partial, "early");
  const gone = await put("a");
  await uploads.cancel(ANA.agent, gone);
  await uploads.keepText(gone, "late");
  expect(await rows()).toEqual([]);
  expect(await uploads.findText(partial)).toBeUndefined();
});

test("an upload that is removed while its text is stored leaves no row", async () => {
  const { store, blobs, uploads, put, rows } = open();
  const id = await put("a");
  const late = createUploadTexts({
    blobs,
    store: {
      select: store.select,
      async commit(given) {
        await uploads.cancel(ANA.agent, id);
        return store.commit(given);
      },
    },
  });
  await late.keepText(id, "the text");
  expect(await rows()).toEqual([]);
});

test("the sweep returns the blob of a text with those of its upload", async () => {
  const { world, store, uploads, put, rows } = open();
  const [kept, swept] = [await put("kept"), await put("swept")];
  await uploads.keepText(kept, "text of kept");
  await uploads.keepText(swept, "text of swept");
  const message = { author: ANA.agent, room: "room_1" as RoomId, event: "evt_1" as EventId };
  const { guards, writes } = await uploads.planMessage(message, [kept]);
  await store.commit({ guards, writes });
  await world.advance(TEST_LIMITS.unnamedMs);
  expect((await uploads.sweep()).toSorted()).toEqual([hash("swept"), hash("text of swept")].toSorted());
  expect(await rows()).toEqual([kept]);
});
