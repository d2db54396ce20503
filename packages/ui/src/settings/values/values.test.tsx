import { expect, test } from "bun:test";
import type { Setting } from "@hearth/protocol";
import { createFakeUi } from "../../house/fake-ui.tsx";
import { renderUi } from "../../rooms/fake-view.tsx";
import { limitGroups, localAddressGroups, purposeGroups, sandboxGroups, systemGroups } from "./groups.ts";
import { planSettings, type SettingField, toText, toValue } from "./setting-draft.ts";
import { GroupSection } from "./setting-groups.tsx";

const setting = (key: string, more: Partial<Setting> = {}): Setting => ({
  key,
  appliesNow: true,
  needsProof: false,
  ...more,
});
const number: SettingField = { kind: "number", key: "budget.day", label: "Per day" };
const choice: SettingField = {
  kind: "choice",
  key: "budget.at_limit",
  label: "At the limit",
  options: [{ value: "stop", title: "Stop" }],
  other: { title: "Other", label: "Model" },
};
const list: SettingField = {
  kind: "list",
  key: "log.to",
  label: "Written to",
  options: [
    { value: "file", title: "File" },
    { value: "stderr", title: "Standard error" },
  ],
};

test("`toText` shows the default of a choice, and leaves a number without value empty", () => {
  expect(toText(number, setting("budget.day", { default: 3 }))).toBe("");
  expect(toText(choice, setting("budget.at_limit", { default: "stop" }))).toBe("stop");
  expect(toText(list, setting("log.to", { value: ["file", "stderr"], default: ["file"] }))).toBe("file,stderr");
});

test("`toValue` reads numbers with a comma, and refuses other texts", () => {
  expect(toValue(number, setting("budget.day"), " 2,5 ")).toBe(2.5);
  expect(toValue(number, setting("budget.day"), "")).toBeNull();
  expect(toValue(number, setting("budget.day"), "much")).toBeUndefined();
});

test("`toValue` removes a value that equals the default", () => {
  const loopback: SettingField = { kind: "switch", key: "egress.loopback", label: "Loopback" };
  expect(toValue(loopback, setting("egress.loopback", { default: false }), "true")).toBe(true);
  expect(toValue(loopback, setting("egress.loopback", { default: false }), "false")).toBeNull();
  expect(toValue(choice, setting("budget.at_limit", { default: "stop" }), "stop")).toBeNull();
  expect(toValue(choice, setting("budget.at_limit", { default: "stop" }), "")).toBeUndefined();
  expect(toValue(list, setting("log.to"), "")).toEqual([]);
  expect(toValue(list, setting("log.to"), "file,stderr")).toEqual(["file", "stderr"]);
});

test("`planSettings` contains only changes, and names invalid texts", () => {
  const group = { title: "Budget", fields: [number, choice] };
  const settings = [setting("budget.day", { value: 2 }), setting("budget.at_limit", { default: "stop" })];
  expect(planSettings(group, settings, { "budget.day": "2" }).values).toEqual({});
  expect(planSettings(group, settings, { "budget.day": "3" }).values).toEqual({ "budget.day": 3 });
  expect([...planSettings(group, settings, { "budget.at_limit": "" }).invalidKeys]).toEqual(["budget.at_limit"]);
});

test("`planSettings` removes the values of fields that no longer apply", () => {
  const memory = purposeGroups.find(({ fields }) => fields.some(({ key }) => key === "memory.embedder"));
  if (memory === undefined) throw new Error("There is no group of memory.");
  const settings = [
    setting("memory.embedder", { value: "ollama", default: "local" }),
    setting("memory.model", { value: "nomic-embed-text" }),
  ];
  expect(planSettings(memory, settings, {}).values).toEqual({});
  expect(planSettings(memory, settings, { "memory.embedder": "none" }).values).toEqual({
    "memory.embedder": "none",
    "memory.model": null,
  });
});

test("a group shows its fields with their values, and a hint of the default", () => {
  const [sandboxes] = sandboxGroups;
  if (sandboxes === undefined) throw new Error("There is no group of sandboxes.");
  const markup = renderUi(
    <GroupSection
      group={sandboxes}
      settings={[setting("cells.backend", { default: "auto" }), setting("cells.max_open", { value: 4, default: 32 })]}
      onSaved={() => {}}
    />,
    createFakeUi(),
  );
  expect(markup).toContain('value="4"');
  expect(markup).toContain("Isolation");
  expect(markup).not.toContain("Idle time");
});

test("no setting is in two groups", () => {
  const groups = [...limitGroups, ...sandboxGroups, ...purposeGroups, ...localAddressGroups, ...systemGroups];
  const keys = groups.flatMap(({ fields }) => fields.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
});
