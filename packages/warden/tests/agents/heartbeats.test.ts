/**
 * F1, R26. Heartbeats of agents: they post if there is something to report, and cost nothing
 * otherwise.
 */
import { describe, expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createFakeChannel } from "../../src/channels/fake-channel.ts";
import { createFakePlatform } from "../../src/channels/fake-platform.ts";
import {
  atNoon,
  beatsOf,
  HOUR,
  MINUTE,
  NOON,
  NOTHING_NEW,
  openBeating,
  pass,
  passHeld,
  saidIn,
  setHeartbeat,
  SILENT,
  told,
} from "../fixtures/heartbeats.ts";
import { createTestDisk } from "../../src/fixtures/house.ts";
import { activationsOf, addBot, call, lastIn, readIn, resultsIn, sayTo } from "../../src/fixtures/talk.ts";

const HALF = { every: "30m" };

describe("a heartbeat", () => {
  test("with nothing to say posts nothing, and without news no model is asked again", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: () => ({ text: "HEARTBEAT_OK" }) });
    await setHeartbeat(house, HALF);
    await pass(house, world, 30 * MINUTE);
    const [shown] = await activationsOf(house, "main");
    const deltas = (await house.deltas(shown.id)).map(({ type }) => type);
    expect(deltas).toContain("end");
    expect(deltas).not.toContain("text-delta");
    await pass(house, world, 150 * MINUTE + MINUTE);
    expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`, `skipped 5: ${NOTHING_NEW}`]);
    expect(house.model.requests).toHaveLength(1);
    expect(await saidIn(house)).toEqual([]);
    const [beat, ...more] = await activationsOf(house, "main");
    expect(beat).toMatchObject({ trigger: "heartbeat", state: "skipped", reason: SILENT });
    expect(more).toEqual([]);
  });

  test("gets the list of HEARTBEAT.md and the news, and its report is posted in the room", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    const replies = [{ text: "**HEARTBEAT_OK**" }, { text: "The post is here." }];
    await using house = await openBeating({ disk, world, beat: () => replies.shift() ?? { text: "?" } });
    await house.post("old words");
    await house.until(2);
    await setHeartbeat(house, HALF);
    await pass(house, world, 31 * MINUTE);
    await house.post("look out for the post");
    await house.until(4);
    await pass(house, world, 30 * MINUTE);
    expect(await saidIn(house)).toEqual(["old words", "yes", "look out for the post", "yes", "The post is here."]);
    expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`, "fired 1: On time."]);
    const [first, second] = house.model.requests.filter((request) => lastIn(request).startsWith("A heartbeat:"));
    expect(readIn(first as NonNullable<typeof first>).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^- 12:00 /),
      "- Look at the post.",
      expect.stringContaining("It is the first one."),
    ]);
    const read = readIn(second as NonNullable<typeof second>);
    expect(read.map(({ text }) => text)).toEqual([
      "look out for the post",
      expect.stringMatching(/^- 12:00 /),
      "- Look at the post.",
      expect.stringContaining("New since the last one: 1 message in 1 room."),
    ]);
    expect(read.at(-2)?.note).toBe("HEARTBEAT.md of your brain: what to look at now");
    const [, beat] = await beatsOf(house);
    const reply = (await house.messages()).at(-1);
    expect(beat).toMatchObject({ activation: reply?.activation, result: reply?.id });
  });

  test("leaves only its report for later turns to read", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: () => ({ text: "The post is here." }) });
    await setHeartbeat(house, { ...HALF, always: true });
    await pass(house, world, 65 * MINUTE);
    await house.post("thanks");
    await house.until(6);
    const request = house.model.requests.at(-1) as NonNullable<(typeof house.model.requests)[number]>;
    expect(JSON.stringify(request.messages)).not.toContain("A heartbeat");
    expect(JSON.stringify(request.messages)).toContain("The post is here.");
  });

  test("posts in the named room, where the list of HEARTBEAT.md stays hidden", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: () => ({ text: "Dinner is at seven." }) });
    const { json: kitchen } = await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await setHeartbeat(house, { ...HALF, room: "kitchen" }, "- My lawyer's letter\n");
    await pass(house, world, 31 * MINUTE);
    const { json: page } = await house.ask("GET", `/api/rooms/${kitchen.id}/events?limit=100`);
    expect(page.events.map(({ body }: { body: { text: string } }) => body.text)).toEqual([
      expect.stringMatching(/^A heartbeat: .*It is the first one\.$/s),
      "Dinner is at seven.",
    ]);
    expect(JSON.stringify(page)).not.toContain("lawyer");
    expect(JSON.stringify(house.model.requests[0]?.messages)).toContain("lawyer");
    expect(await saidIn(house)).toEqual([]);
  });
});

