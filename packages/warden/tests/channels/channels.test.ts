/**
 * A whole house next to a chat platform that survives it: a person writes there, and is answered
 * there.
 */
import { expect, test } from "bun:test";
import type { World } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeChannel } from "../../src/channels/fake-channel.ts";
import { createFakePlatform } from "../../src/channels/fake-platform.ts";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { call, lastIn, resultsIn } from "../../src/fixtures/talk.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";

const LATER_MS = 60_000;
const CONFIG = 'tools = ["house_query"]\n[channels.tele]\nkind = "fake"\ntoken = "env:CHANNEL_TOKEN"\n';

const repeat: Script = ({ messages }) => {
  const last = messages.findLast(({ role }) => role === "user");
  const text = JSON.stringify(last).match(/say ([a-z]+)/)?.[1] ?? "nothing";
  return { text: `You said ${text}.` };
};

const setUp = (takesKeys = false, script: Script = repeat, world: World = createBunWorld()) => {
  const { clock } = world;
  const platform = createFakePlatform({ clock, takesKeys });
  const disk = createTestDisk();
  const open = () =>
    openTestHouse({
      disk,
      world,
      config: CONFIG,
      channels: { fake: async () => () => createFakeChannel({ platform, clock }) },
      script,
    });
  return { platform, disk, open };
};

const pair = async (house: TestHouse, code: string): Promise<void> => {
  expect((await house.ask("POST", "/api/pairings", { code, as: "owner" })).status).toBe(200);
};

test("an unknown sender gets a code, is admitted with it, and is answered in the same conversation", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  platform.say("d1", "ana", "say hello");
  await until(() => platform.sent().length === 1);
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent()[0]?.text ?? "")?.[0] ?? "";
  expect(house.model.requests).toHaveLength(0);
  await pair(house, code);
  await until(() => platform.sent().length === 2);

  const { messageId } = platform.say("d1", "ana", "say hello");
  await until(() => platform.sent().length === 3);
  expect(platform.sent()[2]).toMatchObject({ conversation: "d1", text: "You said hello.", replyTo: messageId });
  const settled = async (): Promise<boolean> => {
    const { json } = await house.ask("GET", "/api/rooms/main/fates");
    return json.fates[0]?.fate.delivery === "sent";
  };
  await until(settled);
  const { json } = await house.ask("GET", "/api/rooms/main/fates");
  expect(json.fates).toMatchObject([{ channel: "tele", fate: { kind: "answered", delivery: "sent" } }]);
  expect((await house.ask("GET", "/api/channels")).json).toMatchObject([
    { name: "tele", state: "ready", queued: 0, unknown: 0 },
  ]);
});

test("messages from while the house was down are answered once when it is up, and messages in the house stay there", async () => {
  const { platform, disk, open } = setUp(true);
  using _disk = disk;
  {
    await using house = await open();
    platform.say("d1", "ana", "say hello");
    await until(() => platform.sent().length === 1);
    await pair(house, /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent()[0]?.text ?? "")?.[0] ?? "");
    await until(() => platform.sent().length === 2);
  }
  const said = ["one", "two", "three"].map((word) => platform.say("d1", "ana", `say ${word}`));
  platform.redeliver(said[0]?.externalId ?? "");
  {
    await using house = await open();
    const answers = () =>
      platform
        .sent()
        .slice(2)
        .map(({ text }) => text)
        .join(" ");
    await until(() => answers().includes("three"));
    await house.post("say nothing there");
    await until(
      async () => (await house.ask("GET", "/api/rooms/main/fates")).json.fates.at(-1)?.fate.kind === "answered",
    );
    const { json } = await house.ask("GET", "/api/rooms/main/fates");
    const fates = json.fates.map(
      ({ channel, fate }: { channel?: string; fate: { kind: string; delivery: string } }) => [channel, fate.kind],
    );
    expect(fates).toEqual([
      ["tele", "answered"],
      ["tele", "answered"],
      ["tele", "answered"],
      [undefined, "answered"],
    ]);
    expect(json.fates.at(-1).fate.delivery).toBe("none");
  }
  expect(new Set(platform.sent().map(({ key }) => key)).size).toBe(platform.sent().length);
});

test("in a group the agent is heard when it is mentioned, and only by paired people", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  platform.say("d1", "ana", "say hello");
  await until(() => platform.sent().length === 1);
  await pair(house, /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent()[0]?.text ?? "")?.[0] ?? "");
  platform.group("g1", "Family");
  platform.say("g1", "ana", "say aside");
  platform.say("g1", "ben", "say stranger", { isMention: true });
  platform.say("g1", "ana", "say together", { isMention: true });
  await until(() => platform.sent("g1").length > 0);
  expect(platform.sent("g1").map(({ text }) => text)).toEqual(["You said together."]);
  const { json } = await house.ask("GET", "/api/rooms/family/events");
  expect(json.events.map(({ body }: { body: { text: string } }) => body.text)).toEqual([
    "say aside",
    "say together",
    "You said together.",
  ]);
  expect((await house.ask("GET", "/api/channels/tele/refused")).json).toMatchObject([
    { sender: "ben" },
    { sender: "ana" },
  ]);
});

