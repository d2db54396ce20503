import { expect, test } from "bun:test";
import type { AgentId, AgentRecord } from "@hearth/protocol";
import { createBrains, createMemoryBrainDisk } from "./brains.ts";

const agentOf = (id: string, handle: string) => ({ id: id as AgentId, handle }) as AgentRecord;
const open = (files = new Map<string, string>()) => ({
  files,
  brains: createBrains({
    disk: createMemoryBrainDisk(files),
    starter: async () => ({ "SOUL.md": "kind", "memory/first.md": "x" }),
  }),
});

test("a new agent gets the starter's files and a workspace, in a folder of its handle", async () => {
  const { files, brains } = open();
  const brain = await brains.open(agentOf("agent_1", "main"));
  expect(await brain.read("SOUL.md")).toBe("kind");
  expect(brain.workspace).toBe("/brains/main/workspace");
  expect([...files.keys()].sort()).toEqual(["main/.agent", "main/SOUL.md", "main/memory/first.md", "main/workspace/"]);
});

test("a brain that is there is never written over, also after a restart and a rename", async () => {
  const { files, brains } = open();
  await brains.open(agentOf("agent_1", "main"));
  files.set("main/SOUL.md", "mine");
  const later = open(files).brains;
  expect(await (await later.open(agentOf("agent_1", "renamed"))).read("SOUL.md")).toBe("mine");
  expect([...files.keys()].some((path) => path.startsWith("renamed/"))).toBe(false);
});

test("an agent whose handle is another's folder gets a folder of its own", async () => {
  const { files, brains } = open();
  await brains.open(agentOf("agent_1", "main"));
  const brain = await brains.open(agentOf("agent_2", "main"));
  expect(brain.workspace).toBe("/brains/main-2/workspace");
  expect(files.get("main/.agent")).toBe("agent_1\n");
});

test("two openings at once make one brain", async () => {
  const { files, brains } = open();
  await Promise.all([brains.open(agentOf("agent_1", "main")), brains.open(agentOf("agent_1", "main"))]);
  expect([...files.keys()].filter((path) => path.endsWith(".agent"))).toEqual(["main/.agent"]);
});

test("two new agents at once get two folders", async () => {
  const { files, brains } = open();
  await Promise.all([brains.open(agentOf("agent_1", "main")), brains.open(agentOf("agent_2", "main"))]);
  expect([...files.keys()].filter((path) => path.endsWith(".agent")).sort()).toEqual(["main-2/.agent", "main/.agent"]);
});

test("a file that is missing is missing, not an error", async () => {
  expect(await (await open().brains.open(agentOf("agent_1", "main"))).read("NOPE.md")).toBeUndefined();
});

test("a folder that a person dropped in is taken as it is, and gets only what it lacks", async () => {
  const { brains } = open(new Map([["main/SOUL.md", "brought along"]]));
  const brain = await brains.open(agentOf("agent_1", "main"));
  expect(await brain.read("SOUL.md")).toBe("brought along");
  expect(await brain.read("memory/first.md")).toBe("x");
});

test("a brain whose making failed is made whole at the next try", async () => {
  const files = new Map<string, string>();
  const disk = createMemoryBrainDisk(files);
  let fails = true;
  const brains = createBrains({
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
