import { expect, test } from "bun:test";
import { createMemoryConfigFile } from "./file.ts";
import { parseConfig } from "./read.ts";
import { createConfigSource, pinsToApply } from "./source.ts";

const TEXT = 'version = 1\n\n[agents.main]\nmodel = "offline/basic"\n';
const open = () => {
  const file = createMemoryConfigFile(TEXT);
  return { file, source: createConfigSource(file, parseConfig(TEXT, "hearth.toml")) };
};

test("a pinned field names its line, others are undefined", () => {
  const { source } = open();
  expect(source.pinned("main", "model")).toBe("hearth.toml line 4");
  expect(source.pinned("main", "prompt")).toBeUndefined();
  expect(source.pinned("other", "model")).toBeUndefined();
});

test("an agent in the file keeps its name, and so the handle that the file uses", () => {
  const { source } = open();
  expect(source.pinned("main", "name")).toBe("hearth.toml line 3");
  expect(source.pinned("other", "name")).toBeUndefined();
});

test("concurrent edits are all applied", async () => {
  const { file, source } = open();
  const add = (name: string) => source.edit((text) => `${text}\n[providers.${name}]\nkind = "openai"\n`);
  await Promise.all([add("one"), add("two")]);
  expect([...source.current().providers.keys()]).toEqual(["one", "two"]);
  expect(await file.read()).toContain("[providers.two]");
});

test("an edit that breaks the file changes nothing, and the next one works", async () => {
  const { file, source } = open();
  await expect(source.edit((text) => `${text}[server]\nport = "x"\n`)).rejects.toMatchObject({
    code: "config.invalid",
  });
  await source.edit((text) => `${text}\n[providers.one]\nkind = "openai"\n`);
  expect(await file.read()).toBe(`${TEXT}\n[providers.one]\nkind = "openai"\n`);
});

test("an edit keeps what a person changed in the file meanwhile", async () => {
  const { file, source } = open();
  await file.write(`# mine\n${TEXT}`);
  await source.edit((text) => `${text}\n[providers.one]\nkind = "openai"\n`);
  expect(await file.read()).toStartWith("# mine\n");
});

test("only fields that differ are applied", () => {
  expect(pinsToApply({ model: "a/b", tools: ["read"] }, { model: "a/b", tools: [] })).toEqual({ tools: ["read"] });
});
