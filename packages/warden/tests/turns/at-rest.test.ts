/**
 * Bots that answer each other whenever they can always come to rest, and every request by a person
 * is answered.
 */
import { expect, test } from "bun:test";
import { createTestDisk } from "../../src/fixtures/house.ts";
import { isGate, openTalkingHouse, type Bot } from "../../src/fixtures/talking-house.ts";

type Json = ReturnType<typeof JSON.parse>;

const MAX_REPLIES = 12;
const MAX_CHAIN = 4;

const named = (count: number, more: Partial<Bot> = {}): readonly Bot[] =>
  Array.from({ length: count }, (_, index) => ({ name: `b${index}`, ...more }));
const calls = (count: number): string =>
  named(count)
    .map(({ name }) => `@${name}`)
    .join(" ");

test.each([2, 5, 20, 50])(
  "%p bots that call all others, and listen to everything, come to rest within their limits",
  async (count) => {
    using disk = createTestDisk();
    await using talk = await openTalkingHouse({
      disk,
      bots: named(count, { triggerMode: "ambient", ambient: { relevance: "off", cooldown: false, debounceMs: 10 } }),
      reply: (handle) => ({ text: `${handle} says: ${calls(count)}` }),
    });
    const asked = [`@b0 begin`, `continue without a name`, `${calls(count)} all of you`];
    for (const text of asked) {
      await talk.say(text);
      // Twice the number of passes that the longest chain needs.
      for (let times = 0; times < 2 * MAX_CHAIN; times += 1) await talk.pass(1000);
    }
    const rows = await talk.rows();
    expect(rows.filter(({ ended_at }) => ended_at === null)).toEqual([]);
    const replied = rows.filter(({ state }) => state === "replied");
    expect(Math.max(...replied.map(({ depth }) => depth))).toBeLessThanOrEqual(MAX_CHAIN);

    const said = await talk.messages();
    const people = said.filter(({ activation }) => activation === undefined);
    for (const { id, mentions } of people) {
      const own = replied.filter(({ root }) => root === id);
      expect(own.length).toBeLessThanOrEqual(Math.max(MAX_REPLIES, mentions.length));
      // A bot that a person mentions answers, whatever else is running.
      for (const bot of mentions) expect(own.some(({ agent, depth }) => agent === bot && depth === 0)).toBe(true);
    }
    expect(said).toHaveLength(people.length + replied.length);
    const skipped = rows.filter(({ skip }) => skip === "replies" || skip === "depth");
    expect(skipped.length).toBeGreaterThan(0);
    expect(skipped.filter(({ reason }) => !reason?.includes("a person writes a message"))).toEqual([]);
  },
  180_000,
);

test("two bots that call each other stop at the configured depth, and start again after a person's message", async () => {
  using disk = createTestDisk();
  await using talk = await openTalkingHouse({
    disk,
    bots: named(2),
    reply: () => ({ text: "@b0 @b1 continue" }),
    sections: "[turns]\nmax_chain = 3\nmax_replies = 100\n",
  });
  for (const text of ["@b0 begin", "@b1 again"]) await talk.say(text);
  const rows = await talk.rows();
  const depths = rows.map(({ depth, state, skip }) => [depth, state, skip]);
  const once = [...[0, 1, 2, 3].map((depth) => [depth, "replied", null]), [4, "skipped", "depth"]];
  expect(depths).toEqual([...once, ...once]);
  expect(new Set(rows.map(({ root }) => root)).size).toBe(2);
});

test("a person is answered while bots are at their limit, also by a bot that is at its own", async () => {
  using disk = createTestDisk();
  await using talk = await openTalkingHouse({
    disk,
    bots: named(2),
    reply: () => ({ text: "@b0 @b1 continue" }),
    sections: "[turns]\nmax_chain = 100\nmax_replies = 0\n",
  });
  for (let index = 0; index < 3; index += 1) await talk.say("@b0 and you?");
  const rows = await talk.rows();
  expect(rows.filter(({ depth }) => depth === 0).map(({ state }) => state)).toEqual(Array(3).fill("replied"));
  expect(rows.filter(({ depth }) => depth > 0).map(({ skip }) => skip)).toEqual(Array(3).fill("replies"));
});

test("when a conversation concerns many bots, all are asked and only the allowed number replies", async () => {
  using disk = createTestDisk();
  await using talk = await openTalkingHouse({
    disk,
    bots: named(30, { triggerMode: "ambient", ambient: { model: "fake/small" } }),
    // Every second bot has something to say.
    reply: (handle, request) =>
      isGate(request)
        ? { text: /\(@b\d*[13579]\)/.test(request.system[0]?.text ?? "") ? "YES" : "NO" }
        : { text: handle },
    sections: "[turns]\nmax_replies = 5\n",
  });
  await talk.say("what do you all think?");
  await talk.pass(3000);
  const rows = await talk.rows();
  const count = (state: string, skip: string | null): number =>
    rows.filter((row) => row.state === state && row.skip === skip).length;
  expect([count("replied", null), count("skipped", "relevance"), count("skipped", "replies")]).toEqual([5, 15, 10]);
  expect(
    rows
      .filter(({ state }) => state === "replied")
      .every(({ agent }) => Number(talk.bots.find(({ id }) => id === agent)?.handle.slice(1)) % 2 === 1),
  ).toBe(true);
});

test("a bot that runs elsewhere counts as a bot: its messages have the depth of the messages they answer, and end chains", async () => {
  using disk = createTestDisk();
  await using talk = await openTalkingHouse({ disk, bots: named(2), reply: () => ({ text: "@b1 go on" }) });
  const { key } = (await talk.house.ask("POST", "/api/keys", { name: "elsewhere", agent: talk.bots[1]?.id })).json;
  // It never wakes here: its program follows the room and answers each message of the other bot.
  await talk.house.ask("POST", "/api/agents/b1/stop");
  const first = await talk.say("@b0 begin");
  const answer = async (more: object): Promise<Json> => {
    const { json } = await talk.house.ask(
      "POST",
      `/api/rooms/${talk.room.id}/messages`,
      { text: "@b0 and then?", ...more },
      key,
    );
    await talk.settle();
    return json;
  };
  const own = async () => (await talk.rows()).filter(({ agent }) => agent === talk.bots[0]?.id);
  for (let index = 0; index < 4; index += 1) await answer({});
  expect((await own()).map(({ depth, skip, root }) => [depth, skip, root === first.id])).toEqual([
    [0, null, true],
    [2, null, true],
    [4, null, true],
    [6, "depth", true],
    // No message came in between, so this counts as an answer to the earlier ones.
    [6, "depth", true],
  ]);
  // A message that replies to a person's message is posted.
  await answer({ replyTo: first.id });
  expect((await own()).at(-1)).toMatchObject({ depth: 1, state: "replied", root: first.id });
  // Long after the other messages, the program posts on its own initiative.
  await talk.pass(10 * 60_000);
  const alone = await answer({});
  expect((await own()).at(-1)).toMatchObject({ depth: 1, state: "replied", root: alone.id });
});
