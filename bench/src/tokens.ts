/**
 * Counts the tokens that Hearth adds to a brain's text in a first request with all tools, and the
 * share of the second request that a vendor's cache holds.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { tools } from "@hearth/protocol/tools";
import type { Bench, Figure, Finding } from "./bench.ts";
import { startHouse, writeConfig } from "./house.ts";
import { startModel } from "./model/model.ts";
import { type Wire, wires } from "./model/wires.ts";
import { type Site, temporaryFolder } from "./site.ts";
import { inCacheOrder, sharedStart, splitText } from "./sent-text.ts";

const TARGET = 1000;
const CACHED_PERCENT = 95;
const FIRST_MESSAGE = "hi";
const SECOND_MESSAGE = "and what can you do?";

type Count = (text: string) => number;

export const tokens: Bench = {
  name: "tokens",
  about: "o200k tokens of system, tools and messages for a first message, and how many the second repeats",
  async run(site) {
    const count = await loadCounter();
    if (count === undefined)
      return [{ what: "beyond the brain", skipped: "needs the development packages: run npm test once" }];
    const findings: Finding[] = [];
    for (const wire of wires) findings.push(...(await measure(site, wire, count)));
    return findings;
  },
};

/** Loads the tokenizer, a development package that an install without development tools lacks. */
const loadCounter = async (): Promise<Count | undefined> => {
  try {
    return (await import("gpt-tokenizer/encoding/o200k_base")).countTokens;
  } catch {
    return undefined;
  }
};

const measure = async (site: Site, wire: Wire, count: Count): Promise<readonly Figure[]> => {
  site.say(`tokens: ${wire}`);
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire, tools: Object.keys(tools) });
  await using house = await startHouse(site, folder.path);
  const ask = async (message: string): Promise<string> => {
    await house.client.chat("main", message);
    const { wire: used, body } = await model.lastRequest();
    if (used !== wire) throw new Error(`The request came over the ${used} wire.`);
    return body;
  };
  const body = await ask(FIRST_MESSAGE);
  const { fields, brain } = splitText(body, await readBrain(join(house.home, "brains/main")));
  const total = fields.reduce((sum, { text }) => sum + count(text), 0);
  const own = brain.reduce((sum, text) => sum + count(text), 0);
  const shares = fields.map(({ name, text }) => `${name} ${count(text)}`).join(", ");
  const [first, second] = [inCacheOrder(body), inCacheOrder(await ask(SECOND_MESSAGE))];
  const figure = { unit: "tokens", samples: 1 } as const;
  return [
    { what: `${wire}: all`, value: total, ...figure, note: `as sent JSON: ${shares}` },
    { what: `${wire}: the brain's own text`, value: own, ...figure, note: `${brain.length} files` },
    {
      what: `${wire}: beyond the brain`,
      value: total - own,
      ...figure,
      target: { atMost: TARGET },
      note: `${Object.keys(tools).length} tools, first message "${FIRST_MESSAGE}"`,
    },
    {
      what: `${wire}: second request, cached`,
      value: (100 * count(sharedStart(first, second))) / count(second),
      unit: "%",
      samples: 1,
      target: { atLeast: CACHED_PERCENT },
      note: "of its tokens, in the order of the vendors' caches",
    },
  ];
};

/** Reads the brain's files from the agent's folder. */
const readBrain = async (folder: string): Promise<readonly string[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
};
