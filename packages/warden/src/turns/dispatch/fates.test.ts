import { type ActivationState, noUsage, type ActivationId, type EventId, type RoomId } from "@hearth/protocol";
import { writeJson } from "../../kernel/index.ts";
import { describe, expect, test } from "bun:test";
import { openChannelHouse, update } from "../../fixtures/channel-house.ts";
import { problem } from "../../fixtures/stub-channel.ts";
import type { Row } from "../../kernel/store/tables/tables.ts";

const open = async () => {
  const house = await openChannelHouse();
  await house.allow();
  const room = (await house.rooms.direct(house.owner.id, house.bot.id)).id;
  const closing = new AbortController();
  const running = house.outbox.run(closing.signal);
  const hear = async (number: number): Promise<EventId> => {
    const accepted = await house.inbound.accept("tele", update(number));
    if (accepted.kind !== "accepted") throw new Error("the message was not accepted");
    return accepted.event;
  };
  const say = async (text: string) => (await house.rooms.post(room, { text }, house.owner.id)).id;
  /** Inserts an activation of the bot for this message. */
  const wake = async (
    cause: EventId,
    state: ActivationState,
    over: Partial<Row<"activations">> = {},
  ): Promise<ActivationId> => {
    const id = world.ids.derive("act", cause, over.agent ?? house.bot.id);
    const row: Row<"activations"> = {
      ...{ id, agent: house.bot.id, room, trigger: "direct", cause, cause_offset: 1, person: house.owner.id, state },
      ...{
        reason: null,
        error: null,
        model: null,
        usage: writeJson(noUsage),
        frozen: null,
        frozen_blob: null,
        progress: 0,
        retries: 0,
        retry_at: 0,
        retried_by: null,
        created_at: 0,
      },
      ...{ started_at: null, ended_at: null, fence: 0, crashes: 0, depth: 0, merged_into: null, parked: null },
      ...{ skip: null, ready_at: 0, root: cause, parent: null, inbox: null },
      ...over,
    };
    await house.store.commit({ writes: [{ kind: "insert", table: "activations", row }] });
    return id;
  };
  const reply = async (activation: ActivationId, text: string, causes: readonly EventId[]) => {
    const id = world.ids.derive("evt", activation, "0");
    const message = { room, body: { format: "markdown", text }, causes: [...causes] } as const;
    await house.streams.commit({
      writes: await house.outbox.plan({ id, ...message }),
      events: [
        {
          ...({ stream: `room:${room}`, id } as const),
          event: {
            type: "message",
            author: house.bot.id,
            at: 0,
            mentions: [],
            activation,
            ...message,
            causes: [...causes],
          },
        },
      ],
    });
    house.outbox.poke();
    await house.settle();
  };
  const { world } = house;
  const fatesOf = async (after = 0, limit = 100) => house.fates.list(room as RoomId, { after, limit });
  await house.settle();
  return {
    ...{ ...house, room, hear, say, wake, reply, fatesOf },
    kinds: async () => (await fatesOf()).fates.map(({ fate }) => fate),
    stop: async () => {
      closing.abort();
      await house.settle();
      await running;
    },
  };
};

