/** Unsaved text of brain files, stored in this browser per file until it is saved or discarded. */
import type { Storage } from "@hearth/client";
import type { AgentId } from "@hearth/protocol";

export interface Draft {
  readonly text: string;
  /** Hash of the file when the edit started. Undefined if the file did not exist. */
  readonly hash?: string;
}

export interface Drafts {
  get(path: string): Draft | undefined;
  /** Returns whether the browser stored the draft. If it did not, the draft lasts until the page closes. */
  put(path: string, draft: Draft): boolean;
  drop(path: string): void;
  /** Paths with unsaved text. */
  paths(): readonly string[];
}

export const createDrafts = (storage: Storage, agent: AgentId): Drafts => {
  const prefix = `brain:${agent}:`;
  /** Drafts that the browser did not store. */
  const unstoredDrafts = new Map<string, Draft>();
  return {
    get: (path) => unstoredDrafts.get(path) ?? readDraft(storage.get(prefix + path)),
    put(path, draft) {
      try {
        storage.set(prefix + path, JSON.stringify(draft));
        unstoredDrafts.delete(path);
        return true;
      } catch {
        storage.remove(prefix + path);
        unstoredDrafts.set(path, draft);
        return false;
      }
    },
    drop(path) {
      unstoredDrafts.delete(path);
      storage.remove(prefix + path);
    },
    paths() {
      const storedPaths = storage
        .names()
        .flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
      return [...new Set([...storedPaths, ...unstoredDrafts.keys()])].sort();
    },
  };
};

const readDraft = (storedText: string | undefined): Draft | undefined => {
  let draft: unknown;
  try {
    draft = JSON.parse(storedText ?? "");
  } catch {
    return undefined;
  }
  if (typeof draft !== "object" || draft === null || !("text" in draft) || typeof draft.text !== "string")
    return undefined;
  const hash = "hash" in draft && typeof draft.hash === "string" ? { hash: draft.hash } : {};
  return { text: draft.text, ...hash };
};
