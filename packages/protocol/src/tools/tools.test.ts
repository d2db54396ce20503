import { expect, test } from "bun:test";
import { z } from "zod";
import {
  capOutput,
  type CellToolName,
  declareTool,
  findTool,
  FOUND,
  type HostToolName,
  isHostToolName,
  isToolName,
  namesFound,
  type ToolName,
  type ToolDeclaration,
  toOffer,
  tools,
} from "./index.ts";

test("every tool stands in the table under its own name and has a time limit", () => {
  for (const [name, tool] of Object.entries(tools)) {
    expect(tool.name).toBe(name);
    expect(tool.timeoutMs).toBeGreaterThan(0);
  }
});

test("what leaves the walls or tells another agent acts, and names its sink", () => {
  const acting = Object.values(tools).filter((tool) => tool.traits.acts);
  expect(acting.map(({ name }) => name)).toEqual([
    "shell",
    "git",
    "http_fetch",
    "web_search",
    "ask_source",
    "send_message",
    "send_to_agent",
    "ask_agent",
    "delegate",
    "forget",
  ]);
  for (const { sinks } of acting) expect(sinks).not.toEqual([]);
  expect(tools.shell).toMatchObject({ needs: "walls", sinks: ["command"], effect: "plain" });
});

test("to forget is all that destroys what is outside the walls, and each tool has to say whether it does", () => {
  expect(Object.values(tools).filter(({ traits }) => traits.destroys)).toEqual([tools.forget]);
  const { destroys, ...rest } = tools.read.traits;
  // @ts-expect-error a declaration without a word on it does not compile.
  const silent = declareTool({ ...tools.read, traits: rest });
  expect([destroys, "destroys" in silent.traits]).toEqual([false, false]);
});

test("what a message says is no sink: the room is", () => {
  expect(tools.send_message.sinks).toEqual(["room"]);
});

test("a sink is a field of the tool's input", () => {
  for (const tool of Object.values(tools)) {
    for (const sink of tool.sinks) expect(Object.keys(tool.input.shape)).toContain(sink);
  }
});

test("what costs another turn that nobody sees needs a person's word; talk with others needs others", () => {
  expect([tools.delegate.needs, tools.ask_agent.needs, tools.send_to_agent.needs]).toEqual(["person", "peer", "peer"]);
});

test("a tool that changes something is never taken for one that changes nothing", () => {
  expect(
    Object.values(tools)
      .filter((tool) => tool.effect !== "pure")
      .map((tool) => tool.name),
  ).toEqual([
    "write",
    "edit",
    "apply_patch",
    "shell",
    "processes",
    "git",
    "send_message",
    "send_to_agent",
    "ask_agent",
    "delegate",
    "write_brain",
    "remember",
    "forget",
    "schedule_task",
    "pause_task",
    "resume_task",
    "cancel_task",
  ]);
});

test("all offers together stay small enough to send with every request", () => {
  // A first message has 1,300 tokens in all; letters stand in for them here, the figure itself is measured in bench.
  const fromTheStart = (Object.values(tools) as ToolDeclaration[]).filter(({ offered }) => offered !== "found");
  expect(JSON.stringify(fromTheStart.map(toOffer)).length).toBeLessThan(4_600);
  const alone = fromTheStart.filter(({ needs }) => needs === "nothing");
  expect(JSON.stringify(alone.map(toOffer)).length).toBeLessThan(3_100);
});

test("an offer leaves out bounds and schema noise, but no property of that name", () => {
  const tool = declareTool({
    ...tools.read,
    input: z.strictObject({
      minimum: z.int().min(1).describe("least"),
      parts: z.array(z.strictObject({ additionalProperties: z.string().max(9) })).optional(),
    }),
  });
  expect(toOffer(tool).inputSchema).toEqual({
    type: "object",
    properties: {
      minimum: { type: "integer", description: "least" },
      parts: {
        type: "array",
        items: {
          type: "object",
          properties: { additionalProperties: { type: "string" } },
          required: ["additionalProperties"],
        },
      },
    },
    required: ["minimum"],
  });
});

test("what is behind the search is the schedule or needs a person's word before that, and the names in an answer are read as they were written", () => {
  const behind = (Object.values(tools) as ToolDeclaration[]).filter(({ offered }) => offered === "found");
  expect(behind.filter(({ needs }) => needs !== "person").map(({ name, needs }) => `${name}: ${needs}`)).toEqual([
    "schedule_task: nothing",
    "list_tasks: nothing",
    "pause_task: nothing",
    "resume_task: nothing",
    "cancel_task: nothing",
  ]);
  expect(namesFound(`You can call:\n${FOUND}git: runs git\n${FOUND}far_tool: x\nno - git2: y`)).toEqual([
    "git",
    "far_tool",
  ]);
});

test("a name that every object has is no tool", () => {
  expect(findTool(tools, "read")).toBe(tools.read);
  for (const name of ["constructor", "toString", "__proto__", "Read", ""]) {
    expect(findTool(tools, name)).toBeUndefined();
    expect(isToolName(name)).toBe(false);
  }
});

test("a long output keeps its head, says what is gone and never ends in half a character", () => {
  expect(capOutput("abc", 3)).toBe("abc");
  expect(capOutput("abcdef", 3)).toBe("abc\n[cut: 3 of 6 characters]");
  expect(capOutput("a😀b", 2).isWellFormed()).toBe(true);
});

test("what runs on the host is known by its type, and by its name", () => {
  const host: readonly HostToolName[] = [
    "house_query",
    "http_fetch",
    "web_search",
    "ask_source",
    "send_message",
    "send_to_agent",
    "ask_agent",
    "delegate",
    "read_brain",
    "write_brain",
    "remember",
    "recall",
    "forget",
    "schedule_task",
    "list_tasks",
    "pause_task",
    "resume_task",
    "cancel_task",
    "find_tools",
  ];
  const cell: readonly CellToolName[] = [
    "read",
    "write",
    "edit",
    "apply_patch",
    "list",
    "glob",
    "grep",
    "shell",
    "processes",
    "git",
    "image",
    "hardware_info",
    "time",
  ];
  expect((Object.keys(tools) as ToolName[]).filter(isHostToolName)).toEqual([...host]);
  expect((Object.keys(tools) as ToolName[]).filter((name) => !isHostToolName(name))).toEqual([...cell]);
  // @ts-expect-error a tool of the cell is none of the host.
  const wrong: HostToolName = "read";
  expect(wrong).toBe("read" as never);
});

test("a tool without an effect class, or with one that there is not, does not compile", () => {
  const { effect, ...rest } = tools.read;
  // @ts-expect-error `effect` is missing: types are checked with every change.
  const without = declareTool(rest);
  // @ts-expect-error there is no such class.
  const wrong = declareTool({ ...rest, effect: "harmless" });
  expect([effect, "effect" in without, wrong.name]).toEqual(["pure", false, "read"]);
});
