import { expect, test } from "bun:test";
import {
  type Activation,
  ActivationId,
  ActivationState,
  EventId,
  type AgentId,
  HearthError,
  noUsage,
  SkipReason,
  Trigger,
} from "@hearth/protocol";
import { createFakeAgent, createFakeRoom, fakeHouse, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import {
  outcomeWords,
  skipTitles,
  skipWords,
  formatDuration,
  describeOutcome,
  describeStep,
  formatTokens,
  describeReason,
  triggerWords,
} from "./activity/activity-words.ts";
import { fromAdmissionDraft, describeAdmission, toAdmissionDraft } from "./rooms/admission-words.ts";
import { checkAmbient, fromAmbientFields, toAmbientFields } from "./agents/agent-trigger.tsx";
import { toGrantError } from "./access/level-words.ts";
import { levelsOf } from "./access/levels-of.ts";
import { nameBrowser } from "./account/name-browser.ts";

const activationId = (count: number) => ActivationId.parse(`act_${count.toString().padStart(26, "0")}`);
const eventId = (count: number) => EventId.parse(`evt_${count.toString().padStart(26, "0")}`);
const activation = (more: Partial<Activation> = {}): Activation => ({
  id: activationId(1),
  agent: fakeMain.id,
  room: createFakeRoom(1, "Main").id,
  trigger: "mention",
  cause: eventId(1),
  state: "replied",
  usage: noUsage,
  depth: 0,
  createdAt: 1,
  ...more,
});

test("every trigger, outcome and reason has its own text", () => {
  for (const [words, options] of [
    [triggerWords, Trigger.options],
    [outcomeWords, ActivationState.options],
    [skipTitles, SkipReason.options],
    [skipWords, SkipReason.options],
  ] as const) {
    const told = options.map((option) => (words as Readonly<Record<string, string>>)[option]);
    expect(new Set(told).size).toBe(options.length);
    expect(told).not.toContain(undefined);
  }
});

test("an outcome includes its reason, and the details explain more", () => {
  expect(describeOutcome(activation())).toBe("Replied");
  expect(describeOutcome(activation({ state: "skipped", skip: "cooldown" }))).toBe("No reply: cooldown");
  expect(describeOutcome(activation({ state: "skipped" }))).toBe("No reply");
  expect(describeOutcome(activation({ state: "skipped", mergedInto: activationId(2) }))).toBe(
    "Answered together with another message",
  );
  expect(describeReason(activation({ skip: "budget", reason: "x" }))).toBe(skipWords.budget);
  const error = { code: "provider.auth" as const, message: "The key is wrong." };
  expect(describeReason(activation({ state: "failed", error, reason: "x" }))).toBe(
    "The model provider does not accept the key.",
  );
  expect(describeReason(activation({ state: "stopped", reason: "You said so." }))).toBe("You said so.");
  expect(describeReason(activation())).toBeUndefined();
});

test("duration and usage are shown if they are known", () => {
  expect([
    formatDuration(0, 420),
    formatDuration(0, 3_400),
    formatDuration(0, 125_000),
    formatDuration(9, 1),
    formatDuration(undefined, 1),
    formatDuration(1, undefined),
  ]).toEqual(["420 ms", "3.4 s", "2 min 5 s", "0 ms", undefined, undefined]);
  const usage = { inputTokens: 1200, outputTokens: 88, cacheReadTokens: 4, cacheWriteTokens: 0 };
  expect(formatTokens({ usage }, "en")).toBe("1,204 tokens in, 88 out");
  expect(formatTokens({ usage: noUsage })).toBeUndefined();
  expect(formatTokens({ usage: { ...noUsage, estimated: true } })).toBe("tokens not reported");
  expect(formatTokens({ usage: { ...usage, estimated: true } }, "en")).toBe("1,204 tokens in, 88 out (estimated)");
});

test("each kind of step has a title", () => {
  const step = (kind: "model" | "tool" | "intake", at = 0) => describeStep({ kind, name: "write", step: at });
  expect([step("model"), step("tool"), step("intake"), step("model", -1)]).toEqual([
    ...["Model call", "Tool call: write", "Received new messages", "Relevance check"],
  ]);
});

const nameOf = (id: AgentId): string => (id === fakeOwner.id ? "Ada" : "Main");

test("wake rules are shown as sentences", () => {
  expect(describeAdmission(undefined, nameOf)).toEqual(["Everyone with write access can wake agents."]);
  expect(describeAdmission({ mode: "allow" }, nameOf)).toEqual(["No member can wake agents here."]);
  expect(
    describeAdmission(
      {
        mode: "allow",
        allow: [fakeOwner.id],
        block: [fakeMain.id],
        wake: [fakeOwner.id],
        mentionRequired: true,
        directOnly: true,
      },
      nameOf,
    ),
  ).toEqual([
    "Only these members can wake agents here: Ada.",
    "Blocked: Main.",
    "Agents only respond when mentioned with @.",
    "Agents only respond in direct rooms.",
    "Every message of these members wakes all agents here: Ada.",
  ]);
});

test("wake rules survive a round trip through the form, and default rules become `null`", () => {
  for (const admission of [
    { mode: "allow" as const, allow: [] },
    { mode: "allow" as const, allow: ["a", "b"], block: ["c"], mentionRequired: true, wake: ["a"] },
    { directOnly: true, block: ["c"] },
  ])
    expect(fromAdmissionDraft(toAdmissionDraft(admission), admission)).toEqual(admission);
  expect(fromAdmissionDraft(toAdmissionDraft({ mode: "open", block: [] }))).toBeNull();
  expect(fromAdmissionDraft({ ...toAdmissionDraft(), mode: "allow" })).toEqual({ mode: "allow", allow: [] });
});

test("relevance settings survive a round trip through the form, and invalid fields show errors", () => {
  expect(toAmbientFields()).toEqual({ seconds: "3", cooldown: "yes", relevance: "", model: "" });
  const ambient = { debounceMs: 1500, cooldown: false, relevance: "model" as const, model: "den/small" };
  expect(fromAmbientFields(toAmbientFields(ambient))).toEqual(ambient);
  expect(fromAmbientFields(toAmbientFields())).toEqual({ debounceMs: 3000, cooldown: true });
  const check = (changes: object) => Object.keys(checkAmbient({ ...toAmbientFields(), ...changes }));
  for (const seconds of ["0", "2,5", "600"]) expect(check({ seconds })).toEqual([]);
  for (const seconds of ["", "-1", "601", "soon"]) expect(check({ seconds })).toEqual(["seconds"]);
  expect(check({ model: "small" })).toEqual(["model"]);
});

test("a refused role change has an explanation for the user", () => {
  expect(toGrantError(new HearthError("grant.last", "x"), "Ada")).toMatchObject({
    message: "Ada is the only admin of this house.",
    hint: expect.stringContaining("Make another person an admin"),
  });
  expect(toGrantError(new HearthError("grant.exceeds", "x"), "Ada")).toMatchObject({
    message: "You cannot grant a role higher than your own.",
  });
  const other = new HearthError("house.unreachable", "gone");
  expect(toGrantError(other, "Ada")).toBe(other);
});

const boris = createFakeAgent(4, "Boris", { kind: "human" });
const agents = new Map([fakeOwner, fakeMain, boris].map((agent) => [agent.id as string, agent]));
const grant = (
  agent: AgentId,
  on: typeof fakeHouse.id | ReturnType<typeof createFakeRoom>["id"],
  level: "r" | "w" | "x",
) => ({
  agent,
  on,
  level,
  by: fakeOwner.id,
  at: 1,
});
const tell = (place: Parameters<typeof levelsOf>[0]["place"], ...grants: readonly ReturnType<typeof grant>[]) =>
  levelsOf({ place, grants, agents }).map(
    ({ agent, level, source }) => `${agents.get(agent)?.handle} ${level} ${source}`,
  );

test("the effective role in a room is the highest of its grant, the house role and membership", () => {
  const open = createFakeRoom(2, "Kitchen");
  const house = [grant(fakeOwner.id, fakeHouse.id, "x"), grant(fakeMain.id, fakeHouse.id, "w")];
  expect(tell(open, ...house, grant(boris.id, open.id, "r"))).toEqual(["ada x house", "boris r here", "main w house"]);
  expect(tell(fakeHouse, ...house)).toEqual(["ada x here", "main w here"]);
  const closed = createFakeRoom(3, "Cellar", { members: [boris.id] });
  expect(tell(closed, ...house)).toEqual(["ada x house", "boris w member"]);
  expect(tell(closed, ...house, grant(fakeMain.id, closed.id, "r"))).toEqual([
    "ada x house",
    "boris w member",
    "main r here",
  ]);
  const [row] = levelsOf({ place: open, grants: [grant(fakeOwner.id, open.id, "r"), ...house], agents });
  expect(row).toMatchObject({ level: "x", grantedLevel: "r", source: "here" });
});

test("a member of another house is listed without a name", () => {
  const [row] = levelsOf({ place: fakeHouse, grants: [grant(fakeOwner.id, fakeHouse.id, "x")], agents: new Map() });
  expect(row).toMatchObject({ record: undefined, level: "x" });
});

test("a user agent string gets a readable browser name", () => {
  const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Safari/604.1";
  const edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0";
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const chrome = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
  expect([safari, edge, firefox, chrome, "curl/8.5.0", "my own program", " "].map(nameBrowser)).toEqual([
    ...["Safari on iPhone", "Edge on Windows", "Firefox on Linux", "Chrome on Android", "curl"],
    ...["my own program", "Unknown browser"],
  ]);
});
