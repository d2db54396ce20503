/**
 * The texts and risks that people see of built-in tools, by the tool's name. The build of the UI
 * evaluates these functions as macros, so that a page loads neither schemas nor other words.
 */
import { tools } from "./index.ts";
import type { CallWords, SettingWords, ToolWords } from "./tool.ts";

export type { CallWords, SettingWords } from "./tool.ts";

export type WordTable<Words> = Readonly<Record<string, Words>>;

/** Returns the words that the page of a run shows for calls, by tool. */
export const callWords = (): WordTable<CallWords> =>
  mapWords(({ title: _title, summary: _summary, group: _group, risks: _risks, ...call }) => call);

/** Returns the words that the settings of an agent show for tools, by tool. */
export const settingWords = (): WordTable<SettingWords> =>
  mapWords(({ title, summary, group, risks }) => ({ title, summary, group, risks }));

const mapWords = <Words>(map: (words: ToolWords) => Words): WordTable<Words> =>
  Object.fromEntries(Object.values(tools).map(({ name, words }) => [name, map(words)]));
