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
  maxArgumentBytes,
  parseFoundNames,
  type ToolName,
  type ToolDeclaration,
  toOffer,
  tools,
} from "./index.ts";

test("every tool is in the table under its own name and has a time limit", () => {
  for (const [name, tool] of Object.entries(tools)) {
    expect(tool.name).toBe(name);
    expect(tool.timeoutMs).toBeGreaterThan(0);
  }
});

test("tools that act outside the cell or contact another agent have `acts` and a sink", () => {
  const acting = Object.values(tools).filter((tool) => tool.traits.acts);
  expect(acting.map(({ name }) => name)).toEqual([
    "shell",
    "git",
    "image_generate",
    "image_edit",
    "http_fetch",
    "web_search",
    "ask_source",
    "send_message",
    "attach",
    "chart",
    "send_to_agent",
    "ask_agent",
    "delegate",
    "forget",
  ]);
  for (const { sinks } of acting) expect(sinks).not.toEqual([]);
  expect(tools.shell).toMatchObject({ needs: "walls", sinks: ["command"], effect: "plain" });
});

test("only `forget` has `destroys`, and every declaration must set it", () => {
  expect(Object.values(tools).filter(({ traits }) => traits.destroys)).toEqual([tools.forget]);
  const { destroys, ...rest } = tools.read.traits;
  // @ts-expect-error a declaration without `destroys` does not compile.
  const silent = declareTool({ ...tools.read, traits: rest });
  expect([destroys, "destroys" in silent.traits]).toEqual([false, false]);
});

test("tools in the cell use the workspace, all of them but two, and on the host `attach`, `chart` and `image_edit`", () => {
  const users = (Object.values(tools) as ToolDeclaration[]).filter(({ workspace }) => workspace !== "none");
  expect(users.filter(({ runs }) => runs === "host")).toEqual([tools.image_edit, tools.attach, tools.chart]);
  const cellTools = (Object.keys(tools) as ToolName[]).filter((name) => !isHostToolName(name));
  const others = cellTools.filter((name) => !users.some((user) => user.name === name));
  expect(others).toEqual(["hardware_info", "time"]);
  // @ts-expect-error a tool must declare its use of the workspace.
  const silent: ToolDeclaration = { ...tools.read, workspace: undefined };
  expect(silent.workspace).toBeUndefined();
});

test("a call's arguments may be larger for tools that write a file's content", () => {
  expect(["write", "edit", "apply_patch", "write_brain"].map(maxArgumentBytes)).toEqual(Array(4).fill(1024 * 1024));
  expect(["shell", "read", "constructor", "weather"].map(maxArgumentBytes)).toEqual(Array(4).fill(256 * 1024));
});

test("the sink of `send_message` is the room, not the text", () => {
  expect(tools.send_message.sinks).toEqual(["room"]);
});

test("a sink is a field of the tool's input", () => {
  for (const tool of Object.values(tools)) {
    for (const sink of tool.sinks) expect(Object.keys(tool.input.shape)).toContain(sink);
  }
});

test("`delegate` needs a person's permission; tools to contact agents need a peer", () => {
  expect([tools.delegate.needs, tools.ask_agent.needs, tools.send_to_agent.needs]).toEqual(["person", "peer", "peer"]);
});

test("every tool with an effect has an effect class other than `pure`", () => {
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
    "image_generate",
    "image_edit",
    "send_message",
    "attach",
    "chart",
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

test("the offers of all tools together stay under their size limits", () => {
  // The first message may have 1,000 tokens in total. Characters approximate them here; bench
  // measures the tokens.
  const fromTheStart = (Object.values(tools) as ToolDeclaration[]).filter(({ discovery }) => discovery !== "onDemand");
  expect(JSON.stringify(fromTheStart.map(toOffer)).length).toBeLessThan(4_600);
  const alone = fromTheStart.filter(({ needs }) => needs === "nothing");
  expect(JSON.stringify(alone.map(toOffer)).length).toBeLessThan(3_100);
});

test("an offer omits bounds and schema keywords, but keeps properties with the same names", () => {
  const tool: ToolDeclaration = {
    ...tools.read,
    input: z.strictObject({
      minimum: z.int().min(1).describe("least"),
      parts: z.array(z.strictObject({ additionalProperties: z.string().max(9) })).optional(),
    }),
  };
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

test("tools behind `find_tools` are rarely used or need a person's permission, and `namesFound` reads their names", () => {
  const behind = (Object.values(tools) as ToolDeclaration[]).filter(({ discovery }) => discovery === "onDemand");
  expect(behind.filter(({ needs }) => needs !== "person").map(({ name, needs }) => `${name}: ${needs}`)).toEqual([
    "apply_patch: nothing",
    "processes: walls",
    "image_generate: nothing",
    "image_edit: nothing",
    "attach: nothing",
    "chart: nothing",
    "schedule_task: nothing",
    "list_tasks: nothing",
    "pause_task: nothing",
    "resume_task: nothing",
    "cancel_task: nothing",
  ]);
  expect(parseFoundNames(`You can call:\n${FOUND}git: runs git\n${FOUND}far_tool: x\nno - git2: y`)).toEqual([
    "git",
    "far_tool",
  ]);
});

test("an inherited property name is not a tool", () => {
  expect(findTool(tools, "read")).toBe(tools.read);
  for (const name of ["constructor", "toString", "__proto__", "Read", ""]) {
    expect(findTool(tools, name)).toBeUndefined();
    expect(isToolName(name)).toBe(false);
  }
});

test("a long output keeps its beginning, notes what was cut, and stays well-formed", () => {
  expect(capOutput("abc", 3)).toBe("abc");
  expect(capOutput("abcdef", 3)).toBe("abc\n[cut: 3 of 6 characters]");
  expect(capOutput("a😀b", 2).isWellFormed()).toBe(true);
});

test("host tools are distinguished by type and by name", () => {
  const [host, cell]: [HostToolName, CellToolName] = ["remember", "read"];
  expect([host, cell].map(isHostToolName)).toEqual([true, false]);
  // @ts-expect-error a cell tool is not a host tool.
  const wrong: HostToolName = "read";
  expect(wrong).toBe("read" as never);
});

test("words that name a field which the input does not have do not compile", () => {
  const { words } = tools.read;
  // @ts-expect-error `read` has no field `file`.
  const wrong = declareTool({ ...tools.read, words: { ...words, object: "file" } });
  expect(wrong.words.object).toBe("file" as never);
});

test("a tool without an effect class, or with an unknown one, does not compile", () => {
  const { effect, ...rest } = tools.read;
  // @ts-expect-error `effect` is missing.
  const without = declareTool(rest);
  // @ts-expect-error unknown effect class.
  const wrong = declareTool({ ...rest, effect: "harmless" });
  expect([effect, "effect" in without, wrong.name]).toEqual(["pure", false, "read"]);
});
