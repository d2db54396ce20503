import { expect, test } from "bun:test";
import { type AgentId, type AgentRecord, OWNER_LABEL, type RoomId } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeLog } from "../../kernel/log/log.ts";
import { createMemoryBlobs } from "../../kernel/store/memory-blobs.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createDurableStreams } from "../../kernel/streams/durable.ts";
import { type BrainsOptions, createBrains } from "./brains.ts";
import { createMemoryBrainDisk, type MemoryFiles } from "./memory-disk.ts";

const agentOf = (id: string, handle: string) => ({ id: id as AgentId, handle }) as AgentRecord;
const { hash } = createBunWorld();

const partsOf = (): Omit<BrainsOptions, "disk" | "starter"> => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const blobs = createMemoryBlobs(hash);
  return { world, log: createFakeLog(), store, blobs, streams: createDurableStreams({ world, store, blobs }) };
};

const open = (files: MemoryFiles = new Map<string, string>()) => ({
  files,
  brains: createBrains({
    ...partsOf(),
    disk: createMemoryBrainDisk(files),
    starter: async () => ({ "SOUL.md": "kind", "memory/first.md": "x" }),
  }),
});

test("a new agent gets the starter files and a workspace, in a folder named by its handle", async () => {
  const { files, brains } = open();
  const brain = await brains.open(agentOf("agent_1", "main"));
  expect(await brain.read("SOUL.md")).toBe("kind");
  expect(await brain.viewFor("private")).toEqual({
    brain: "/brains/main",
    hidden: ["db", ".agent", ".persona"],
    workspace: "/brains/main/workspace",
  });
  expect([...files.keys()].sort()).toEqual([
    ...["main/.agent", "main/.gitignore", "main/SOUL.md", "main/memory/first.md", "main/workspace/"],
  ]);
  // Git ignores derived files.
  expect(files.get("main/.gitignore")).toBe("/db/\n/.persona/\n");
});

test("an existing brain is never overwritten, also after a restart and a rename", async () => {
  const { files, brains } = open();
  await brains.open(agentOf("agent_1", "main"));
  files.set("main/SOUL.md", "mine");
  files.set("main/.gitignore", "*.key\n");
  const later = open(files).brains;
  expect(await (await later.open(agentOf("agent_1", "renamed"))).read("SOUL.md")).toBe("mine");
  expect([...files.keys()].some((path) => path.startsWith("renamed/"))).toBe(false);
  expect(files.get("main/.gitignore")).toBe("*.key\n");
});

test("an agent whose handle equals another's folder gets a different folder", async () => {
  const { files, brains } = open();
  await brains.open(agentOf("agent_1", "main"));
  const brain = await brains.open(agentOf("agent_2", "main"));
  expect((await brain.viewFor("private")).workspace).toBe("/brains/main-2/workspace");
  expect(files.get("main/.agent")).toBe("agent_1\n");
});

test("two concurrent opens make one brain", async () => {
  const { files, brains } = open();
  await Promise.all([brains.open(agentOf("agent_1", "main")), brains.open(agentOf("agent_1", "main"))]);
  expect([...files.keys()].filter((path) => path.endsWith(".agent"))).toEqual(["main/.agent"]);
});

test("two new agents created concurrently get two folders", async () => {
  const { files, brains } = open();
  await Promise.all([brains.open(agentOf("agent_1", "main")), brains.open(agentOf("agent_2", "main"))]);
  expect([...files.keys()].filter((path) => path.endsWith(".agent")).sort()).toEqual(["main-2/.agent", "main/.agent"]);
});

test("reading a missing file returns undefined and does not throw", async () => {
  expect(await (await open().brains.open(agentOf("agent_1", "main"))).read("NOPE.md")).toBeUndefined();
});

test("a folder that a person added is adopted unchanged, and only missing files are added", async () => {
  const { brains } = open(new Map([["main/SOUL.md", "brought along"]]));
  const brain = await brains.open(agentOf("agent_1", "main"));
  expect(await brain.read("SOUL.md")).toBe("brought along");
  expect(await brain.read("memory/first.md")).toBe("x");
});

test("a brain whose creation failed is completed at the next attempt", async () => {
  const files = new Map<string, string>();
  const disk = createMemoryBrainDisk(files);
  let fails = true;
  const brains = createBrains({
    ...partsOf(),
    disk: {
      ...disk,
      write: async (path, text) => (fails ? Promise.reject(new Error("disk full")) : disk.write(path, text)),
    },
    starter: async () => ({ "SOUL.md": "kind" }),
  });
  await expect(brains.open(agentOf("agent_1", "main"))).rejects.toThrow("disk full");
  fails = false;
  expect(await (await brains.open(agentOf("agent_1", "main"))).read("SOUL.md")).toBe("kind");
});

test("members of a room see the current persona, and a workspace of their own", async () => {
  const { files, brains } = open();
  const brain = await brains.open(agentOf("agent_1", "main"));
  const room = "room_00000000000000000000000001" as RoomId;
  files.set("main/USER.md", "private");
  files.set("main/skills/cook/SKILL.md", "how to");
  expect(await brain.viewFor(`room:${room}`)).toEqual({
    brain: "/brains/main/.persona",
    hidden: [],
    workspace: `/brains/main/workspace/rooms/${room}`,
  });
  const shown = (): readonly string[] => [...files.keys()].filter((path) => path.startsWith("main/.persona/")).sort();
  expect(shown()).toEqual(["main/.persona/SOUL.md", "main/.persona/skills/cook/SKILL.md"]);
  files.set("main/SOUL.md", "kinder");
  files.delete("main/skills/cook/SKILL.md");
  await brain.viewFor(`room:${room}`);
  expect(shown()).toEqual(["main/.persona/SOUL.md"]);
  expect(files.get("main/.persona/SOUL.md")).toBe("kinder");
});

test("a brain that another daemon has changed meanwhile is read again, and nothing is lost", async () => {
  const parts = partsOf();
  const files: MemoryFiles = new Map<string, string>();
  const daemon = () => createBrains({ ...parts, disk: createMemoryBrainDisk(files), starter: async () => ({}) });
  const [first, second] = [daemon(), daemon()];
  const agent = agentOf("agent_1", "main");
  const by = { agent: agent.id, label: OWNER_LABEL };
  await first.open(agent);
  await (await second.open(agent)).write("notes.md", "theirs", by);
  const write = async () => (await first.open(agent)).write("notes.md", "ours", by);
  await expect(write()).rejects.toMatchObject({ code: "store.unavailable" });
  expect(await write()).toMatchObject({ kind: "written" });
  const log = await (await first.open(agent)).log({ path: "notes.md", limit: 9 });
  expect(log.map(({ place }) => place)).toEqual([2, 1]);
  expect(files.get("main/notes.md")).toBe("ours");
});
