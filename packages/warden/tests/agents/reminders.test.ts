/**
 * Reminders in a whole house next to a chat platform: they appear where they were requested, once,
 * and nowhere else.
 */
import { expect, test } from "bun:test";
import type { World } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createFakeChannel } from "../../src/channels/fake-channel.ts";
import { createFakePlatform } from "../../src/channels/fake-platform.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { obeys } from "../../src/fixtures/talk.ts";

const { hash } = createBunWorld();
const CONFIG = '[channels.tele]\nkind = "fake"\ntoken = "env:CHANNEL_TOKEN"\n';

type Json = ReturnType<typeof JSON.parse>;

const setUp = (world: World = createBunWorld()) => {
  const { clock } = world;
  const platform = createFakePlatform({ clock, takesKeys: true });
  const disk = createTestDisk();
  const open = (config = CONFIG) =>
    openTestHouse({
      ...{ disk, config, world, script: obeys },
      channels: { fake: async () => () => createFakeChannel({ platform, clock }) },
    });
  return { platform, disk, open };
};

type Platform = ReturnType<typeof setUp>["platform"];

/** Pairs a sender: as the owner, or as a new person. */
const admit = async (house: TestHouse, platform: Platform, place: string, who: string, as?: "owner"): Promise<void> => {
  platform.say(place, who, "hello?");
  await until(() => platform.sent(place).length === 1);
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(platform.sent(place)[0]?.text ?? "")?.[0] ?? "";
  const body = { code, ...(as === undefined ? {} : { as }) };
  expect((await house.ask("POST", "/api/pairings", body)).status).toBe(200);
  await until(() => platform.sent(place).length === 2);
};

/** The messages sent there, without those of the pairing. */
const heard = (platform: Platform, place: string, skip = 2): readonly string[] =>
  platform
    .sent(place)
    .slice(skip)
    .map(({ text }) => text);

const ask = (tool: string, input: Json): string => `call ${tool} ${JSON.stringify(input)}`;
const TEA = ask("schedule_task", { name: "tea", when: "in 20 minutes", prompt: "Tea is ready." });

const run = async (house: TestHouse, job: string): Promise<Json> => {
  expect((await house.ask("POST", `/api/agents/main/jobs/${job}/run`)).status).toBe(201);
  const last = async () => (await house.ask("GET", `/api/agents/main/jobs/${job}/slots`)).json[0];
  await until(async () => (await last()).endedAt !== undefined);
  return last();
};

test("a reminder requested on a platform appears there and in the room, once, and in no other conversation", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  await admit(house, platform, "d1", "ana", "owner");
  // The same person with another account: requests in one place do not appear in the other.
  await admit(house, platform, "d2", "ana-at-work", "owner");
  platform.say("d1", "ana", TEA);
  await until(() => heard(platform, "d1").length === 1);
  platform.say("d2", "ana-at-work", "hello");
  await until(() => heard(platform, "d2").length === 1);
  expect((await house.ask("GET", "/api/agents/main/jobs/tea")).json).toMatchObject({ channel: "tele" });
  expect(await run(house, "tea")).toMatchObject({ fate: "fired", reason: "A person started it." });
  await until(() => heard(platform, "d1").length === 2);
  expect(heard(platform, "d1")[1]).toBe("did: Tea is ready.");
  expect(heard(platform, "d2")).toEqual(["did: hello"]);
  expect((await house.messages()).map(({ body }) => body.text).slice(-2)).toEqual([
    "Tea is ready.",
    "did: Tea is ready.",
  ]);
  // A reminder requested in the house stays there.
  await house.post(ask("schedule_task", { name: "cake", every: "1h", prompt: "Cake." }));
  await house.until(8);
  await run(house, "cake");
  expect([heard(platform, "d1").length, heard(platform, "d2").length]).toEqual([2, 1]);
});

test("a reminder requested in a group appears in that group", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  await admit(house, platform, "d1", "ana", "owner");
  platform.group("g1", "Family");
  platform.say("g1", "ana", TEA, { isMention: true });
  await until(() => platform.sent("g1").length === 1);
  await run(house, "tea");
  await until(() => platform.sent("g1").length === 2);
  expect(platform.sent("g1")[1]?.text).toBe("did: Tea is ready.");
  expect(heard(platform, "d1")).toEqual([]);
});

test("a removed pairing gets no reminder: it appears only in the room, and the slot has the reason", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  await admit(house, platform, "d1", "ana", "owner");
  platform.say("d1", "ana", TEA);
  await until(() => heard(platform, "d1").length === 1);
  expect((await house.ask("DELETE", "/api/pairings/tele/ana")).status).toBe(204);
  expect((await run(house, "tea")).reason).toBe(
    'A person started it. The reply was sent only to the room: the channel "tele" no longer admits the person who requested it.',
  );
  expect((await house.messages()).at(-1)?.body.text).toBe("did: Tea is ready.");
  expect(heard(platform, "d1")).toHaveLength(1);
});

