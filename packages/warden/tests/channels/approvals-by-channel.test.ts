/**
 * Approvals on a chat platform: decided by the person who was asked, in the same conversation, with
 * a secret code.
 */
import { expect, test } from "bun:test";
import { until } from "@hearth/protocol/until";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createFakeChannel } from "../../src/channels/fake-channel.ts";
import { createFakePlatform } from "../../src/channels/fake-platform.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { call, resultsIn } from "../../src/fixtures/talk.ts";

const CONFIG = 'mode = "ask"\ntools = ["write"]\n[channels.tele]\nkind = "fake"\ntoken = "env:CHANNEL_TOKEN"\n';
const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}/;

/** A house in which the owner writes to `main` in the conversation d1. */
const open = async (disk: TestDisk) => {
  const { clock } = createBunWorld();
  const platform = createFakePlatform({ clock, takesKeys: true });
  const house = await openTestHouse({
    ...{ disk, config: CONFIG, channels: { fake: async () => () => createFakeChannel({ platform, clock }) } },
    script: (request) => {
      const [result] = resultsIn(request).toReversed();
      return result === undefined ? call("write", { path: "a.txt", content: "```\nx" }) : { text: result.text };
    },
  });
  const sent = (): readonly string[] => platform.sent().map(({ text }) => text);
  const untilSent = async (count: number): Promise<string> => {
    await until(() => sent().length >= count);
    return sent()[count - 1] ?? "";
  };
  const pair = async (conversation: string, sender: string, as: string): Promise<void> => {
    const before = sent().length;
    platform.say(conversation, sender, "hello");
    const [code] = CODE.exec(await untilSent(before + 1)) ?? [""];
    expect((await house.ask("POST", "/api/pairings", { code, as })).status).toBe(200);
    await untilSent(before + 2);
  };
  await pair("d1", "ana", "owner");
  return { platform, house, sent, untilSent, pair };
};

const written = (disk: TestDisk): Promise<boolean> => Bun.file(`${disk.workspace}/a.txt`).exists();
const stateOf = async (house: TestHouse): Promise<string> => (await house.ask("GET", "/api/approvals")).json[0]?.state;

test("B4, B6: an approval request shows the whole call and a code that works only in this conversation and for this person", async () => {
  using disk = createTestDisk();
  const { platform, house, untilSent, pair } = await open(disk);
  await using _ = house;
  const { json: bea } = await house.ask("POST", "/api/agents", { content: { name: "Bea", kind: "human" }, level: "x" });
  await pair("d2", "bea", bea.handle);
  platform.say("d1", "ana", "write it");
  const asked = await untilSent(5);
  expect(asked).toContain('````\nwrite\n  content: "```\\nx"\n  path: "a.txt"\n````');
  const [code = ""] = CODE.exec(asked) ?? [];
  const requests = house.model.requests.length;
  // Another administrator with the right code elsewhere; an unknown sender; the right person with a
  // wrong code or none.
  platform.say("d2", "bea", `/allow ${code}`);
  expect(await untilSent(6)).toContain("No request with this code");
  platform.say("d1", "ana", "/allow 0000-0000");
  expect(await untilSent(7)).toContain("No request with this code");
  platform.say("d1", "ana", "/allow");
  expect(await untilSent(8)).toContain("No request with this code");
  platform.say("d3", "eve", `/allow ${code}`);
  expect(await untilSent(9)).toContain("I do not know you yet");
  expect(await stateOf(house)).toBe("pending");
  platform.say("d1", "ana", `/allow ${code.toLowerCase().replace("-", "")}`);
  await until(() => platform.sent().some(({ text }) => text === "Allowed, once."));
  await until(() => written(disk));
  await until(async () => (await stateOf(house)) === "used");
  platform.say("d1", "ana", `/allow ${code}`);
  await until(() => platform.sent().filter(({ text }) => text.includes("No request with this code")).length === 4);
  // No decision message reached a model, and none is in a room.
  expect(house.model.requests.length).toBe(requests + 1);
  expect(JSON.stringify(await house.messages())).not.toContain(code);
});

test("is denied there with a reason, which the model reads", async () => {
  using disk = createTestDisk();
  const { platform, house, untilSent, sent } = await open(disk);
  await using _ = house;
  platform.say("d1", "ana", "write it");
  const [code = ""] = CODE.exec(await untilSent(3)) ?? [];
  platform.say("d1", "ana", `/deny ${code} not into that file`);
  await until(() => sent().some((text) => text.includes("Their reason: not into that file")));
  expect(sent()).toContain("Denied.");
  expect(await written(disk)).toBe(false);
});

