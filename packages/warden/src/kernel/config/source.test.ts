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
  expect(source.pinPlaceOf("main", "model")).toBe("hearth.toml line 4");
  expect(source.pinPlaceOf("main", "prompt")).toBeUndefined();
  expect(source.pinPlaceOf("other", "model")).toBeUndefined();
});

test("an agent in the file keeps its name, and so the handle that the file uses", () => {
  const { source } = open();
  expect(source.pinPlaceOf("main", "name")).toBe("hearth.toml line 3");
  expect(source.pinPlaceOf("other", "name")).toBeUndefined();
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

test("a changed file is applied, and listeners are called once for each change", async () => {
  const { file, source } = open();
  let changes = 0;
  source.onChange(() => (changes += 1));
  await file.write(`${TEXT}\n[providers.one]\nkind = "openai"\n`);
  await source.reload();
  expect([...source.current().providers.keys()]).toEqual(["one"]);
  expect(source.restartTables()).toEqual([]);
  await file.write(`# a comment\n${(await file.read()) ?? ""}`);
  await source.reload();
  expect(changes).toBe(1);
  expect(source.pinPlaceOf("main", "model")).toBe("hearth.toml line 5");
});

test("a file that is not valid keeps the last config, and says where it is wrong until it is corrected", async () => {
  const { file, source } = open();
  await file.write(`${TEXT}[channels.telegram]\nkind = 3\n`);
  await source.reload();
  expect(source.problem()?.message).toContain("line 6");
  expect(source.current().channels.size).toBe(0);
  expect(source.current().agents.has("main")).toBe(true);
  await file.write(TEXT);
  await source.reload();
  expect(source.problem()).toBeUndefined();
});

test("settings that apply only after a restart are named by their tables", async () => {
  const { file, source } = open();
  await file.write(`${TEXT}\n[server]\nport = 1234\n[budget]\nday_tokens = 5\n`);
  await source.reload();
  expect(source.problem()).toBeUndefined();
  expect(source.restartTables()).toEqual(["server"]);
});

test("an edit through the API clears the problem of a corrected file", async () => {
  const { file, source } = open();
  await file.write("nonsense");
  await source.reload();
  expect(source.problem()?.code).toBe("config.invalid");
  await expect(source.edit((text) => `${text}\n[providers.one]\nkind = "openai"\n`)).rejects.toThrow();
  expect(source.problem()?.code).toBe("config.invalid");
  await file.write(TEXT);
  await source.edit((text) => `${text}\n[providers.one]\nkind = "openai"\n`);
  expect(source.problem()).toBeUndefined();
});
