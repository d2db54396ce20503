import { expect, test } from "bun:test";
import { AgentId, isHearthError } from "@hearth/protocol";
import { createMemoryConfigFile } from "./file.ts";
import { createMemoryKeyFiles } from "./key-files.ts";
import { createMediaTables } from "./media-tables.ts";
import { parseConfig } from "./read.ts";
import { type ConfigEdit, createConfigSource } from "./source.ts";

const by = { agent: AgentId.parse("agent_0123456789abcdefghjkmnpqrs"), via: "run-token" } as const;

const open = (text: string) => {
  const file = createMemoryConfigFile(text);
  const config = createConfigSource(file, parseConfig(text, file.name));
  const keyFiles = createMemoryKeyFiles();
  const edits: ConfigEdit[] = [];
  config.onEdit(async (edit) => void edits.push(edit));
  return { file, config, keyFiles, edits, tables: createMediaTables({ config, keyFiles }) };
};

const TEXT = `version = 1 # mine

# The server in the cellar.
[voice.transcribe] # speech
kind = "whisper" # local
base_url = "http://127.0.0.1:8080"

[budget]
day = 5
`;

test("a part is replaced in its place, and the comments stay", async () => {
  const { file, config, tables, edits } = open(TEXT);
  await tables.put("transcribe", { values: { kind: "whisper", language: "de" } }, by);
  expect(await file.read()).toBe(TEXT.replace('base_url = "http://127.0.0.1:8080"\n', 'language = "de"\n'));
  expect(config.current().voice?.transcribe).toEqual({ kind: "whisper", language: "de" });
  expect(edits).toEqual([{ table: "voice.transcribe", change: "changed", by: by.agent, via: "run-token" }]);
});

test("a part in braces, with dots or missing becomes a table with a header, and the other part stays", async () => {
  for (const before of [
    '[voice]\n# both\ntranscribe = { kind = "whisper" } # here\nspeak = { kind = "fake" }\n',
    '[voice]\ntranscribe.kind = "whisper"\nspeak = { kind = "fake" }\n',
    '[voice]\nspeak = { kind = "fake" }\n',
  ]) {
    const { file, config, tables } = open(`version = 1\n${before}`);
    await tables.put("transcribe", { values: { kind: "fake" } }, by);
    expect(config.current().voice).toEqual({ transcribe: { kind: "fake" }, speak: { kind: "fake" } });
    expect(await file.read()).toEndWith('\n[voice.transcribe]\nkind = "fake"\n');
    if (before.includes("#")) expect(await file.read()).toContain("# both\n");
  }
});

test("a typed key is stored in a file of its part, and another key replaces it without a gap", async () => {
  const { config, keyFiles, tables, edits } = open("version = 1\n");
  await tables.put("pictures", { values: { kind: "openai" }, key: "sk-1" }, by);
  expect(config.current().pictures?.apiKey).toEqual({ kind: "file", path: "keys/media.pictures" });
  expect([...keyFiles.files]).toEqual([["keys/media.pictures", "sk-1"]]);
  await tables.put("pictures", { values: { kind: "openai" }, key: "sk-2" }, by);
  expect([...keyFiles.files]).toEqual([["keys/media.pictures-2", "sk-2"]]);
  // The reference of the present key keeps it.
  await tables.put("pictures", { values: { kind: "openai", model: "m" }, reference: "file:keys/media.pictures-2" }, by);
  expect([...keyFiles.files]).toEqual([["keys/media.pictures-2", "sk-2"]]);
  await tables.put("pictures", { values: { kind: "openai" }, reference: "env:KEY", url: undefined }, by);
  expect([...keyFiles.files]).toEqual([]);
  expect(edits.map(({ change, reference }) => [change, reference])).toEqual([
    ["added", "file:keys/media.pictures"],
    ["changed", "file:keys/media.pictures-2"],
    ["changed", "file:keys/media.pictures-2"],
    ["changed", "env:KEY"],
  ]);
  expect(JSON.stringify(edits)).not.toContain("sk-");
});

test("an edit that is refused changes neither the file nor the keys", async () => {
  const { file, keyFiles, tables, edits } = open("version = 1\n");
  await tables.put("speak", { values: { kind: "openai" }, key: "sk-1" }, by);
  const text = await file.read();
  const refusals = [
    tables.put("speak", { values: { kind: "nothing" }, key: "sk-2" }, by),
    tables.put("speak", { values: { kind: "openai" } }, by),
    tables.put("speak", { values: { kind: "openai" }, reference: "sk-typed-by-mistake" }, by),
  ];
  for (const refusal of refusals) {
    const error: unknown = await refusal.catch((cause: unknown) => cause);
    expect(isHearthError(error, "config.invalid")).toBe(true);
    expect(String(error)).not.toContain("sk-");
  }
  expect(await file.read()).toBe(text);
  expect([...keyFiles.files]).toEqual([["keys/media.speak", "sk-1"]]);
  expect(edits).toHaveLength(1);
});

test("a removed part leaves the other parts and no key, and a missing part stays missing", async () => {
  const { file, keyFiles, tables, config, edits } = open(TEXT);
  await tables.put("speak", { values: { kind: "openai" }, key: "sk-1" }, by);
  await tables.remove("speak", by);
  await tables.remove("speak", by);
  expect([...keyFiles.files]).toEqual([]);
  expect(config.current().voice?.transcribe?.kind).toBe("whisper");
  expect(await file.read()).toContain("# The server in the cellar.");
  expect(edits.map(({ table, change }) => [table, change])).toEqual([
    ["voice.speak", "added"],
    ["voice.speak", "removed"],
  ]);
});

test("a key file that another table uses is not removed", async () => {
  const { keyFiles, tables } = open(
    'version = 1\n[voice.speak]\nkind = "openai"\napi_key = "file:keys/media.pictures"\n[pictures]\nkind = "openai"\napi_key = "file:keys/media.pictures"\n',
  );
  await keyFiles.write("media.pictures", "sk-1");
  await tables.remove("pictures", by);
  expect([...keyFiles.files]).toEqual([["keys/media.pictures", "sk-1"]]);
});