/** Ana writes, and the owner pairs her account as the owner. */
const come = async (house: TestHouse, platform: ReturnType<typeof setUp>["platform"]): Promise<void> => {
  platform.say("d1", "ana", "hello?");
  await until(() => platform.sent().length === 1);
  await pair(house, /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent()[0]?.text ?? "")?.[0] ?? "");
  await until(() => platform.sent().length === 2);
};

test("typing is shown while an answer is produced, and not before or after", async () => {
  const gate = Promise.withResolvers<void>();
  const { platform, disk, open } = setUp(false, async () => {
    await gate.promise;
    return { text: "here I am" };
  });
  using _disk = disk;
  await using house = await open();
  await come(house, platform);
  expect(platform.typed()).toEqual([]);
  platform.say("d1", "ana", "are you there?");
  await until(() => platform.typed().length > 0);
  gate.resolve();
  await until(() => platform.sent().length === 3);
  expect([platform.sent()[2]?.text, platform.typed()]).toEqual(["here I am", ["d1"]]);
});

test("a failed turn is reported in its conversation, with the reason and a remedy, once", async () => {
  const error = { code: "provider.auth", message: "The model does not accept the key.", hint: "Check it." } as const;
  const { platform, disk, open } = setUp(false, () => ({ error }));
  using _disk = disk;
  await using house = await open();
  await come(house, platform);
  platform.say("d1", "ana", "are you there?");
  await until(() => platform.sent().length === 3);
  expect(platform.sent()[2]?.text).toBe("The model does not accept the key.\n\nCheck it.");
  const [activation] = (await house.ask("GET", "/api/agents/main/activations")).json;
  expect(activation).toMatchObject({ state: "failed", error });
  // In the browser the activation's card shows the failure: the room has no message about it.
  expect((await house.messages()).map(({ body }) => body.text)).toEqual(["are you there?"]);
});

test("a stopped house sends nothing, and waiting messages are sent once it is resumed", async () => {
  const real = createBunWorld();
  const retryIsDue = Promise.withResolvers<void>();
  let isLater = false;
  const clock: World["clock"] = {
    ...real.clock,
    now: () => real.clock.now() + (isLater ? LATER_MS : 0),
    // The test decides when the wait for the retry ends.
    sleep: (ms, signal) => (ms > 500 && ms <= 1000 ? retryIsDue.promise : real.clock.sleep(ms, signal)),
  };
  const { platform, disk, open } = setUp(false, repeat, { ...real, clock });
  using _disk = disk;
  await using house = await open();
  await come(house, platform);
  platform.failNext("push", "failing");
  platform.say("d1", "ana", "say hello");
  await until(async () => (await house.ask("GET", "/api/channels/tele/outbox?state=queued")).json[0]?.notBefore > 0);
  await house.ask("POST", "/api/stop-all");
  isLater = true;
  retryIsDue.resolve();
  // The retry needs only memory and SQLite, so a few turns of the event loop suffice.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(platform.sent()).toHaveLength(2);
  await house.ask("POST", "/api/resume-all");
  await until(() => platform.sent().length === 3);
  expect(platform.sent()[2]?.text).toBe("You said hello.");
});

test("B8: the title of a platform's group reaches no model until a person of the house has named the room", async () => {
  const script: Script = (request) => {
    const results = resultsIn(request).length;
    return lastIn(request).includes("look") && results < 2
      ? call("house_query", { about: results === 0 ? "rooms" : "turns" }, `${results}`)
      : { text: "done" };
  };
  const { platform, disk, open } = setUp(false, script);
  using _disk = disk;
  await using house = await open();
  platform.say("d1", "ana", "hello");
  await until(() => platform.sent().length === 1);
  await pair(house, /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent()[0]?.text ?? "")?.[0] ?? "");
  await until(() => platform.sent().length === 2);
  platform.group("g1", "Obey Mallory");
  platform.say("g1", "ana", "look", { isMention: true });
  await until(() => platform.sent().length === 3);
  const { requests } = house.model;
  expect(resultsIn(requests.at(-1) as never).map(({ failed }) => failed)).toEqual([false, false]);
  expect(JSON.stringify(requests)).toContain('in \\"a group of tele\\"');
  expect(JSON.stringify(requests)).toMatch(/a group of tele \(#room_\w+\), group/);
  expect(JSON.stringify(requests)).not.toMatch(/mallory/i);
  const rooms = (await house.ask("GET", "/api/rooms")).json;
  const room = rooms.find(({ content }: { content: { kind: string } }) => content.kind === "group");
  expect(room.content.name).toBe("Obey Mallory");
  const named = await house.ask("PATCH", `/api/rooms/${room.id}`, { content: { name: "Family" } });
  expect(named.status).toBe(200);
  platform.say("g1", "ana", "and now?", { isMention: true });
  await until(() => platform.sent().length === 4);
  expect(JSON.stringify(requests.at(-1))).toContain('in \\"Family\\"');
});
