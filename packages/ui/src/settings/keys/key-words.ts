/** Descriptions of the scope of an API key. Pure. */
import type { KeyInfo } from "@hearth/protocol";
import { formatList } from "../../language/locale.ts";
import { levelTitles, rightTitles } from "../access/level-words.ts";
import * as texts from "./text.ts";

/** Describes how a key is restricted compared to its owner. `names` has the places that the user can see. */
export const describeScope = ({ scope }: Pick<KeyInfo, "scope">, names: ReadonlyMap<string, string>): string => {
  if (scope === undefined) return texts.fullAccess;
  const { level, on, rights = [], only, perMinute } = scope;
  const isFull = level === "x" && on === undefined;
  return [
    only === "metrics" ? texts.metricsOnly : isFull ? texts.fullAccess : texts.atMost(levelTitles[level]),
    ...(on === undefined ? [] : [texts.onlyIn(describePlaces(on, names))]),
    ...rights.map((right) => rightTitles[right]),
    ...(perMinute === undefined ? [] : [texts.perMinute(perMinute)]),
  ].join(" · ");
};

const describePlaces = (on: readonly string[], names: ReadonlyMap<string, string>): string => {
  const visibleNames = on.flatMap((place) => names.get(place) ?? []);
  const hiddenCount = on.length - visibleNames.length;
  return formatList(hiddenCount === 0 ? visibleNames : [...visibleNames, texts.otherPlaces(hiddenCount)]);
};
