/** Texts of fields, and the values of settings that they stand for. */
import { describe, expect, test } from "bun:test";
import type { Setting, SettingValue } from "@hearth/protocol";
import { planSettings, type SettingField, toText, toValue } from "./setting-draft.ts";

const fieldOf = (kind: SettingField["kind"], key = "table.key"): SettingField =>
  ({ key, label: "Label", kind, options: [] }) as SettingField;
const settingOf = (value?: SettingValue, fallback?: SettingValue, key = "table.key"): Setting => ({
  ...{ key, appliesNow: true, needsProof: false },
  ...(value === undefined ? {} : { value }),
  ...(fallback === undefined ? {} : { default: fallback }),
});

test.each([
  ["number", 5, 8, "5"],
  ["number", undefined, 8, ""],
  ["text", "a", "b", "a"],
  ["text", undefined, "b", ""],
  ["choice", undefined, "b", "b"],
  ["choice", "a", "b", "a"],
  ["switch", undefined, false, "false"],
  ["switch", true, false, "true"],
  ["list", ["a", "b"], undefined, "a,b"],
  ["list", undefined, undefined, ""],
] as const)("a %s with the value %j and the default %j shows %j", (kind, value, fallback, text) => {
  expect(toText(fieldOf(kind), settingOf(value as SettingValue, fallback))).toBe(text);
});

describe("a text becomes", () => {
  test.each([
    ["number", "8", undefined, 8],
    ["number", " 2,5 ", undefined, 2.5],
    ["number", "0", undefined, 0],
    ["number", "", 4, null],
    ["number", "4", 4, 4],
    ["number", "many", undefined, undefined],
    ["number", "-1", undefined, undefined],
    ["number", "1.", undefined, undefined],
    ["text", " a ", undefined, "a"],
    ["text", "", undefined, null],
    ["text", "", "b", null],
    ["text", "b", "b", null],
    ["choice", "a", "b", "a"],
    ["choice", "b", "b", null],
    ["choice", "", "b", undefined],
    ["choice", "", undefined, null],
    ["switch", "true", false, true],
    ["switch", "false", true, false],
    ["switch", "false", false, null],
    ["list", "a,b", undefined, ["a", "b"]],
    ["list", "", undefined, []],
  ] as const)("for a %s: %j with the default %j is %j", (kind, text, fallback, value) => {
    expect(toValue(fieldOf(kind), settingOf(undefined, fallback), text)).toEqual(value as SettingValue);
  });
});

describe("a save", () => {
  const group = {
    title: "Search",
    fields: [fieldOf("choice", "a.kind"), fieldOf("text", "a.address"), fieldOf("number", "a.max")],
  };
  const settings = [
    settingOf("one", "none", "a.kind"),
    settingOf("x", undefined, "a.address"),
    settingOf(3, 5, "a.max"),
  ];

  test("contains only what was changed, and no setting that the house does not have", () => {
    expect(planSettings(group, settings, {})).toEqual({ values: {}, invalidKeys: new Set() });
    expect(planSettings(group, settings, { "a.kind": "one", "a.max": "3" }).values).toEqual({});
    expect(planSettings(group, settings, { "a.address": "y", "a.max": "", "b.key": "z" }).values).toEqual({
      ...{ "a.address": "y", "a.max": null },
    });
    expect(planSettings(group, settings.slice(0, 1), { "a.address": "y" }).values).toEqual({});
  });

  test("names the fields whose text is invalid, beside the others", () => {
    expect(planSettings(group, settings, { "a.max": "many", "a.address": "y" })).toEqual({
      ...{ values: { "a.address": "y" }, invalidKeys: new Set(["a.max"]) },
    });
  });

  test("removes a value that no longer applies, and ignores its text", () => {
    const applies = (key: string, textOf: (key: string) => string) => key !== "a.address" || textOf("a.kind") === "one";
    const plan = (typed: Readonly<Record<string, string>>, of = settings) =>
      planSettings({ ...group, applies }, of, typed).values;
    expect(plan({ "a.kind": "two", "a.address": "y" })).toEqual({ "a.kind": "two", "a.address": null });
    expect(plan({ "a.kind": "one", "a.address": "y" })).toEqual({ "a.address": "y" });
    const empty = [settings[0]!, settingOf(undefined, undefined, "a.address")];
    expect(plan({ "a.kind": "two", "a.address": "y" }, empty)).toEqual({ "a.kind": "two" });
  });
});
