/** What the keys of the approvals page mean, and which presses are not meant for it. Pure. */

export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** It is still down from before. */
  readonly repeat: boolean;
}

export type KeyMeaning = "next" | "previous" | "allow" | "deny";

const meanings: Readonly<Record<string, KeyMeaning>> = {
  j: "next",
  ArrowDown: "next",
  k: "previous",
  ArrowUp: "previous",
  a: "allow",
  d: "deny",
};

/** A key that is held down walks the list, and decides nothing. */
export const meaningOf = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: Press): KeyMeaning | undefined => {
  if (ctrlKey || metaKey || altKey || shiftKey) return undefined;
  const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
  return repeat && (meaning === "allow" || meaning === "deny") ? undefined : meaning;
};

/** Two keys within this time are a word in the making, and no decision. */
export const TYPING_MS = 500;

export interface Typing {
  /** A key went down. Says whether it stands alone so far. */
  press(at: number): boolean;
}

export const createTyping = (): Typing => {
  let last: number | undefined;
  return {
    press(at) {
      const isAlone = last === undefined || at - last >= TYPING_MS;
      last = at;
      return isAlone;
    },
  };
};
