import { expect, test } from "bun:test";
import { type AgentId, type HouseId, isHearthError, type UploadId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createTestUploads } from "../../fixtures/uploads.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { storeFile } from "./store-file.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");
const ANA = { agent: "agent_ana" as AgentId, house: "house_1" as HouseId };
const ID = "upload_1" as UploadId;

const open = () => {
  const world = createFakeWorld({ hash });
  const uploads = createTestUploads({ world, store: createMemoryStore() });
  let reads = 0;
  const store = (text: string, sizeBytes = text.length) =>
    storeFile(uploads, ANA, {
      id: ID,
      name: "a.txt",
      sizeBytes,
      async *read() {
        reads += 1;
        yield new TextEncoder().encode(text);
      },
    });
  return { uploads, store, reads: () => reads };
};

test("a file is stored once, and later calls do not read it", async () => {
  const { store, reads } = open();
  const first = await store("old text");
  expect(await store("new text")).toEqual(first);
  expect(reads()).toBe(1);
});

test("what an earlier call left incomplete is replaced by the present file", async () => {
  const { uploads, store } = open();
  await uploads.begin(ANA, { id: ID, name: "a.txt", sizeBytes: 8 });
  await uploads.append(ANA.agent, ID, { offset: 0, bytes: new TextEncoder().encode("old ") });
  expect(await store("longer text")).toMatchObject({ hash: hash("longer text"), sizeBytes: 11 });
});

test("a file that ends early is an error and leaves no upload", async () => {
  const { uploads, store } = open();
  await expect(store("short", 8)).rejects.toThrow("8 bytes of a file ended at 5");
  const error = await uploads.show(ANA.agent, ID).catch((thrown: unknown) => thrown);
  expect(isHearthError(error, "upload.not-found")).toBe(true);
});