describe("a heartbeat does not start for", () => {
  test("its own posts, files and jobs, and answers to it by other agents", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    let beats = 0;
    await using house = await openBeating({
      ...{ disk, world },
      beat(request) {
        const done = resultsIn(request).length;
        if (done === 0) beats += 1;
        if (done === 0) return call("write_brain", { path: "notes.md", mode: "append", text: "seen" });
        if (done === 1) return call("send_message", { room: "kitchen", text: "@ben are you there?" });
        if (done === 2) return call("ask_agent", { agent: "ben", question: "And in person?" });
        return { text: "I asked @ben." };
      },
      others: { Ben: () => ({ text: "I am here." }) },
    });
    await addBot(house, "Ben");
    await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await house.ask("PATCH", "/api/agents/main", { content: { tools: ["write_brain", "send_message", "ask_agent"] } });
    await setHeartbeat(house, HALF);
    await passHeld(house, world, 31 * MINUTE, 20_000);
    await until(async () => (await house.ask("GET", "/api/approvals")).json.length > 0);
    const [{ id }] = (await house.ask("GET", "/api/approvals")).json;
    await house.ask("POST", `/api/approvals/${id}`, { decision: "allow" });
    await pass(house, world, 2 * HOUR + 30 * MINUTE);
    const { json: page } = await house.ask("GET", "/api/rooms/kitchen/events?limit=100");
    const said = page.events.map(({ body }: { body: { text: string } }) => body.text);
    expect(said).toEqual(["@ben are you there?", "I am here."]);
    const wakers = (await activationsOf(house, "ben")).map(({ trigger }) => trigger);
    expect(wakers).toEqual(expect.arrayContaining(["inbox", "mention"]));
    expect(wakers).toHaveLength(2);
    expect(beats).toBe(1);
    expect(told(await beatsOf(house))).toEqual(["fired 1: On time.", `skipped 5: ${NOTHING_NEW}`]);
  });

  test("R26: another heartbeat's report, so two agents cannot keep each other awake", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({
      ...{ disk, world },
      beat: () => ({ text: "I looked." }),
      others: { Ben: () => ({ text: "I looked too." }) },
    });
    const ben = await addBot(house, "Ben");
    await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    for (const agent of ["main", ben.handle]) await setHeartbeat(house, { ...HALF, room: "kitchen" }, "- Look.", agent);
    await pass(house, world, 4 * HOUR + MINUTE);
    expect(told(await beatsOf(house))).toEqual(["fired 1: On time.", `skipped 7: ${NOTHING_NEW}`]);
    const others = await beatsOf(house, "/api/agents/ben/jobs/heartbeat/slots");
    expect(told(others)).toEqual(["fired 1: On time.", `skipped 7: ${NOTHING_NEW}`]);
  });

  test("answers by a program elsewhere, but starts for that program's own posts", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: () => ({ text: "@far are you there?" }) });
    const far = await addBot(house, "Far", { runs: "elsewhere" });
    const { json: kitchen } = await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } });
    const { json: made } = await house.ask("POST", "/api/keys", { agent: far.id, name: "far" });
    await setHeartbeat(house, { ...HALF, room: "kitchen" });
    await pass(house, world, 31 * MINUTE);
    const say = async (message: object) =>
      (await house.ask("POST", `/api/rooms/${kitchen.id}/messages`, message, made.key)).status;
    const { json: page } = await house.ask("GET", "/api/rooms/kitchen/events?limit=100");
    expect(await say({ text: "I am.", replyTo: page.events.at(-1).id })).toBe(201);
    await pass(house, world, 30 * MINUTE);
    expect(told(await beatsOf(house))).toEqual(["fired 1: On time.", `skipped 1: ${NOTHING_NEW}`]);
    expect(await say({ text: "The lamp is on." })).toBe(201);
    await pass(house, world, 30 * MINUTE);
    expect(told(await beatsOf(house)).at(-1)).toBe("fired 1: On time.");
  });

  test("a job that a heartbeat created", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    const job = '[jobs.again]\nprompt = "Again?"\nevery = "20m"\n';
    await using house = await openBeating({
      ...{ disk, world },
      beat: (request) =>
        resultsIn(request).length === 0
          ? call("write_brain", { path: "cron/jobs.toml", mode: "replace", text: job })
          : { text: "HEARTBEAT_OK" },
    });
    await setHeartbeat(house, HALF);
    await pass(house, world, 2 * HOUR + MINUTE);
    expect((await house.ask("GET", "/api/agents/main/jobs/again")).json.last).toMatchObject({ fate: "fired" });
    expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`, `skipped 3: ${NOTHING_NEW}`]);
  });
});

describe("a heartbeat starts for", () => {
  const cases: Record<string, (house: Awaited<ReturnType<typeof openBeating>>) => Promise<unknown>> = {
    "a person's message in a room that it may read": async (house) => {
      const { json: room } = await house.ask("POST", "/api/rooms", { content: { name: "Hall" } });
      return house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "a message to no agent" });
    },
    "a file of its brain that a person changed": (house) =>
      house.ask("PUT", "/api/agents/main/brain/file?path=USER.md", { text: "Ana moved.\n" }),
    "its own finished job": (house) =>
      house.ask("POST", "/api/agents/main/jobs", { name: "tea", prompt: "Tea?", once: "2026-01-01T12:50" }),
    "what another agent left for it": async (house) => sayTo(house, await addBot(house, "Ben"), "tell main"),
    "a message that another agent posted on its own initiative": async (house) => {
      const ben = await addBot(house, "Ben");
      const { json: room } = await house.ask("POST", "/api/rooms", { content: { name: "Hall" } });
      return house.ask("POST", `/api/rooms/${room.id}/messages`, { text: `@${ben.handle} hello` });
    },
  };
  for (const [what, happens] of Object.entries(cases))
    test(what, async () => {
      using disk = createTestDisk();
      const world = atNoon();
      await using house = await openBeating({
        ...{ disk, world, beat: () => ({ text: "HEARTBEAT_OK" }) },
        others: {
          Ben: (request) =>
            lastIn(request) === "tell main" && resultsIn(request).length === 0
              ? call("send_to_agent", { agent: "main", text: "Ana called." })
              : { text: "done" },
        },
      });
      await setHeartbeat(house, HALF);
      await pass(house, world, 31 * MINUTE);
      expect(await happens(house)).toMatchObject({});
      await pass(house, world, 30 * MINUTE);
      expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`, `fired 1: ${SILENT}`]);
      await pass(house, world, 30 * MINUTE);
      expect(told(await beatsOf(house)).at(-1)).toBe(`skipped 1: ${NOTHING_NEW}`);
    });

  test("every slot if it is set to run always", async () => {
    using disk = createTestDisk();
    const world = atNoon();
    await using house = await openBeating({ disk, world, beat: () => ({ text: " \n" }) });
    await setHeartbeat(house, { ...HALF, always: true });
    await pass(house, world, 2 * HOUR + MINUTE);
    expect(told(await beatsOf(house))).toEqual(Array(4).fill(`fired 1: ${SILENT}`));
    expect((await beatsOf(house)).map(({ slot }) => slot)).toEqual([1, 2, 3, 4].map((n) => NOON + n * 30 * MINUTE));
  });
});

