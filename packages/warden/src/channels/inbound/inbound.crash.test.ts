/**
 * Crash test of channels in both directions: the process ends before or after any commit, and after
 * a restart the house is in the same state.
 */
import { beforeAll, expect, test } from "bun:test";
import type { EventId } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import { type ChannelHouse, hash, openChannelHouse, settle as settleOnce } from "../../fixtures/channel-house.ts";
import { detectMedia } from "../../people/lazy.ts";
import { createFakeChannel } from "../fake-channel.ts";
import { createFakePlatform, type FakePlatform } from "../fake-platform.ts";
import { createCrashingStore } from "../../fixtures/crashing-store.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";

// Loads the libraries that find the types of files. The tests own the clock, so they cannot wait for it.
beforeAll(() => detectMedia(Uint8Array.of(1)));

/** Long enough for an update with files. */
const settle = async (world: FakeWorld): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await settleOnce(world);
};

/** What people do on the platform, the same in each run. */
const write = (platform: FakePlatform): void => {
  platform.group("g1", "Family");
  const first = platform.say("d1", "s1", "one");
  platform.say("d1", "s1", "two");
  platform.say("g1", "s1", "among us");
  platform.edit("d1", first.messageId, "edited");
  platform.say("g1", "s1", "to you", { isMention: true });
  const file = { name: "a.txt", bytes: new TextEncoder().encode("the file") };
  platform.say("d1", "s1", "", { files: [file] });
  platform.say("d1", "s1", "large", { files: [file, { name: "b.bin", bytes: new Uint8Array(20_000) }] });
  platform.say("d2", "stranger", "who are you?");
  platform.addOtherUpdates();
  platform.redeliver(first.externalId);
};

/**
 * One life of the daemon: accepts the platform's updates, answers every message, sends the answers.
 */
const live = async (house: ChannelHouse, signal: AbortSignal): Promise<void> => {
  const sending = house.outbox.run(signal);
  const reading = house.inbound.run(signal);
  await settle(house.world);
  for (const event of await house.said()) {
    if (event.type !== "message" || event.activation !== undefined) continue;
    const id = house.world.ids.derive("evt", event.id, "reply");
    if ((await house.streams.find(`room:${event.room}`, id)) !== undefined) continue;
    const body = { format: "markdown", text: `to ${event.body.text}` } as const;
    const reply = { id, room: event.room, body, causes: [event.id] as EventId[] };
    const activation = house.world.ids.derive("act", event.id);
    await house.streams.commit({
      writes: await house.outbox.plan(reply),
      events: [
        {
          ...({ stream: `room:${event.room}`, id } as const),
          event: { type: "message", author: house.bot.id, at: 0, mentions: [], activation, ...reply },
        },
      ],
    });
    house.outbox.poke();
  }
  await settle(house.world);
  void sending;
  void reading;
};

const namesOf = (event: object): string =>
  "attachments" in event ? (event.attachments as readonly { name: string }[]).map(({ name }) => name).join() : "";

