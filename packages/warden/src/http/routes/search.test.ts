import { describe, expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { type AgentRecord, OWNER_LABEL, type SearchAnswer, TUS_PART_TYPE, type Upload } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, RUN_TOKEN } from "../fakes/fake-house.ts";

const open = async () => {
  const { hash } = createBunWorld();
  const world = createFakeWorld({ hash });
  const recalled: { agent: string; query: string }[] = [];
  const house = await createFakeHouse(world, {
    agents: {
      memories: {
        async recall({ agent, query }) {
          recalled.push({ agent: agent.handle, query });
          const part = { headings: [], text: `${agent.handle} knows the boiler`, label: OWNER_LABEL, parts: {} };
          return {
            mode: "lexical",
            rebuilding: false,
            found: [{ ...part, path: "MEMORY.md", lines: [1, 1], score: 1 }],
          };
        },
        status: () => Promise.reject(new Error("not used")),
        reindex: () => Promise.reject(new Error("not used")),
      },
    },
  });
  const send = async (method: string, path: string, body?: unknown, key = RUN_TOKEN) => {
    const response = await house.call(path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  };
  const person = async (name: string): Promise<{ readonly agent: AgentRecord; readonly key: string }> => {
    const agent = await send("POST", "/api/agents", { content: { name, kind: "human" }, level: "none" });
    const { key } = await house.options.people.keys.create({ name, agent: agent.id }, { agent: house.owner.id });
    return { agent, key };
  };
  const find = (query: Readonly<Record<string, string>>, key = house.key): Promise<SearchAnswer> =>
    send("GET", `/api/search?${new URLSearchParams(query).toString()}`, undefined, key);
  const post = (room: string, text: string, key = house.key) =>
    send("POST", `/api/rooms/${room}/messages`, { text }, key);
  /** Posts a message with a text file. */
  const attach = async (room: string, name: string, text: string) => {
    const authorization = `Bearer ${house.key}`;
    const bytes = new TextEncoder().encode(text);
    const metadata = `filename ${new TextEncoder().encode(name).toBase64()}`;
    const begun = await house.call("/api/uploads", {
      method: "POST",
      headers: { authorization, "upload-length": String(bytes.length), "upload-metadata": metadata },
    });
    const { id } = (await begun.json()) as Upload;
    const headers = { authorization, "content-type": TUS_PART_TYPE, "upload-offset": "0" };
    await house.call(`/api/uploads/${id}`, { method: "PATCH", headers, body: bytes });
    return send("POST", `/api/rooms/${room}/messages`, { text: "see", attachments: [id] });
  };
  return { world, house, recalled, send, person, find, post, attach };
};

const textsOf = ({ messages }: SearchAnswer): readonly string[] => messages.map(({ excerpt }) => excerpt.text);

describe("the search", () => {
  test("finds messages, memory files, agents and rooms with one request", async () => {
    const { house, send, find, post } = await open();
    await send("POST", "/api/rooms", { content: { name: "Boiler room" } });
    await send("POST", "/api/agents", { content: { name: "Boiler keeper", kind: "bot" } });
    await post("boiler-room", "The boiler was serviced");
    const found = await find({ q: "boil" });
    expect(found).toMatchObject({
      messages: [{ author: house.owner.id, offset: 1, excerpt: { text: "The boiler was serviced", marks: [[4, 10]] } }],
      agents: [{ handle: "boiler-keeper", kind: "bot" }],
      rooms: [{ handle: "boiler-room", name: "Boiler room" }],
      isComplete: true,
    });
    expect(found.files.map(({ path }) => path)).toEqual(["MEMORY.md", "MEMORY.md"]);
    expect(found.next).toBeUndefined();
    const some = await find({ q: "boil", kind: "message,room" });
    expect([some.messages.length, some.files.length, some.agents.length, some.rooms.length]).toEqual([1, 0, 0, 1]);
  });

  test("no kind shows a caller what its own operation would refuse", async () => {
    const { house, recalled, send, person, find, post } = await open();
    await send("POST", "/api/rooms", { content: { name: "Boiler cellar", members: [house.bot.id] } });
    await send("POST", "/api/agents", { content: { name: "Boiler keeper", kind: "bot" } });
    await post("boiler-cellar", "The boiler is a secret");
    const { agent, key } = await person("Bob");
    recalled.length = 0;
    for (const kind of ["message", "file", "agent", "room"]) {
      const isFound = async (caller: string): Promise<boolean> => {
        const { messages, files, agents, rooms } = await find({ q: "boiler", kind }, caller);
        return [messages, files, agents, rooms].some(({ length }) => length > 0);
      };
      expect([kind, await isFound(house.key), await isFound(key)]).toEqual([kind, true, false]);
    }
    // The memory of an agent is not even read for someone who may not see it.
    expect(recalled).toHaveLength(2);
    const room = (await find({ q: "boiler", kind: "room" })).rooms[0]?.id ?? "";
    await send("PUT", `/api/rooms/${room}/grants/${agent.id}`, { level: "r" });
    const seen = await find({ q: "boiler" }, key);
    expect([textsOf(seen), seen.rooms.length, seen.files.length]).toEqual([["The boiler is a secret"], 1, 0]);
    await send("DELETE", `/api/rooms/${room}/grants/${agent.id}`).catch(() => {});
    expect(textsOf(await find({ q: "boiler" }, key))).toEqual([]);
  });

  test("a key with a scope finds only what is in its scope", async () => {
    const { house, send, find, post } = await open();
    const kitchen = await send("POST", "/api/rooms", { content: { name: "Kitchen" } });
    await send("POST", "/api/rooms", { content: { name: "Cellar" } });
    await post("kitchen", "boiler in the kitchen");
    await post("cellar", "boiler in the cellar");
    const limits = { name: "lamp", agent: house.owner.id, scope: { level: "r" as const, on: [kitchen.id] } };
    const { key } = await house.options.people.keys.create(limits, { agent: house.owner.id });
    const found = await find({ q: "boiler" }, key);
    expect([textsOf(found), found.files.length]).toEqual([["boiler in the kitchen"], 0]);
  });

  test("an agent finds its own memory, and not another agent's", async () => {
    const { house, send, recalled, find } = await open();
    await send("POST", "/api/agents", { content: { name: "Keeper", kind: "bot" } });
    await find({ q: "boiler", kind: "file" }, house.botKey);
    expect(recalled).toEqual([{ agent: house.bot.handle, query: "boiler" }]);
  });

  test("filters by author, room and time", async () => {
    const { world, house, recalled, send, find, post } = await open();
    await send("POST", "/api/rooms", { content: { name: "Kitchen", members: [house.bot.id] } });
    await send("POST", "/api/rooms", { content: { name: "Cellar" } });
    await post("kitchen", "boiler one");
    await world.advance(1000);
    const noon = world.clock.now();
    await post("kitchen", "boiler two", house.botKey);
    await post("cellar", "boiler three");
    const q = "boiler";
    expect(textsOf(await find({ q, from: house.bot.handle }))).toEqual(["boiler two"]);
    expect(textsOf(await find({ q, room: "kitchen" }))).toEqual(["boiler two", "boiler one"]);
    expect(textsOf(await find({ q, since: String(noon), room: "kitchen" }))).toEqual(["boiler two"]);
    expect(textsOf(await find({ q, until: String(noon) }))).toEqual(["boiler one"]);
    recalled.length = 0;
    expect(await find({ q: "kitchen", room: "kitchen" })).toMatchObject({ files: [], agents: [], rooms: [] });
    expect(recalled).toEqual([]);
    await find({ q, from: house.bot.handle });
    expect(recalled).toEqual([{ agent: house.bot.handle, query: q }]);
    await expect(find({ q, room: "nowhere" })).rejects.toThrow("record.not-found");
    await expect(find({ q, kind: "message,letter" })).rejects.toThrow("request.invalid");
    await expect(find({ q: "" })).rejects.toThrow("request.invalid");
  });

  test("pages messages with a cursor, newest first", async () => {
    const { world, send, find, post } = await open();
    await send("POST", "/api/rooms", { content: { name: "Kitchen" } });
    for (const number of [1, 2, 3, 4, 5]) {
      await world.advance(1);
      await post("kitchen", `boiler ${number}`);
    }
    const pages: (readonly string[])[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page: SearchAnswer = await find({ q: "boiler", limit: "2", ...(cursor === "" ? {} : { cursor }) });
      pages.push(textsOf(page));
      cursor = page.next;
    }
    expect(pages).toEqual([["boiler 5", "boiler 4"], ["boiler 3", "boiler 2"], ["boiler 1"]]);
  });

  test("finds the text of files among messages, page by page, and shows it to readers of the room only", async () => {
    const { world, send, person, find, post, attach } = await open();
    await send("POST", "/api/rooms", { content: { name: "Kitchen", members: [] } });
    for (const number of [1, 2, 3]) {
      await world.advance(1);
      await post("kitchen", `boiler ${number}`);
      await world.advance(1);
      await attach("kitchen", `${number}.txt`, `the boiler of file ${number}`);
    }
    const pages: (readonly string[])[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page: SearchAnswer = await find({ q: "boiler", limit: "2", ...(cursor === "" ? {} : { cursor }) });
      pages.push(page.messages.map(({ file, excerpt }) => `${file?.name ?? "message"}: ${excerpt.text}`));
      cursor = page.next;
    }
    expect(pages).toEqual([
      ["3.txt: the boiler of file 3", "message: boiler 3"],
      ["2.txt: the boiler of file 2", "message: boiler 2"],
      ["1.txt: the boiler of file 1", "message: boiler 1"],
    ]);
    const [hit] = (await find({ q: "file" })).messages;
    const path = `/api/rooms/kitchen/attachments/${hit?.file?.id}/text`;
    expect(await send("GET", path)).toEqual({ text: "the boiler of file 3", place: "", isCut: false });
    const { key } = await person("Bob");
    expect(textsOf(await find({ q: "boiler" }, key))).toEqual([]);
    await expect(send("GET", path, undefined, key)).rejects.toThrow("record.not-found");
    await send("DELETE", `/api/rooms/kitchen/messages/${hit?.id}`);
    expect((await find({ q: "file" })).messages.map(({ file }) => file?.name)).toEqual(["2.txt", "1.txt"]);
    await expect(send("GET", path)).rejects.toThrow("attachment.not-found");
  });

  test("finds the present text of a message and the names of its files, and nothing that was deleted", async () => {
    const { send, find, post } = await open();
    await send("POST", "/api/rooms", { content: { name: "Kitchen" } });
    const { id } = await post("kitchen", "boiler");
    await send("PATCH", `/api/rooms/kitchen/messages/${id}`, { text: "stove" });
    expect([textsOf(await find({ q: "boiler" })), textsOf(await find({ q: "stove" }))]).toEqual([[], ["stove"]]);
    await send("PATCH", `/api/rooms/kitchen/messages/${id}`, { text: `chimney ${"x ".repeat(20_000)}` });
    expect((await find({ q: "chimney" })).messages).toHaveLength(1);
    expect(textsOf(await find({ q: "stove" }))).toEqual([]);
    await send("DELETE", `/api/rooms/kitchen/messages/${id}`);
    expect(textsOf(await find({ q: "chimney" }))).toEqual([]);
  });
});
