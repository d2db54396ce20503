/** Browser storage with a prefix, because several programs may share one origin. */
import { createMemoryStorage, type Storage } from "@hearth/client";

const PREFIX = "hearth:";

/** The used part of `localStorage`. */
export type TextStorage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export interface BrowserStorageOptions {
  /** Opens `localStorage`. Throws if the browser denies storage. */
  readonly open: () => TextStorage;
  /** Calls back with the key that another tab changed; null if it cleared the storage. */
  readonly onChangeInOtherTab: (listener: (name: string | null) => void) => () => void;
}

/** Stores texts in the browser. If the browser denies storage, values last until the page closes. */
export const createBrowserStorage = ({ open, onChangeInOtherTab }: BrowserStorageOptions): Storage => {
  const local = openIfUsable(open);
  if (local === undefined) return createMemoryStorage();
  return {
    get: (name) => local.getItem(PREFIX + name) ?? undefined,
    set: (name, text) => local.setItem(PREFIX + name, text),
    remove: (name) => local.removeItem(PREFIX + name),
    names: () =>
      Array.from({ length: local.length }, (_, index) => local.key(index) ?? "")
        .filter((name) => name.startsWith(PREFIX))
        .map((name) => name.slice(PREFIX.length)),
    onChange: (listener) =>
      onChangeInOtherTab((name) => {
        if (name === null || name.startsWith(PREFIX)) listener();
      }),
  };
};

const openIfUsable = (open: () => TextStorage): TextStorage | undefined => {
  try {
    const local = open();
    // Some browsers return a storage object that throws on use.
    local.getItem(PREFIX);
    return local;
  } catch {
    return undefined;
  }
};
