/** Agents that post in other rooms, and look up the house's records about themselves. */
import { describe, expect, test } from "bun:test";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, call, type Cast, play, resultsIn, sayTo, waitForEnd } from "../../src/fixtures/talk.ts";

type Json = ReturnType<typeof JSON.parse>;

/** Calls the tool once, and replies with the result. */
const calls =
  (name: string, input: Json): Cast[string] =>
  (request) => {
    const [result] = resultsIn(request);
    return result === undefined ? call(name, input) : { text: `${result.failed ? "failed" : "got"}: ${result.text}` };
  };

const makeRoom = async (house: TestHouse, name: string, more: Json = {}) =>
  (await house.ask("POST", "/api/rooms", { content: { name, ...more } })).json;
const messagesIn = async (house: TestHouse, room: Json): Promise<Json[]> =>
  (await house.ask("GET", `/api/rooms/${room.id}/events`)).json.events;
const replyOf = async (house: TestHouse, bot: Json): Promise<string> => {
  await sayTo(house, bot, "go");
  await waitForEnd(house, bot.handle, 1);
  const room = (await house.ask("POST", `/api/agents/${bot.id}/room`, {})).json;
  return (await messagesIn(house, room)).at(-1)?.body.text;
};

describe("a message to another room", () => {
  const cast: Cast = {
    Scout: calls("send_message", { room: "#kitchen", text: "dinner, @cook" }),
    Cook: () => ({ text: "coming" }),
    Lost: calls("send_message", { room: "cellar", text: "hello" }),
    Here: calls("send_message", { room: "here", text: "hello" }),
  };

  test("is posted there in the agent's name, wakes mentioned agents, and adds a link to the chain", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout", { tools: ["send_message"] });
    await addBot(house, "Cook");
    const kitchen = await makeRoom(house, "Kitchen");
    // It has the readers of the kitchen, so no approval is needed.
    const hall = await makeRoom(house, "Hall");
    await house.ask("POST", `/api/rooms/${hall.id}/messages`, { text: "@scout go" });
    await waitForEnd(house, "scout", 1);
    expect((await messagesIn(house, hall)).at(-1).body.text).toBe("got: Said in Kitchen.");
    const [woken] = await waitForEnd(house, "cook", 1);
    const said = await messagesIn(house, kitchen);
    expect(said.map(({ author, body }) => [author === scout.id, body.text])).toEqual([
      [true, "dinner, @cook"],
      [false, "coming"],
    ]);
    const [asking] = await waitForEnd(house, "scout", 1);
    expect(said[0].activation).toBe(asking.id);
    expect(woken.depth).toBe(asking.depth + 1);
  });

  test("is refused if the agent may not write, in the same words as for a missing room", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const lost = await addBot(house, "Lost", { tools: ["send_message"] });
    const owner = (await house.ask("GET", "/api/me")).json.agent;
    const none = 'failed: There is no room "cellar" that you may write in.';
    expect(await replyOf(house, lost)).toBe(none);
    const cellar = await makeRoom(house, "Cellar", { members: [owner.id] });
    await sayTo(house, lost, "again");
    await waitForEnd(house, "lost", 2);
    const room = (await house.ask("POST", `/api/agents/${lost.id}/room`, {})).json;
    expect((await messagesIn(house, room)).at(-1)?.body.text).toBe(none);
    expect(await messagesIn(house, cellar)).toEqual([]);
  });

  test("is not posted in the room that the agent answers in anyway", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const here = await addBot(house, "Here", { tools: ["send_message"] });
    const room = (await house.ask("POST", `/api/agents/${here.id}/room`, {})).json;
    expect(room.handle).toBe("here");
    expect(await replyOf(house, here)).toBe("failed: You are in that room: your answer is posted there.");
  });
});

describe("the house's records", () => {
  const ask = (about: string): Cast => ({ Scout: calls("house_query", { about }) });
  const egress = [
    { host: "api.example.com", methods: ["GET"], path: "/v1", maxBytes: 1000 },
    { host: "*.example.org" },
  ];

  test.each([
    ["me", "name: Scout (@scout)\nmodel: fake/model\ntools: house_query"],
    ["network", "api.example.com/v1, GET, at most 1000 bytes a turn\n*.example.org"],
  ])("about %s", async (about, told) => {
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(ask(about)) });
    const scout = await addBot(house, "Scout", { tools: ["house_query"], egress });
    expect(await replyOf(house, scout)).toBe(`got: ${told}`);
  });

  test("about rooms and turns contain only what the person who woke the agent may also see", async () => {
    const cast: Cast = {
      Scout: (request) => {
        const results = resultsIn(request);
        if (results.length === 0) return call("house_query", { about: "rooms" }, "1");
        if (results.length === 1) return call("house_query", { about: "turns" }, "2");
        return { text: results.map(({ text }) => text).join("\n") };
      },
    };
    using disk = createTestDisk();
    await using house = await openTestHouse({ disk, script: play(cast) });
    const scout = await addBot(house, "Scout", { tools: ["house_query"] });
    const other = await addBot(house, "Other");
    await makeRoom(house, "Theirs alone", { members: [scout.id, other.id] });
    const person = (await house.ask("POST", "/api/agents", { content: { name: "Guest", kind: "human" } })).json;
    const shared = await makeRoom(house, "Shared", { members: [scout.id, person.id] });
    await replyOf(house, scout);
    const key = (await house.ask("POST", "/api/keys", { agent: person.id, name: "k" })).json.key;
    await house.ask("POST", `/api/rooms/${shared.id}/messages`, { text: "@scout go" }, key);
    await waitForEnd(house, "scout", 2);
    const text = (await messagesIn(house, shared)).at(-1)?.body.text as string;
    expect(text).toContain("Shared (#shared), group");
    expect(text).not.toContain("Theirs alone");
    expect(text).not.toContain(" in Scout:");
  });
});
