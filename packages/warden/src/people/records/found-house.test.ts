import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createIdentity } from "../../fixtures/identity.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { foundHouse } from "./found-house.ts";

const hash = (data: string | Uint8Array): string => new Bun.CryptoHasher("sha256").update(data).digest("hex");

test("the machine's time zone is read when a house is founded, and at no later start", async () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const streams = createDurableStreams({ world, store, blobs: createMemoryBlobs(hash) });
  const house = await foundHouse({ world, store, streams, timezone: () => "Asia/Tokyo" });
  const { records } = createIdentity({ world, store, streams });
  expect((await records.get("house", house)).content.timezone).toBe("Asia/Tokyo");
  expect(await foundHouse({ world, store, streams, timezone: () => expect.unreachable() })).toBe(house);
});
