/** German texts that compute something. */
import { expect, test } from "bun:test";
import { type Label, OWNER_LABEL } from "@hearth/protocol";
import * as english from "./text.ts";
import * as texts from "./text.de.ts";
import * as design from "../design/text.de.ts";
import { titleOf } from "../rooms/files/document/text.de.ts";
import { tools } from "@hearth/protocol/tools";
import * as englishTools from "./tools/text.ts";
import * as toolNames from "./tools/text.de.ts";
import { outcomes } from "../settings/activity/text.de.ts";
import * as audit from "../settings/audit/text.de.ts";

test("amounts and sizes have a decimal comma", () => {
  expect(texts.showMoney(2_500_000)).toBe("2,50 USD");
  expect([1, 420, 1_400_000].map(texts.showSize)).toEqual(["1 Byte", "420 Byte", "1,4 MB"]);
});

test("a tool has German words, and the same fields as in English", () => {
  expect(texts.toolWords("read")).toEqual({ doing: "Liest", done: "Las", object: "path" });
  const { object, change } = english.toolWords("edit") ?? {};
  expect(texts.toolWords("edit")).toMatchObject({ object, change });
  expect(toolNames.toolTexts("read")).toMatchObject({ title: "Dateien lesen", group: "files", risks: ["strangers"] });
  for (const find of [texts.toolWords, toolNames.toolTexts])
    expect([find("github_search"), find("constructor")]).toEqual([undefined, undefined]);
});

test("every tool has German texts in the settings", () => {
  for (const name of Object.keys(tools)) {
    const [german, inEnglish] = [toolNames.toolTexts(name), englishTools.toolTexts(name)];
    expect([name, german?.title === inEnglish?.title, german?.summary === inEnglish?.summary]).toEqual([
      name,
      false,
      false,
    ]);
  }
});

test("untrusted sources are named, the first three of them", () => {
  const label = (sources: readonly string[]): Label => ({
    ...OWNER_LABEL,
    integrity: "untrusted",
    sources: [...sources],
  });
  expect(texts.describeSources(OWNER_LABEL)).toBeUndefined();
  expect(texts.describeSources(label(["a", "b", "c", "d"]))).toBe(
    "Beruht auf nicht vertrauenswürdigen Inhalten: a, b, c und 1 weitere",
  );
  for (const sources of [[], ["a"], ["a", "b", "c", "d", "e"]])
    expect(texts.describeSources(label(sources)) === undefined).toBe(
      english.describeSources(label(sources)) === undefined,
    );
});

test("a fix of the configuration names the section and the line", () => {
  expect(texts.describeFix({ kind: "command", command: "chmod 700 x" })).toBe("chmod 700 x");
  expect(texts.describeFix({ kind: "config", section: "server", key: "port" })).toContain("„port“ aus [server]");
  expect(texts.describeFix({ kind: "config", section: "server", key: "port", line: "port = 1" })).toContain("port = 1");
});

test("errors of the browser and names of document parts are in German", () => {
  expect(design.ownErrors["house.unreachable"]?.title("")).toBe("Hearth antwortet nicht.");
  expect(["page 12", "slide 3", "sheet Costs"].map(titleOf)).toEqual(["Seite 12", "Folie 3", "Tabellenblatt Costs"]);
});

test("an act of the audit log is a German sentence, also without a name or an owner", () => {
  expect(audit.otherAct(audit.typeNouns.passkey, "Phone", "Ada", audit.changes.added)).toBe(
    "Passkey „Phone“ von Ada hinzugefügt",
  );
  expect(audit.otherAct(audit.typeNouns.config, undefined, undefined, audit.changes.changed)).toBe(
    "Einstellungen geändert",
  );
  expect(audit.runOutcome("Main", outcomes.queued)).toBe("Lauf von Main: in der Warteschlange");
  expect(audit.requestTo(undefined, "a.example", undefined)).toBe("Anfrage an a.example");
});
