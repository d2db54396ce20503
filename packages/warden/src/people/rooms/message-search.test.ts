import { expect, test } from "bun:test";
import { RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeLog } from "../../kernel/log/log.ts";
import type { PendingText } from "../../kernel/store/texts.ts";
import { createMessageSearch } from "./message-search.ts";

test("indexing lets the store keep up after each full slice, but not before a search with few new messages", async () => {
  const world = createFakeWorld({ hash: String });
  const calls: string[] = [];
  let left = 230;
  const pending = (limit: number): PendingText[] =>
    Array.from({ length: Math.min(limit, left) }, (_, index) => ({
      id: String(index),
      room: RoomId.parse(`room_${"0".repeat(26)}`),
      offset: index + 1,
      edit: undefined,
    }));
  const search = createMessageSearch({
    world,
    log: createFakeLog(),
    streams: { read: async () => [], find: async () => undefined },
    store: {
      texts: {
        pending: async (limit) => pending(limit),
        write: async (texts) => {
          calls.push(`write ${texts.length}`);
          left -= texts.length;
        },
        find: async () => [],
      },
      waitUntilIdle: async () => void calls.push("rest"),
    },
  });
  await search.catchUp();
  expect(calls).toEqual(["write 100", "rest", "write 100", "rest", "write 30"]);
});
