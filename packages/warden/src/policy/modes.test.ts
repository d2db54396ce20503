import { describe, expect, test } from "bun:test";
import { type ToolName, tools } from "@hearth/protocol/tools";
import { judgeMode, type ModeSettings } from "./modes.ts";

const kindOf = (moded: ModeSettings, name: ToolName, input: object = {}, walls: "walls" | "open" = "walls"): string =>
  judgeMode(moded, { name, input: input as never }, tools[name], walls === "walls").kind;

const names = Object.keys(tools) as ToolName[];
const reads = names.filter((name) => kindOf({ mode: "plan" }, name) === "allowed");

describe("the mode", () => {
  test("plan allows reading, and refuses everything else with a text for the model", () => {
    expect(reads).toEqual(names.filter((name) => tools[name].effect === "pure" && !tools[name].traits.acts));
    expect(reads).toContain("read");
    for (const name of ["write", "shell", "http_fetch", "send_message"] as const) expect(reads).not.toContain(name);
    for (const name of names.filter((name) => !reads.includes(name)))
      expect(judgeMode({ mode: "plan" }, { name, input: {} }, tools[name], true)).toMatchObject({
        kind: "refused",
        text: expect.stringContaining("may only plan"),
      });
  });

  test("ask asks about exactly what plan refuses", () => {
    for (const name of names)
      expect([name, kindOf({ mode: "ask" }, name)]).toEqual([name, reads.includes(name) ? "allowed" : "ask"]);
  });

  test("default and unattended add nothing", () => {
    for (const name of names)
      expect([kindOf({}, name), kindOf({ mode: "default" }, name), kindOf({ mode: "unattended" }, name)]).toEqual([
        "allowed",
        "allowed",
        "allowed",
      ]);
  });
});

describe("a trusted folder", () => {
  const trusted: ModeSettings = { mode: "ask", trusted: ["notes/drafts", "out"] };

  test.each([
    ["notes/drafts/a.md", "allowed"],
    ["./notes//drafts/b/c.md", "allowed"],
    ["out/x", "allowed"],
    ["notes/draftsman.md", "ask"],
    ["notes/drafts", "ask"],
    ["notes/drafts/../../SOUL.md", "ask"],
    ["/notes/drafts/a.md", "ask"],
    ["..\\notes\\drafts\\a.md", "ask"],
    ["other.md", "ask"],
  ])("returns for %s: %s", (path, kind) => {
    expect(kindOf(trusted, "write", { path, content: "x" })).toBe(kind);
  });

  test("applies only with isolation", () => {
    expect(kindOf(trusted, "write", { path: "out/x", content: "x" }, "open")).toBe("ask");
    expect(kindOf({ mode: "ask", trusted: ["."] }, "shell", { command: "ls" }, "open")).toBe("ask");
  });

  test("lets a program run only if it is the whole workspace, and never on the host", () => {
    expect(kindOf(trusted, "shell", { command: "touch out/x", path: "out/x" })).toBe("ask");
    expect(kindOf({ mode: "ask", trusted: ["."] }, "shell", { command: "ls" })).toBe("allowed");
    expect(kindOf({ mode: "ask", trusted: ["."] }, "send_message", { room: "out", path: "out/x" })).toBe("ask");
  });
});