test("a group only learns that a person was asked, not the call or the code", async () => {
  using disk = createTestDisk();
  const { platform, house, untilSent } = await open(disk);
  await using _ = house;
  platform.group("g1", "Friends");
  platform.say("g1", "ana", "write it", { isMention: true });
  const asked = await untilSent(3);
  expect(asked).toContain("waits for approval to call write");
  expect(asked).not.toMatch(/a\.txt|```/);
  expect(asked).not.toMatch(CODE);
  expect(await disk.store.select({ table: "approvals", where: { state: "pending" } })).toMatchObject([
    { code_hash: null },
  ]);
});

test("B4: a button press counts only from the person asked, in their conversation, with a current code; other presses have no effect and reach no model", async () => {
  using disk = createTestDisk();
  const { platform, house, untilSent, pair } = await open(disk);
  await using _ = house;
  const { json: bea } = await house.ask("POST", "/api/agents", { content: { name: "Bea", kind: "human" }, level: "x" });
  await pair("d2", "bea", bea.handle);
  platform.say("d1", "ana", "write it");
  await untilSent(5);
  const asked = () => platform.sent()[4];
  const { messageId = "", choices } = asked() ?? {};
  const [allow, deny] = typeof choices === "string" ? [] : (choices ?? []);
  expect([allow?.label, deny?.label]).toEqual(["Allow once", "Deny"]);
  const word = allow?.word ?? "";
  const requests = house.model.requests.length;
  const events = (await house.messages()).length;
  const refused = async () => (await house.ask("GET", "/api/channels/tele/refused")).json;
  const press = async (conversation: string, sender: string, said: string, told: string | undefined) => {
    const [before, known] = [platform.shownAnswers().length, (await refused()).length];
    platform.press(conversation, sender, messageId, said);
    await until(async () => (await refused()).length > known);
    if (told === undefined) return expect(platform.shownAnswers().length).toBe(before);
    await until(() => platform.shownAnswers().length > before);
    expect(platform.shownAnswers().at(-1)).toContain(told);
  };
  // An unknown sender, in this conversation and in their own; conversations without messages so
  // far; another administrator; another decision.
  await press("d1", "eve", word, undefined);
  await press("d3", "eve", word, undefined);
  await press("d2", "bea", word, undefined);
  await press("d2", "ana", word, undefined);
  await press("d1", "bea", word, "No request with this code");
  await press("d1", "ana", "/allow 0000-0000", "No request with this code");
  await press("d1", "ana", "write it", "No request with this code");
  expect(await stateOf(house)).toBe("pending");
  expect(asked()?.choices).toEqual(choices as never);
  expect(platform.sent()).toHaveLength(5);
  expect([house.model.requests.length, (await house.messages()).length]).toEqual([requests, events]);
  await press("d1", "ana", word, "Allowed, once.");
  await until(() => written(disk));
  await until(() => asked()?.choices === "Allowed, once.");
  await press("d1", "ana", deny?.word ?? "", "No request with this code");
  expect(asked()?.choices).toBe("Allowed, once.");
  await until(async () => (await stateOf(house)) === "used");
  expect(house.model.requests.length).toBe(requests + 1);
});

test("a press that denies is confirmed where it was pressed, and a second press changes nothing", async () => {
  using disk = createTestDisk();
  const { platform, house, untilSent, sent } = await open(disk);
  await using _ = house;
  platform.say("d1", "ana", "write it");
  await untilSent(3);
  const [code = ""] = CODE.exec(sent()[2] ?? "") ?? [];
  const { messageId = "" } = platform.sent()[2] ?? {};
  const { externalId } = platform.press("d1", "ana", messageId, `/deny ${code}`);
  await until(() => platform.sent()[2]?.choices === "Denied.");
  platform.redeliver(externalId);
  await until(() => sent().some((text) => text.includes("denied this call")));
  expect(await written(disk)).toBe(false);
  expect(await stateOf(house)).toBe("denied");
});

test("the buttons disappear wherever the decision was made, and the decision and its author replace them", async () => {
  using disk = createTestDisk();
  const { platform, house, untilSent } = await open(disk);
  await using _ = house;
  const choices = (place: number) => platform.sent()[place]?.choices;
  const pendingId = async (): Promise<string> => (await house.ask("GET", "/api/approvals?state=pending")).json[0]?.id;
  platform.say("d1", "ana", "write it");
  await untilSent(3);
  expect(choices(2)).toBeArrayOfSize(2);
  const { name } = (await house.ask("GET", "/api/me")).json.agent.content;
  await house.ask("POST", `/api/approvals/${await pendingId()}`, { decision: "deny", reason: "Not that." });
  await until(() => choices(2) === `Denied by ${name}.`);
  await untilSent(4);
  // Decided by a text message; and undecided, because the requesting turn was cancelled.
  platform.say("d1", "ana", "write it again");
  const [code] = CODE.exec(await untilSent(5)) ?? [];
  platform.say("d1", "ana", `/deny ${code}`);
  await until(() => choices(4) === "Denied.");
  await untilSent(7);
  platform.say("d1", "ana", "and again");
  await untilSent(8);
  const { activation } = (await house.ask("GET", `/api/approvals/${await pendingId()}`)).json;
  await house.ask("POST", `/api/activations/${activation}/stop`);
  await until(() => choices(7) === "The request is no longer pending.");
  // Each end is stored after the platform has answered.
  const ended = async () =>
    (await disk.store.select({ table: "outbox", where: { state: "sent" } })).filter(({ ends }) => ends !== null).length;
  await until(async () => (await ended()) === 3);
});

test("the buttons disappear when the approval expires, also if the platform is unreachable at that moment", async () => {
  using disk = createTestDisk();
  const { platform, house, untilSent } = await open(disk);
  await using _ = house;
  platform.say("d1", "ana", "write it");
  await untilSent(3);
  platform.failNext("end", "lost-before");
  const [{ id }] = (await house.ask("GET", "/api/approvals?state=pending")).json;
  await disk.store.commit({ writes: [{ kind: "update", table: "approvals", where: { id }, set: { expires_at: 1 } }] });
  expect((await house.ask("POST", `/api/approvals/${id}`, { decision: "allow" })).status).toBe(409);
  await until(() => platform.sent()[2]?.choices === "The request was not answered in time.");
});
