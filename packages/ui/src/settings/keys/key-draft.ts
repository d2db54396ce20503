/** The choices for a new API key, and the scope that they give it. Pure. */
import { type KeyScope, type Level, Place, type Right } from "@hearth/protocol";
import * as texts from "./text.ts";

/** `full`: all rights of the owner. `metrics`: only the measurements of the house. */
export type KeyAccess = "full" | "limited" | "metrics";

export interface KeyDraft {
  readonly name: string;
  readonly access: KeyAccess;
  readonly level: Level;
  readonly rights: readonly Right[];
  readonly isEverywhere: boolean;
  /** The ids of houses and rooms, if the key is not valid everywhere. */
  readonly places: ReadonlySet<string>;
  /** As typed. Empty for no limit. */
  readonly perMinute: string;
  /** 0: the key does not expire. */
  readonly days: number;
}

export const emptyDraft: KeyDraft = {
  name: "",
  access: "full",
  level: "w",
  rights: [],
  isEverywhere: true,
  places: new Set(),
  perMinute: "",
  days: 0,
};

export interface DraftErrors {
  readonly name?: string;
  readonly places?: string;
  readonly perMinute?: string;
}

const MAX_PER_MINUTE = 100_000;

/** Returns an error for each field that must change before the key can be created. */
export const errorsOf = ({ name, access, isEverywhere, places, perMinute }: KeyDraft): DraftErrors => {
  const limit = perMinute.trim();
  const isLimitWrong = limit !== "" && !(/^[1-9]\d*$/.test(limit) && Number(limit) <= MAX_PER_MINUTE);
  return {
    ...(name.trim() === "" ? { name: texts.enterAName } : {}),
    ...(access === "limited" && !isEverywhere && places.size === 0 ? { places: texts.selectAPlace } : {}),
    ...(isLimitWrong ? { perMinute: texts.wrongPerMinute } : {}),
  };
};

/** Returns the scope of the key. Undefined for a key with all rights of its owner. */
export const scopeOf = ({ access, level, rights, isEverywhere, places, ...draft }: KeyDraft): KeyScope | undefined => {
  const limit = draft.perMinute.trim();
  const perMinute = limit === "" ? {} : { perMinute: Number(limit) };
  switch (access) {
    case "full":
      return limit === "" ? undefined : { level: "x", ...perMinute };
    case "metrics":
      return { level: "r", only: "metrics", ...perMinute };
    case "limited":
      return {
        level,
        ...(isEverywhere ? {} : { on: [...places].map((id) => Place.parse(id)) }),
        // Admins have all rights.
        ...(level === "x" || rights.length === 0 ? {} : { rights: [...rights] }),
        ...perMinute,
      };
  }
};