const play = async (takesKeys: boolean, crash?: { at: number; side: "before" | "after" }) => {
  const world = createFakeWorld({ hash });
  const disk = createMemoryStore();
  const blobs = createMemoryBlobs(hash);
  const platform = createFakePlatform({ clock: world.clock, takesKeys });
  const channel = createFakeChannel({ platform, clock: world.clock });
  write(platform);
  const first = await openChannelHouse({ world, store: disk, blobs, channel });
  await first.allow();

  const life = createCrashingStore(disk, crash);
  const closing = new AbortController();
  const doomed = openChannelHouse({ world, store: life.store, blobs, channel }).then((house) =>
    live(house, closing.signal),
  );
  await settle(world);
  await settle(world);
  if (!life.isDead()) await doomed;
  life.die();
  closing.abort();
  await settle(world);
  const commits = life.commits();

  const again = new AbortController();
  const house = await openChannelHouse({ world, store: disk, blobs, channel });
  await live(house, again.signal);
  again.abort();
  await settle(world);
  const rooms = await house.records.list("room");
  const nameOf = (id: string | null): string => rooms.find((room) => room.id === id)?.content.name ?? "none";
  return {
    commits,
    arrived: platform
      .sent()
      .map(({ conversation, text }) => `${conversation} ${text}`.replace(/[0-9A-Z]{4}-[0-9A-Z]{4}/g, "CODE"))
      .sort(),
    rooms: rooms.map(({ content }) => [content.name, content.kind, content.members?.length]),
    said: (await house.said())
      .flatMap((event) =>
        event.type === "message" || event.type === "message-edited"
          ? [`${nameOf(event.room)}: ${event.type} ${event.body.text} ${namesOf(event)}`]
          : [],
      )
      .sort(),
    inbound: (await disk.select({ table: "inbound", order: [{ column: "external" }] })).map((row) => [
      row.external,
      row.fate,
      nameOf(row.room),
      row.event !== null,
    ]),
    conversations: (await disk.select({ table: "conversations", order: [{ column: "conversation" }] })).map((row) => [
      row.conversation,
      nameOf(row.room),
    ]),
    senders: (await disk.select({ table: "senders", order: [{ column: "external" }] })).map((row) => [
      row.external,
      row.state,
      row.code_hash !== null,
    ]),
    cursors: await disk.select({ table: "cursors" }),
    outbox: (await disk.select({ table: "outbox" })).map(({ state }) => state),
  };
};

test("after a crash at any commit and a restart, nothing is lost, doubled or half done", async () => {
  const { commits, ...expected } = await play(true);
  expect(commits).toBeGreaterThan(15);
  const refused = "[file; not received: a file may have at most 10 kB]";
  expect(expected).toMatchObject({
    rooms: [
      ["Main", "direct", 2],
      ["Family", "group", 2],
    ],
    said: [
      "Family: message among us ",
      "Family: message to among us ",
      "Family: message to to you ",
      "Family: message to you ",
      "Main: message  a.txt",
      `Main: message large\n${refused} a.txt`,
      "Main: message one ",
      "Main: message to  ",
      `Main: message to large\n${refused} `,
      "Main: message to one ",
      "Main: message to two ",
      "Main: message two ",
      "Main: message-edited edited ",
    ],
    senders: [
      ["s1", "allowed", false],
      ["stranger", "pending", true],
    ],
    cursors: [{ channel: "tele", cursor: "10" }],
    outbox: Array.from({ length: 8 }, () => "sent"),
  });
  expect(expected.inbound.map(([, fate, room]) => `${fate} ${room}`).toSorted()).toEqual([
    ...["accepted Family", "accepted Family"],
    ...["accepted Main", "accepted Main", "accepted Main", "accepted Main", "accepted Main"],
    "unpaired none",
  ]);
  expect(expected.arrived).toHaveLength(8);
  for (let at = 1; at <= commits; at += 1) {
    for (const side of ["before", "after"] as const) {
      const { commits: _commits, ...came } = await play(true, { at, side });
      expect([at, side, came]).toEqual([at, side, expected]);
    }
  }
});

test("without idempotency keys, a crash leaves at most one copy of each message, and unknown ones are shown", async () => {
  const { commits, arrived: all, outbox: _sent, ...expected } = await play(false);
  let unknown = 0;
  for (let at = 1; at <= commits; at += 1) {
    for (const side of ["before", "after"] as const) {
      const { commits: _commits, arrived, outbox, ...came } = await play(false, { at, side });
      expect([at, side, came]).toEqual([at, side, expected]);
      expect(new Set(arrived).size).toBe(arrived.length);
      const shown = outbox.filter((state) => state === "unknown").length;
      expect(all.length - arrived.length).toBeLessThanOrEqual(shown);
      expect(outbox.length - shown).toBe(outbox.filter((state) => state === "sent").length);
      unknown += shown;
    }
  }
  expect(unknown).toBeGreaterThan(0);
});
