/** The titles and risks of tools. The words are in their declarations (`packages/protocol/src/tools`). */
import type { SettingWords } from "@hearth/protocol/tool-words";
import { settingWords } from "@hearth/protocol/tool-words" with { type: "macro" };

export const risks = {
  private: "Reads private data",
  strangers: "Reads text by strangers",
  leaves: "Sends data out of the house",
  files: "Changes files",
  people: "Reaches other people",
  cost: "Costs money",
} as const;

const words = new Map(Object.entries(settingWords()));

/** Returns what the settings say of a tool. Undefined for an external tool. */
export const toolTexts = (name: string): SettingWords | undefined => words.get(name);
