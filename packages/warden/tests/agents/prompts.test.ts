/**
 * The parts of its brain that an agent's prompt contains, and private parts that other readers
 * never see.
 */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelRequest, RoomRecord } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunBrainDisk } from "../../src/adapter/bun/brain-disk.ts";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createTestDisk, openTestHouse, type TestHouse } from "../../src/fixtures/house.ts";
import { addBot, call, lastIn, nameIn, play, readIn, resultsIn, sayTo, waitForEnd } from "../../src/fixtures/talk.ts";

const DAY_MS = 24 * 60 * 60_000;
const CANARY = "canary-7c1f";
const { hash } = createBunWorld();

/** Everything that models received. */
const seenBy = (requests: readonly ModelRequest[]): string => JSON.stringify(requests);

const prefixOf = ({ system }: ModelRequest): string => JSON.stringify(system.filter(({ stable }) => stable));

test("the stable prefix is byte-identical across a conversation with tools, other speakers, an inbox, memory and a change of day", async () => {
  using disk = createTestDisk();
  const world = createFakeWorld({ hash });
  const script = play({
    Main: (request) =>
      lastIn(request).includes("list") && resultsIn(request).length === 0 ? call("list", {}) : { text: "done" },
    Ben: (request) =>
      resultsIn(request).length === 0 ? call("send_to_agent", { agent: "main", text: "a note" }) : { text: "left" },
  });
  const files = ["SOUL.md", "skills/cook/SKILL.md", "instructions/a.md"];
  for (const path of files) await disk.brains.write(`main/${path}`, `text of ${path}`);
  await using house = await openTestHouse({ disk, script, world });
  const ben = await addBot(house, "Ben");
  await house.post("hello");
  await house.until(2);
  await house.post("list it");
  await house.until(4);
  await disk.brains.write("main/MEMORY.md", "the bike is red");
  await sayTo(house, ben, "tell main");
  await waitForEnd(house, ben.id, 1);
  await house.post("and?");
  await house.until(6);
  await world.advance(DAY_MS);
  const today = new Date(world.clock.now()).toISOString().slice(0, 10);
  await disk.brains.write(`main/memory/${today}.md`, "- the cat is fed\n");
  await house.post("good morning");
  await house.until(8);
  const requests = house.model.requests.filter((request) => nameIn(request) === "Main");
  expect(requests).toHaveLength(5);
  expect(new Set(requests.map(prefixOf)).size).toBe(1);
  for (const part of ["text of SOUL.md", "text of instructions/a.md", "- cook"])
    expect(requests.map(prefixOf).every((prefix) => prefix.includes(part))).toBe(true);
  // The changing parts are included too, after the prefix.
  expect(requests.at(-1)?.system.at(-1)).toEqual({ text: "# MEMORY.md\nthe bike is red", stable: false });
  expect(requests.some((request) => readIn(request).some(({ text }) => text === "a note"))).toBe(true);
  const last = requests.at(-1);
  const logs = last === undefined ? [] : readIn(last).filter(({ note }) => note.startsWith("your own log"));
  expect(logs).toHaveLength(1);
  // Only the message to answer comes after it.
  expect(last?.messages.at(-2)).toMatchObject({ text: logs[0]?.text ?? "?" });
});

/**
 * A house whose agents are on a real disk with real links; their private files contain a canary.
 */
const openOnDisk = async (script: Parameters<typeof openTestHouse>[0]["script"], agents: readonly string[]) => {
  const disk = createTestDisk();
  const root = mkdtempSync(join(tmpdir(), "hearth-brains-"));
  for (const agent of agents) writeBrain(join(root, agent));
  const house = await openTestHouse({ disk: { ...disk, brains: createBunBrainDisk(root) }, script });
  return {
    house,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
      disk[Symbol.dispose]();
    },
  };
};

const writeBrain = (folder: string): void => {
  for (const path of ["instructions", "skills/alias", "memory"]) mkdirSync(join(folder, path), { recursive: true });
  const today = new Date().toISOString().slice(0, 10);
  for (const path of ["MEMORY.md", "USER.md", "BOOTSTRAP.md", `memory/${today}.md`, "memory/2026-01-01.md"])
    writeFileSync(join(folder, path), `${CANARY} ${path}`);
  symlinkSync("../MEMORY.md", join(folder, "instructions/alias.md"));
  symlinkSync("../../MEMORY.md", join(folder, "skills/alias/SKILL.md"));
  symlinkSync("MEMORY.md", join(folder, "SOUL.md"));
  writeFileSync(join(folder, "TOOLS.md"), "the persona is shown");
};

interface Group {
  readonly room: RoomRecord;
  /** The key of a person with `w` on the house, not `x`. */
  readonly key: string;
}

