/** German titles and risks of tools. */
import type { SettingWords } from "@hearth/protocol/tool-words";
import { settingWords } from "@hearth/protocol/tool-words" with { type: "macro" };
import { germanSettingWords } from "../tools.de.ts" with { type: "macro" };

export const risks = {
  private: "Liest private Daten",
  strangers: "Liest Text von Fremden",
  leaves: "Sendet Daten aus dem Haus",
  files: "Ändert Dateien",
  people: "Erreicht andere Personen",
  cost: "Kostet Geld",
} as const;

const words = new Map(Object.entries(settingWords()));
const german = new Map(Object.entries(germanSettingWords()));

export const toolTexts = (name: string): SettingWords | undefined => {
  const inEnglish = words.get(name);
  return inEnglish === undefined ? undefined : { ...inEnglish, ...german.get(name) };
};
