/**
 * Every command line in the documentation is one that `hearth` accepts, and every command that a text
 * of the source names exists.
 */
import { expect, test } from "bun:test";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "./args/parse.ts";
import { commands } from "./commands.ts";

const ROOT = join(import.meta.dir, "../../..");
const pages = [
  join(ROOT, "README.md"),
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(ROOT, "docs", name)),
];

/** Lines of code blocks that begin with `hearth`, without comments and redirections. */
const linesIn = (path: string): readonly string[] =>
  [...readFileSync(path, "utf8").matchAll(/^```\w*\n(.*?)^```$/gms)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .flatMap((line) => line.replace(/ +[#<>].*$/, "").split(" && "))
    .filter((line) => /^(\.\/)?hearth /.test(line));

/** `a|b` in a page stands for two commands. */
const alternatives = (line: string): readonly string[] => {
  const [words = ""] = /\b\w+(\|[\w-]+)+/.exec(line) ?? [];
  return words === "" ? [line] : words.split("|").map((word) => line.replace(words, word));
};

/** The words of a line. Quotes keep spaces. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** Throws `UsageError` for a line that the command would not accept. */
const accept = async (line: string): Promise<void> => {
  const [, name = "", ...rest] = wordsOf(line);
  const loaded = await commands[name]?.load();
  if (loaded === undefined) throw new Error(`unknown command ${name}`);
  if (loaded.kind === "command") return void parse(rest, loaded);
  const [verb = ""] = rest;
  const named = Object.hasOwn(loaded.verbs, verb) ? loaded.verbs[verb] : undefined;
  const command = named ?? loaded.defaultCommand;
  if (command === undefined) throw new Error(`unknown verb ${verb}`);
  parse(named === undefined ? rest : rest.slice(1), command);
};

test("every command line in a code block of the documentation is accepted", async () => {
  const refused: string[] = [];
  let count = 0;
  for (const page of pages)
    for (const line of linesIn(page).flatMap(alternatives)) {
      count += 1;
      await accept(line).catch((error: unknown) => refused.push(`${page}: ${line}: ${String(error)}`));
    }
  expect(refused).toEqual([]);
  expect(count).toBeGreaterThan(50);
});

/** `hearth NAME` or `hearth NAME VERB` after a colon or a backquote, as hints write a command. */
const NAMED = /(?:: |`)hearth (?!help\b)([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g;

test("every command that a text of the source names exists", async () => {
  const unknown: string[] = [];
  let count = 0;
  const files = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: ROOT }).filter((path) => !path.includes(".test."));
  for (const path of files)
    for (const [text, name = "", verb] of readFileSync(join(ROOT, path), "utf8").matchAll(NAMED)) {
      count += 1;
      const loaded = Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
      const hasVerb =
        loaded?.kind !== "group" ||
        verb === undefined ||
        loaded.defaultCommand !== undefined ||
        Object.hasOwn(loaded.verbs, verb);
      if (loaded === undefined || !hasVerb) unknown.push(`${path}: ${text}`);
    }
  expect(unknown).toEqual([]);
  expect(count).toBeGreaterThan(200);
});
