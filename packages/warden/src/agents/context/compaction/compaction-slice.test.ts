import { describe, expect, test } from "bun:test";
import type { AgentId, EventId, RoomId, StoredMessage } from "@hearth/protocol";
import fc from "fast-check";
import { chooseSlice } from "./compaction-slice.ts";

const BOT = "bot" as AgentId;
const ANA = "ana" as AgentId;

const message = (offset: number, length: number, answers?: number): StoredMessage => ({
  ...{ type: "message", id: String(offset) as EventId, offset, room: "room" as RoomId, at: offset, mentions: [] },
  ...{ author: answers === undefined ? ANA : BOT, body: { format: "markdown", text: "x".repeat(length) } },
  causes: answers === undefined ? [] : [String(answers) as EventId],
});

const chosen = (
  messages: readonly StoredMessage[],
  more: { readonly keep?: number; readonly maxLength?: number } = {},
) =>
  chooseSlice({
    ...{
      current: { messages, removed: new Set() },
      cause: messages.length + 1,
      agent: BOT,
      maxLength: Infinity,
      ...more,
    },
  });

describe("slices of a session that is too long", () => {
  test("about three quarters become a summary, and a question stays with its answer", () => {
    const talk = [1, 3, 5, 7].flatMap((offset) => [message(offset, 100), message(offset + 1, 100, offset)]);
    expect(chosen(talk)).toMatchObject({ through: 6 });
  });

  test("`keep` sets how many of the last messages stay, and 0 summarises all of them", () => {
    const talk = [1, 2, 3, 4].map((offset) => message(offset, 10));
    expect(chosen(talk, { keep: 3 })).toMatchObject({ through: 1 });
    expect(chosen(talk, { keep: 0 })).toMatchObject({ through: 4 });
    expect(chosen(talk, { keep: 4 })).toBeUndefined();
  });

  test("a slice fits the model's limit but holds at least one message", () => {
    const talk = [1, 2, 3, 4].map((offset) => message(offset, 1000));
    expect(chosen(talk, { keep: 0, maxLength: 2500 })).toMatchObject({ through: 2 });
    expect(chosen(talk, { keep: 0, maxLength: 1 })).toMatchObject({ through: 1 });
    expect(chosen([])).toBeUndefined();
  });

  test("for any conversation, slice and rest are the conversation in order, and no answer loses its question", () => {
    const kinds = fc.array(fc.record({ length: fc.nat(500), back: fc.option(fc.nat(4), { nil: undefined }) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        kinds,
        fc.option(fc.nat(30), { nil: undefined }),
        fc.integer({ min: 1, max: 5000 }),
        (all, keep, maxLength) => {
          const talk = all.map(({ length, back }, index) =>
            message(index + 1, length, back === undefined || index - back < 1 ? undefined : index - back),
          );
          const slice = chosen(talk, { maxLength, ...(keep === undefined ? {} : { keep }) });
          if (slice === undefined) return talk.length === 0 || (keep ?? 0) >= talk.length;
          const rest = talk.filter(({ offset }) => offset > slice.through);
          expect([...slice.messages, ...rest]).toEqual(talk);
          const taken = new Set(slice.messages.map(({ id }) => id));
          return slice.messages.length > 0 && rest.every(({ causes }) => causes.every((id) => !taken.has(id)));
        },
      ),
    );
  });
});
