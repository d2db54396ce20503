import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeLog } from "../log/log.ts";
import { createMemoryConfigFile } from "./file.ts";
import { followConfigFile } from "./follow-file.ts";
import { parseConfig } from "./read.ts";
import { createConfigSource } from "./source.ts";

const TEXT = "version = 1\n";
const withProvider = (name: string): string => `${TEXT}[providers.${name}]\nkind = "openai"\n`;

const open = async () => {
  const { clock, ...world } = createFakeWorld({ hash: createBunWorld().hash });
  const log = createFakeLog();
  const file = createMemoryConfigFile(TEXT);
  const config = createConfigSource(file, parseConfig(TEXT, file.name));
  const closing = new AbortController();
  const following = followConfigFile({ clock, log, file, config }, closing.signal);
  await world.advance(0);
  const end = async (): Promise<void> => {
    closing.abort();
    await following;
  };
  return { file, config, log, end, seconds: (count: number) => world.advance(count * 1000) };
};

const names = (config: { current(): { providers: ReadonlyMap<string, unknown> } }): readonly string[] => [
  ...config.current().providers.keys(),
];

test("a change is applied within two seconds, once the text stays the same", async () => {
  const { file, config, log, seconds, end } = await open();
  await file.write(withProvider("one"));
  await seconds(1);
  expect(names(config)).toEqual([]);
  await file.write(withProvider("two"));
  await seconds(1);
  expect(names(config)).toEqual([]);
  await seconds(1);
  expect(names(config)).toEqual(["two"]);
  await seconds(5);
  expect(log.lines.filter((line) => line.includes("read again"))).toHaveLength(1);
  await end();
});

test("an invalid text is reported once, and the next valid one is applied", async () => {
  const { file, config, log, seconds, end } = await open();
  await file.write("[providers.one]\nkind = 3\n");
  await seconds(5);
  expect(names(config)).toEqual([]);
  expect(log.lines.filter((line) => line.includes("is not valid"))).toHaveLength(1);
  await file.write(withProvider("one"));
  await seconds(2);
  expect(names(config)).toEqual(["one"]);
  await end();
});