const openGroup = async (house: TestHouse): Promise<Group> => {
  const { json: bea } = await house.ask("POST", "/api/agents", { content: { name: "Bea", kind: "human" }, level: "w" });
  const { key } = (await house.ask("POST", "/api/keys", { name: "Bea", agent: bea.id })).json;
  const room = (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json;
  await house.ask("PUT", `/api/rooms/${room.id}/grants/${bea.id}`, { level: "w" });
  return { room, key };
};

const sayIn = async (house: TestHouse, { room, key }: Group, text: string): Promise<void> => {
  const { status } = await house.ask("POST", `/api/rooms/${room.id}/messages`, { text }, key);
  expect(status).toBe(201);
};

const untilSaid = async (house: TestHouse, room: string, count: number): Promise<void> => {
  for (let after = 0, said = 0; said < count;) {
    const { json } = await house.ask("GET", `/api/rooms/${room}/events?after=${after}&limit=1000&wait=5000`);
    said += json.events.filter(({ type }: { type: string }) => type === "message").length;
    after = json.next;
  }
};

/** File names that a tool call could use for the memory. */
const NAMES = [
  ...[
    "MEMORY.md",
    "./MEMORY.md",
    "skills/../MEMORY.md",
    "memory.md",
    "ＭＥＭＯＲＹ.md",
    "MEMORY.md/",
    "instructions/alias.md",
  ],
  ...["USER.md", "BOOTSTRAP.md", "skills/alias/SKILL.md", "memory/2026-01-01.md", "memory/rooms/../../MEMORY.md"],
];

/** A turn has a limited number of calls. */
const NAMES_A_TURN = 6;

test("in a room with other readers private files are never shown: not by the prompt, a tool, a link, another name, or another agent", async () => {
  /** Reads the brain under every name, then asks the other agent to do the same. */
  const nosy = (request: ModelRequest) => {
    const part = Number(/part (\d)/.exec(lastIn(request))?.[1] ?? 0);
    const names = NAMES.slice(part * NAMES_A_TURN, (part + 1) * NAMES_A_TURN);
    const read = resultsIn(request).length;
    if (read === 0)
      return { toolCalls: names.map((path, index) => ({ id: `read-${index}`, name: "read_brain", input: { path } })) };
    return read === names.length && nameIn(request) === "Main"
      ? call("ask_agent", { agent: "@ben", question: lastIn(request) })
      : { text: seenBy([request]) };
  };
  await using open = await openOnDisk(play({ Main: nosy, Ben: nosy }), ["main", "ben"]);
  const { house } = open;
  await addBot(house, "Ben");
  const group = await openGroup(house);
  for (const part of [0, 1]) {
    await sayIn(house, group, `@main say all you know, part ${part}`);
    await untilSaid(house, group.room.id, 2 * part + 2);
  }
  const seen = [...house.model.requests];
  expect(new Set(seen.map(nameIn))).toEqual(new Set(["Main", "Ben"]));
  expect(seen.flatMap(resultsIn).filter(({ text }) => text.includes("not for the people of this room"))).not.toEqual(
    [],
  );
  expect(seenBy(seen)).toContain("the persona is shown");
  expect(seenBy(seen)).not.toContain(CANARY);
  // In the private room the same files are shown.
  await house.post("and here?");
  await house.until(2);
  expect(seenBy(house.model.requests.slice(seen.length))).toContain(`${CANARY} MEMORY.md`);
});

test("a room's own memory is in that room's prompts, and notes written there go to it", async () => {
  using disk = createTestDisk();
  const script = play({
    Main: (request) => {
      const room = /memory\/rooms\/(room_\w+)/.exec(resultsIn(request)[0]?.text ?? "")?.[1] ?? "";
      const path = resultsIn(request).length === 0 ? "MEMORY.md" : `memory/rooms/${room}/notes.md`;
      return resultsIn(request).length < 2
        ? call("write_brain", { path, mode: "append", text: "soup on Friday" }, `w${resultsIn(request).length}`)
        : { text: "noted" };
    },
  });
  await using house = await openTestHouse({ disk, script });
  const group = await openGroup(house);
  const { room } = group;
  await sayIn(house, group, "@main note it");
  await untilSaid(house, room.id, 2);
  expect(await disk.brains.read("main/MEMORY.md")).toBeUndefined();
  expect(await disk.brains.read(`main/memory/rooms/${room.id}/notes.md`)).toContain("soup on Friday");
});

test("the port's prompt report equals the prompt that the model receives", async () => {
  using disk = createTestDisk();
  await using house = await openTestHouse({ disk, script: () => ({ text: "ok" }) });
  await house.post("hi");
  await house.until(2);
  await disk.brains.write("main/MEMORY.md", `${"m".repeat(30_000)}`);
  await house.post("again");
  await house.until(4);
  const { json } = await house.ask("GET", "/api/agents/main/prompt");
  const sent = seenBy(house.model.requests.slice(-1));
  for (const { text } of json.parts) expect(sent).toContain(JSON.stringify(text).slice(1, -1));
  const memory = json.parts.find(({ name }: { name: string }) => name === "MEMORY.md");
  expect(memory).toMatchObject({ place: "memory", isCut: true, fileLength: 30_000 });
  expect(memory.tokens).toBe(Math.ceil(new TextEncoder().encode(memory.text).length / 4));
  const { key } = await openGroup(house);
  expect((await house.ask("GET", "/api/agents/main/prompt", undefined, key)).status).toBe(403);
});
