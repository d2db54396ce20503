/** What a browser keeps for a site, under names of Hearth's own: at one address several programs may live in turn. */
import { createMemoryStorage, type Storage } from "@hearth/client";

const PREFIX = "hearth:";

/** What is used of `localStorage`. */
export type KeptTexts = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export interface BrowserStorageOptions {
  /** Throws where a person lets no site keep anything. */
  readonly open: () => KeptTexts;
  /** Calls back with the name that another tab changed, or null when it threw away everything. */
  readonly onOther: (listener: (name: string | null) => void) => () => void;
}

/** Where nothing may be kept, everything holds until the page closes. */
export const createBrowserStorage = ({ open, onOther }: BrowserStorageOptions): Storage => {
  const kept = openKept(open);
  if (kept === undefined) return createMemoryStorage();
  return {
    get: (name) => kept.getItem(PREFIX + name) ?? undefined,
    set: (name, text) => kept.setItem(PREFIX + name, text),
    remove: (name) => kept.removeItem(PREFIX + name),
    names: () =>
      Array.from({ length: kept.length }, (_, index) => kept.key(index) ?? "")
        .filter((name) => name.startsWith(PREFIX))
        .map((name) => name.slice(PREFIX.length)),
    onChange: (listener) =>
      onOther((name) => {
        if (name === null || name.startsWith(PREFIX)) listener();
      }),
  };
};

const openKept = (open: () => KeptTexts): KeptTexts | undefined => {
  try {
    const kept = open();
    // Some browsers give it and then refuse each use.
    kept.getItem(PREFIX);
    return kept;
  } catch {
    return undefined;
  }
};