test("the same holds for a removed channel", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  {
    await using house = await open();
    await admit(house, platform, "d1", "ana", "owner");
    platform.say("d1", "ana", TEA);
    await until(() => heard(platform, "d1").length === 1);
  }
  await using house = await open("");
  expect((await run(house, "tea")).reason).toEndWith(
    'The reply was sent only to the room: the channel "tele" no longer exists.',
  );
  expect(await disk.store.select({ table: "outbox", where: { state: "queued" } })).toEqual([]);
});

test("a job that is moved into another room does not appear where it was requested", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  await admit(house, platform, "d1", "ana", "owner");
  platform.say("d1", "ana", TEA);
  await until(() => heard(platform, "d1").length === 1);
  const { id } = (await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } })).json;
  await house.ask("PATCH", "/api/agents/main/jobs/tea", { room: id });
  expect((await run(house, "tea")).reason).toContain("The reply was sent only to the room: the conversation");
  expect(heard(platform, "d1")).toHaveLength(1);
});

test("a failure and a halt are reported where the job was requested, with the reason and a remedy", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  await admit(house, platform, "d1", "ana", "owner");
  platform.say("d1", "ana", ask("schedule_task", { name: "bad", every: "1h", prompt: "fail" }));
  await until(() => heard(platform, "d1").length === 1);
  for (let times = 1; times <= 5; times += 1) {
    expect((await run(house, "bad")).fate).toBe("failed");
    await until(() => heard(platform, "d1").length === 1 + times);
  }
  const [, first, , , , last] = heard(platform, "d1");
  expect(first).toMatch(/^The job "bad" failed: .+\n\nFailed 1 of 5 times; .+ hearth job run main bad$/s);
  expect(last).toContain(
    "It failed 5 times in a row and is halted. To resume it once it is fixed: hearth job resume main bad",
  );
  expect((await house.ask("GET", "/api/agents/main/jobs/bad")).json.status).toBe("halted");
});

test("a job whose room is deleted reports that where it was requested, if that is its owner's own room", async () => {
  const world = createFakeWorld({ hash });
  const { platform, disk, open } = setUp(world);
  using _disk = disk;
  await using house = await open();
  await admit(house, platform, "d1", "ana", "owner");
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Kitchen" } })).json;
  platform.say("d1", "ana", ask("schedule_task", { name: "tea", every: "1h", prompt: "Tea.", room: "kitchen" }));
  await until(() => heard(platform, "d1").length === 1);
  expect(heard(platform, "d1")[0]).toContain("Your answer will be posted in Kitchen.");
  await house.ask("DELETE", `/api/rooms/${room.id}`, { version: room.version });
  await world.advance(3_600_000);
  await until(async () => {
    await world.advance(1000);
    return heard(platform, "d1").length === 2;
  });
  expect(heard(platform, "d1")[1]).toStartWith(`The job "tea" failed: There is no room "${room.id}".`);
});

test("a job requested by an unknown sender waits for an approval, and then belongs to that sender, in their conversation", async () => {
  const { platform, disk, open } = setUp();
  using _disk = disk;
  await using house = await open();
  await admit(house, platform, "d1", "ana", "owner");
  await admit(house, platform, "d7", "ben");
  platform.say("d7", "ben", TEA);
  await until(() => heard(platform, "d7").length === 1);
  const [proposal, ...others] = (await house.ask("GET", "/api/agents/main/brain/proposals?state=pending")).json;
  expect(others).toEqual([]);
  expect(heard(platform, "d7")[0]).toContain(`hearth brain approve main ${proposal.id}`);
  expect((await house.ask("GET", "/api/agents/main/jobs")).json.jobs).toEqual([]);
  const decided = await house.ask("POST", `/api/agents/main/brain/proposals/${proposal.id}`, { decision: "approve" });
  expect(decided.status).toBe(200);
  const [job] = (await house.ask("GET", "/api/agents/main/jobs")).json.jobs;
  const ben = (await house.ask("GET", `/api/agents/${job.owner}`)).json;
  expect(ben.content.name.toLowerCase()).toBe("ben");
  await run(house, "tea");
  await until(() => heard(platform, "d7").length === 2);
  expect(heard(platform, "d7")[1]).toContain("did: Tea is ready.");
  expect(heard(platform, "d1")).toEqual([]);
  // They cannot see or change the owner's own jobs.
  platform.say("d1", "ana", ask("schedule_task", { name: "gift", every: "1h", prompt: "A gift for Ben." }));
  await until(() => heard(platform, "d1").length === 1);
  platform.say("d7", "ben", ask("list_tasks", {}));
  await until(() => heard(platform, "d7").length === 3);
  expect(heard(platform, "d7")[2]).toContain("tea (");
  expect(heard(platform, "d7")[2]).not.toContain("gift");
  platform.say("d7", "ben", ask("cancel_task", { name: "gift" }));
  await until(() => heard(platform, "d7").length === 4);
  expect(heard(platform, "d7")[3]).toContain('There is no task "gift" here.');
});
