/** The tab Tools & access: the switch of the web, the words of tools, and when they ask. */
import { expect, test } from "bun:test";
import type { AgentTool } from "@hearth/protocol";
import { tools } from "@hearth/protocol/tools";
import { createFakeAgent } from "../../../house/fake-ui.tsx";
import { linesOf } from "./mode-section.tsx";
import * as toolNames from "../../../language/tools/text.ts";
import * as texts from "./text.ts";
import { describeAsking, wordsOf } from "./tool-words.ts";
import { hasWeb, planWeb } from "./web-plan.ts";

const toolNamed = (name: keyof typeof tools, more: Partial<AgentTool> = {}): AgentTool => {
  const { description, effect, traits, needs } = tools[name];
  const isDefault = needs === "nothing";
  return {
    name,
    description,
    effect,
    traits,
    isOn: isDefault,
    isDefault,
    isExternal: false,
    isSandboxed: false,
    ...more,
  };
};
const list = [toolNamed("read"), toolNamed("http_fetch"), toolNamed("web_search")];
const withoutEngine = [...list.slice(0, 2), toolNamed("web_search", { missing: "search-engine" })];

test("the switch adds the grant and the tools beside the default ones, and takes both back", () => {
  const agent = createFakeAgent(1, "Main");
  expect(planWeb(agent, list, true)).toEqual({
    egress: [{ host: "*" }],
    tools: ["default", "http_fetch", "web_search"],
  });
  expect(planWeb(agent, withoutEngine, true)).toEqual({ egress: [{ host: "*" }], tools: ["default", "http_fetch"] });
  const reader = createFakeAgent(1, "Main", {
    egress: [{ host: "*" }],
    tools: ["default", "http_fetch", "web_search"],
  });
  expect(planWeb(reader, list, false)).toEqual({ egress: [], tools: ["default"] });
});

test("an agent keeps the rest: other hosts, the tool that reads them, and other tools", () => {
  const agent = createFakeAgent(1, "Main", { egress: [{ host: "a.example" }], tools: ["read", "http_fetch"] });
  const on = planWeb(agent, withoutEngine, true);
  expect(on).toEqual({ egress: [{ host: "a.example" }, { host: "*" }], tools: ["read", "http_fetch"] });
  const reader = createFakeAgent(1, "Main", {
    egress: [{ host: "a.example" }, { host: "*" }],
    tools: ["read", "http_fetch"],
  });
  expect(planWeb(reader, withoutEngine, false)).toEqual({
    egress: [{ host: "a.example" }],
    tools: ["read", "http_fetch"],
  });
});

test("the switch is on only with both the grant and the tool", () => {
  const agent = (egress: { host: string }[], names: string[]) => createFakeAgent(1, "Main", { egress, tools: names });
  expect(hasWeb(agent([{ host: "*" }], ["default", "http_fetch"]), list)).toBe(true);
  expect(hasWeb(agent([{ host: "*" }], ["default"]), list)).toBe(false);
  expect(hasWeb(agent([{ host: "a.example" }], ["http_fetch"]), list)).toBe(false);
});

test("every tool has a title, a sentence and a group; an external tool describes itself", () => {
  for (const name of Object.keys(tools) as (keyof typeof tools)[]) {
    const { title, detail, group } = wordsOf(toolNamed(name));
    expect([name, title === "", detail.endsWith("."), group]).toEqual([
      name,
      false,
      true,
      expect.not.stringMatching("external"),
    ]);
  }
  const titles = Object.keys(tools).map((name) => toolNames.toolTexts(name)?.title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(wordsOf({ ...toolNamed("http_fetch"), name: "calendar", description: "Reads days." })).toEqual({
    group: "external",
    title: "calendar",
    detail: "Reads days.",
    risks: [toolNames.risks.strangers, toolNames.risks.leaves],
  });
});

test("the risk of a tool follows what it declares", () => {
  for (const name of Object.keys(tools) as (keyof typeof tools)[]) {
    const risks = toolNames.toolTexts(name)?.risks ?? [];
    const { traits, runs } = tools[name];
    if (
      traits.readsUntrusted &&
      runs === "host" &&
      traits.acts &&
      name !== "attach" &&
      name !== "chart" &&
      name !== "image_edit"
    )
      expect([name, risks.includes("strangers")]).toEqual([name, true]);
    if (traits.readsPrivate && name !== "list_tasks") expect([name, risks.includes("private")]).toEqual([name, true]);
  }
});

test("a person sees when a tool asks, in each mode", () => {
  const fetch = toolNamed("http_fetch");
  const shell = toolNamed("shell", { isSandboxed: true });
  expect((["default", "ask", "plan", "unattended"] as const).map((mode) => describeAsking(fetch, mode))).toEqual([
    texts.asksWhenTainted,
    texts.asksAlways,
    texts.refusedAlways,
    texts.refusedWhenTainted,
  ]);
  expect(describeAsking(shell, "default")).toBe(texts.neverAsks);
  expect(describeAsking({ ...shell, isSandboxed: false }, "default")).toBe(texts.asksWhenTainted);
  expect(describeAsking(shell, "ask")).toBe(texts.asksAlways);
  expect(describeAsking(toolNamed("forget"), "default")).toBe(texts.asksAlways);
  expect(describeAsking(toolNamed("forget"), "unattended")).toBe(texts.refusedUnattended);
  for (const mode of ["default", "ask", "plan", "unattended"] as const)
    expect(describeAsking(toolNamed("read"), mode)).toBe(texts.neverAsks);
});

test("trusted folders are lines, each once", () => {
  expect(linesOf(" notes \n\nnotes\n drafts")).toEqual(["notes", "drafts"]);
});
