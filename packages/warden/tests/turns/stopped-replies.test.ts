/**
 * The partial reply of a stopped turn: shown in the room and in the next prompt, and acted on by no
 * agent.
 */
import { describe, expect, test } from "bun:test";
import { found, until } from "@hearth/protocol/until";
import { createFakeNetwork, createFakeTls } from "../../src/cells/egress/network/fake-network.ts";
import { createFakeResolver } from "../../src/cells/egress/network/fake-resolver.ts";
import { createFakeUpstream } from "../../src/cells/egress/network/fake-upstream.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, call, nameIn, waitForEnd } from "../../src/fixtures/talk.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";

type Json = ReturnType<typeof JSON.parse>;

const PAGE = "http://stranger.example/page";

/** Waits for text in the stream of the only running activation. */
const untilShown = (house: TestHouse, text: string): Promise<string> =>
  found(async () => {
    const [{ id, state }] = (await house.ask("GET", "/api/agents/main/activations")).json;
    if (state !== "running") return undefined;
    const { events } = (await house.ask("GET", `/api/activations/${id}/deltas?after=0`)).json;
    const shown = events.flatMap((event: Json) => (event.type === "text-delta" ? [event.text] : [])).join("");
    return shown.includes(text) ? id : undefined;
  });

/** Posts, waits until the partial text is streamed, and stops the turn. */
const stopWhileWriting = async (house: TestHouse, said: string, text: string): Promise<Json> => {
  const posted = await house.post(said);
  const id = await untilShown(house, text);
  await house.ask("POST", `/api/activations/${id}/stop`);
  return { posted, id };
};

describe("a stopped turn", () => {
  test("keeps the text that it wrote before it waits for a decision", async () => {
    using disk = createTestDisk();
    const script = [{ ...call("write", { path: "a.txt", content: "x" }), text: "I will write it." }];
    await using house = await openTestHouse({ disk, script, config: 'tools = ["write"]\nmode = "ask"\n' });
    await house.post("write it");
    const state = async (): Promise<Json> => (await house.ask("GET", "/api/agents/main/activations")).json[0];
    await until(async () => (await state()).state === "waiting");
    await house.ask("POST", `/api/activations/${(await state()).id}/stop`);
    const said = (await house.messages()).filter(({ type }: Json) => type === "message");
    expect(said.at(-1)).toMatchObject({ body: { text: "I will write it." }, stopped: true });
  });

  test("that has read a page leaves a partial reply with the label of the page and no link in it", async () => {
    const upstream = createFakeUpstream(() => "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nfrom afar\r\n");
    using disk = createTestDisk();
    await using house = await openTestHouse({
      ...{ disk, config: 'tools = ["http_fetch"]\n' },
      script: (_request, index) =>
        index === 0 ? call("http_fetch", { url: PAGE }) : { hang: true, text: "See https://evil.example/x and " },
      egress: {
        network: createFakeNetwork((far) => void upstream.serve(far)),
        resolver: createFakeResolver({ "stranger.example": [["93.184.216.34"]] }),
        tls: createFakeTls(),
      },
    });
    await house.ask("PATCH", "/api/agents/main", { content: { egress: [{ host: "stranger.example" }] } });
    await stopWhileWriting(house, "read the page", "and");
    const [, partial] = await house.until(2);
    expect(partial).toMatchObject({ stopped: true, label: { integrity: "untrusted", sources: [PAGE] } });
    expect((partial as Json).body.text).toBe("See hxxps://evil[.]example/x and");
  });

  test("leaves the text so far in the room, marked as stopped, and in the next prompt", async () => {
    using disk = createTestDisk();
    const script: Script = [{ hang: true, text: "The first half of " }, { text: "back" }];
    await using house = await openTestHouse({ disk, script });
    const { posted, id } = await stopWhileWriting(house, "hi", "half of");
    const [, partial] = await house.until(2);
    expect(partial).toMatchObject({
      ...{ body: { text: "The first half of" }, stopped: true, causes: [posted.id], activation: id, mentions: [] },
    });
    expect((await house.ask("GET", `/api/activations/${id}`)).json).toMatchObject({ state: "stopped" });
    await house.post("go on");
    await house.until(4);
    expect(house.model.requests[1]?.messages.map(({ text }) => text)).toEqual([
      "hi",
      "The first half of\n\n[stopped before this reply was complete]",
      "go on",
    ]);
  });

  test("keeps its partial reply across a restart of the daemon", async () => {
    using disk = createTestDisk();
    {
      await using house = await openTestHouse({ disk, script: [{ hang: true, text: "Half" }] });
      await stopWhileWriting(house, "hi", "Half");
    }
    await using house = await openTestHouse({ disk, script: [] });
    expect((await house.until(2)).at(-1)).toMatchObject({ body: { text: "Half" }, stopped: true });
  });

  test("leaves nothing if it had written nothing, or its message was deleted", async () => {
    using disk = createTestDisk();
    await using house = await openTestHouse({
      disk,
      script: [{ hang: true }, { hang: true, text: "Half" }],
    });
    const first = await house.post("hi");
    await until(() => house.model.requests.length > 0);
    const [{ id }] = (await house.ask("GET", "/api/agents/main/activations")).json;
    await house.ask("POST", `/api/activations/${id}/stop`);
    const second = await house.post("again");
    await untilShown(house, "Half");
    await house.ask("DELETE", `/api/rooms/main/messages/${second.id}`);
    await waitForEnd(house, "main", 2);
    const said = (await house.messages()).filter(({ type }: Json) => type === "message");
    expect(said.map((message: Json) => message.id)).toEqual([first.id, second.id]);
  });

  test("wakes no agent that its partial reply mentions", async () => {
    using disk = createTestDisk();
    const script: Script = (request) =>
      nameIn(request) === "Scout" ? { text: "woken" } : { hang: true, text: "Ask @scout about it" };
    await using house = await openTestHouse({ disk, script });
    const scout = await addBot(house, "Scout");
    const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
    await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@main hi" });
    const id = await untilShown(house, "@scout");
    await house.ask("POST", `/api/activations/${id}/stop`);
    // A later message wakes the agent, which proves that the room was read past the partial reply.
    await house.ask("POST", `/api/rooms/${room.id}/messages`, { text: "@scout hello" });
    const turns = await waitForEnd(house, scout.handle, 1);
    expect(turns).toHaveLength(1);
    expect(house.model.requests.filter((request) => nameIn(request) === "Scout")).toHaveLength(1);
  });

  test("makes no tool call of its partial reply", async () => {
    using disk = createTestDisk();
    const script: Script = (_request, index) =>
      index === 0 ? { ...call("time", {}), text: "Let me look." } : { hang: true, text: "It is" };
    await using house = await openTestHouse({ disk, script, config: 'tools = ["time"]\n' });
    await stopWhileWriting(house, "what time is it?", "It is");
    const [, partial] = await house.until(2);
    expect(partial).toMatchObject({ body: { text: "It is" }, stopped: true, toolCalls: 1 });
    expect(house.model.requests).toHaveLength(2);
  });
});