test("its report goes to the platform conversation with its owner, and nothing unposted goes there", async () => {
  using disk = createTestDisk();
  const world = atNoon();
  const platform = createFakePlatform({ clock: world.clock, takesKeys: false });
  const replies = [{ text: "HEARTBEAT_OK" }, { text: "The post is here." }];
  await using house = await openBeating({
    ...{ disk, world, beat: () => replies.shift() ?? { text: "?" } },
    sections: '[channels.tele]\nkind = "fake"\ntoken = "env:CHANNEL_TOKEN"\n',
    channels: { fake: async () => () => createFakeChannel({ platform, clock: world.clock }) },
  });
  platform.say("d1", "ana", "hello");
  await pass(house, world, MINUTE);
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent()[0]?.text ?? "")?.[0] ?? "";
  expect((await house.ask("POST", "/api/pairings", { code, as: "owner" })).status).toBe(200);
  platform.say("d1", "ana", "hello again");
  await pass(house, world, MINUTE);
  const before = platform.sent().length;
  await setHeartbeat(house, { ...HALF, always: true });
  await pass(house, world, HOUR + MINUTE);
  expect(told(await beatsOf(house))).toEqual([`fired 1: ${SILENT}`, "fired 1: On time."]);
  expect(platform.sent().slice(before)).toMatchObject([{ conversation: "d1", text: "The post is here." }]);
});
