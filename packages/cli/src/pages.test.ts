/** Every command line in the documentation is one that `hearth` accepts. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
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
