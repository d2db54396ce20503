/** Decides which key presses of the approvals page are shortcuts and which are typed text. Pure. */

export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** Whether the key is held down. */
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

/** Returns the meaning of a key press. A key that is held down only moves through the list. */
export const meaningOf = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: Press): KeyMeaning | undefined => {
  if (ctrlKey || metaKey || altKey || shiftKey) return undefined;
  const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
  return repeat && (meaning === "allow" || meaning === "deny") ? undefined : meaning;
};

/** Key presses within this time of each other count as typed text, and decide nothing. */
export const TYPING_MS = 500;

export interface TypingDetector {
  /** Records a key press. Returns whether no other key came just before it. */
  press(at: number): boolean;
}

export const createTypingDetector = (): TypingDetector => {
  let lastPressAt: number | undefined;
  return {
    press(at) {
      const isAlone = lastPressAt === undefined || at - lastPressAt >= TYPING_MS;
      lastPressAt = at;
      return isAlone;
    },
  };
};
