import { expect, test } from "bun:test";
import { AgentId } from "@hearth/protocol";
import { createMemoryConfigFile } from "./file.ts";
import { parseConfig } from "./read.ts";
import { createSettings } from "./settings.ts";
import { createConfigSource } from "./source.ts";

const by = { agent: AgentId.parse("agent_0123456789abcdefghjkmnpqrs"), via: "run-token" } as const;

const open = (text: string) => {
  const file = createMemoryConfigFile(text);
  const config = createConfigSource(file, parseConfig(text, file.name));
  return { file, config, settings: createSettings(config) };
};

const TEXT = "version = 1\n[cells] # few\nmax_open = 3 # mine\n\n[cells.limits]\nmemory_mib = 256\n";

test("a setting has its value, its default, its line and when it applies", () => {
  const { settings } = open(TEXT);
  expect(settings.find("cells.max_open")).toEqual({
    ...{ key: "cells.max_open", value: 3, default: 32, line: 3 },
    ...{ appliesNow: true, needsProof: true },
  });
  expect(settings.find("cells.limits.memory_mib")).toMatchObject({ value: 256, line: 6 });
  expect(settings.find("budget.day")).toEqual({ key: "budget.day", appliesNow: true, needsProof: false });
  expect(settings.find("turns.max_chain")).toMatchObject({ default: 4, appliesNow: true });
});

test("no setting names a key, an address of the port, or a program", () => {
  const { settings } = open(TEXT);
  const keys = settings.list().map(({ key }) => key);
  expect(keys.length).toBeGreaterThan(25);
  expect(keys.filter((key) => /^(server|providers|channels|agents|tunnel|store|version)\b/.test(key))).toEqual([]);
  expect(
    settings
      .list()
      .filter(({ key, needsProof }) => /api_key|base_url|endpoint|loopback|backup/.test(key) && !needsProof),
  ).toEqual([]);
});

test("values change in one edit, apply, and leave the rest of the file as it is", async () => {
  const { file, config, settings } = open(TEXT);
  const edits: unknown[] = [];
  config.onEdit(async (edit) => void edits.push(edit));
  await settings.set({ "cells.max_open": 9, "budget.day": 5, "search.kind": "searxng" }, by);
  expect(await file.read()).toBe(
    TEXT.replace("max_open = 3", "max_open = 9") + '\n[budget]\nday = 5\n\n[search]\nkind = "searxng"\n',
  );
  expect(config.current().cells.maxOpen).toBe(9);
  expect(edits).toEqual([
    { table: "cells.max_open, budget.day, search.kind", change: "changed", by: by.agent, via: "run-token" },
  ]);
  await settings.set({ "cells.max_open": null }, by);
  expect(config.current().cells.maxOpen).toBe(32);
});

test("a search engine without a kind has no table, and removing a missing one changes nothing", async () => {
  const { file, config, settings } = open(`${TEXT}\n[search]\nkind = "searxng"\nbase_url = "http://127.0.0.1:8080"\n`);
  await settings.set({ "cells.max_open": 9, "search.kind": null, "search.base_url": null }, by);
  expect(await file.read()).toBe(TEXT.replace("max_open = 3", "max_open = 9"));
  expect(config.current().search).toBeUndefined();
  await settings.set({ "search.kind": null, "cells.max_open": 3 }, by);
  expect(config.current().cells.maxOpen).toBe(3);
});

test("one wrong value changes nothing", async () => {
  const { file, settings } = open(TEXT);
  const refused = settings.set({ "cells.max_open": 9, "budget.day": -1 }, by);
  expect(refused).rejects.toThrow("budget.day must be a number");
  expect(refused).rejects.toMatchObject({ hint: "The file is unchanged. Choose another value." });
  expect(settings.set({ "search.kind": "brave" }, by)).rejects.toThrow("it needs a key");
  expect(await file.read()).toBe(TEXT);
});

test("an unknown key names the nearest one", () => {
  const { settings } = open(TEXT);
  expect(() => settings.find("cells.max_opne")).toThrow('"cells.max_opne" is not a setting that can be changed here.');
});