describe("a message has one fate:", () => {
  test("ignored while it woke no agent", async () => {
    const house = await open();
    const event = await house.say("hello");
    expect((await house.fatesOf()).fates).toEqual([
      { event, offset: 1, at: expect.any(Number) as never, author: house.owner.id, fate: { kind: "ignored" } },
    ]);
    await house.stop();
  });

  test.each(["queued", "running", "waiting"])("%s, like its activation", async (state) => {
    const house = await open();
    const activation = await house.wake(await house.say("hello"), state);
    expect(await house.kinds()).toEqual([{ kind: state, by: house.bot.id, activation } as never]);
    await house.stop();
  });

  test.each(["skipped", "stopped", "failed"])("%s, with the reason", async (state) => {
    const house = await open();
    const activation = await house.wake(await house.say("hello"), state, { reason: "So it is." });
    expect(await house.kinds()).toEqual([{ kind: state, by: house.bot.id, activation, reason: "So it is." } as never]);
    await house.stop();
  });

  test("replied; for a message from a channel, also whether the reply was delivered", async () => {
    const house = await open();
    const here = await house.say("from here");
    await house.reply(await house.wake(here, "replied"), "back", [here]);
    for (const [number, outcome] of [
      [1, undefined],
      [2, { kind: "unknown", error: problem() }],
      [3, { kind: "refused", error: problem("channel.refused") }],
      [4, { kind: "later", error: problem() }],
    ] as const) {
      const event = await house.hear(number);
      if (outcome !== undefined) house.platform.outcomes.push(() => outcome);
      await house.reply(await house.wake(event, "replied"), `back ${number}`, [event]);
    }
    const { fates } = await house.fatesOf();
    expect(fates.map(({ channel, fate }) => [channel, fate.kind === "answered" ? fate.delivery : fate.kind])).toEqual([
      [undefined, "none"],
      ["tele", "sent"],
      ["tele", "unknown"],
      ["tele", "refused"],
      ["tele", "queued"],
    ]);
    await house.stop();
  });

  test("replied, also if the reply comes hundreds of messages later", async () => {
    const house = await open();
    const cause = await house.hear(1);
    const activation = await house.wake(cause, "replied");
    for (let count = 0; count < 250; count += 1) await house.say(`between ${count}`);
    await house.reply(activation, "back", [cause]);
    const [first] = (await house.fatesOf()).fates;
    expect(first?.fate).toMatchObject({ kind: "answered", delivery: "sent" });
    await house.stop();
  });

  test("the worst fate of its pieces", async () => {
    const house = await open();
    const event = await house.hear(1);
    house.platform.outcomes.push(() => ({ kind: "unknown", error: problem() }));
    await house.reply(await house.wake(event, "replied"), "one\ntwo", [event]);
    expect(await house.kinds()).toMatchObject([{ kind: "answered", delivery: "unknown" }]);
    await house.stop();
  });

  test("the fate of the activation that merged it", async () => {
    const house = await open();
    const [first, second] = [await house.hear(1), await house.hear(2)];
    const host = await house.wake(first, "replied");
    await house.wake(second, "skipped", { merged_into: host });
    await house.reply(host, "both", [first, second]);
    const answered = { kind: "answered", by: house.bot.id, activation: host, delivery: "sent" } as const;
    expect(await house.kinds()).toEqual([answered, answered]);
    await house.stop();
  });

  test("the fate of the agent that came furthest, when it woke several", async () => {
    const house = await open();
    const event = await house.say("all of you");
    const other = house.world.ids.fresh("agent");
    await house.wake(event, "failed", { agent: other });
    const activation = await house.wake(event, "running");
    expect(await house.kinds()).toEqual([{ kind: "running", by: house.bot.id, activation }]);
    await house.stop();
  });
});

test("forgotten when it is older than the retention of activations and has none left", async () => {
  const house = await open();
  const [first, second] = [await house.say("one"), await house.say("two")];
  await house.reply(await house.wake(second, "replied"), "back", [second]);
  expect((await house.kinds()).map(({ kind }) => kind)).toEqual(["ignored", "answered"]);
  await house.world.advance(30 * 24 * 60 * 60_000 + 1);
  expect((await house.fatesOf(0)).fates.map(({ event, fate }) => [event, fate.kind])).toEqual([
    [first, "forgotten"],
    [second, "answered"],
  ]);
  await house.stop();
});

test("`list` returns fates of people's messages only, in pages", async () => {
  const house = await open();
  const events: EventId[] = [];
  for (let number = 0; number < 5; number += 1) {
    const event = await house.say(`text ${number}`);
    events.push(event);
    await house.reply(await house.wake(event, "replied"), "back", [event]);
  }
  const seen: EventId[] = [];
  let after = 0;
  for (;;) {
    const page = await house.fatesOf(after, 2);
    seen.push(...page.fates.map(({ event }) => event));
    expect(page.fates.every(({ fate }) => fate.kind === "answered")).toBe(true);
    if (page.fates.length === 0) break;
    after = page.next;
  }
  expect(seen).toEqual(events);
  expect((await house.fatesOf(after)).next).toBe(after);
  await house.stop();
});
