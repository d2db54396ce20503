/**
 * Assigns numbers to terms. A number is used once: a term that returns after it was removed gets
 * another number.
 */
import { createGrowableArray } from "./growing.ts";

/** A chunk's terms. */
interface ChunkTerms {
  readonly terms: readonly number[];
}

export interface Vocabulary {
  get(term: string): number | undefined;
  add(term: string, id: number): void;
  /** Assigns numbers to unknown terms. They take effect when they are added. */
  draft(): { readonly terms: ReadonlyMap<string, number>; idOf(term: string): number };
  /** `use` increments the number of chunks of each term, and `unuse` decrements it. */
  use(terms: readonly number[]): void;
  unuse(terms: readonly number[]): void;
  /** Returns the terms that no chunk has after the chunks of `removed` are removed and those of `added` are added. */
  unused(removed: readonly ChunkTerms[], added?: readonly ChunkTerms[]): readonly number[];
  forget(term: string): void;
}

export const createVocabulary = (): Vocabulary => {
  const ids = new Map<string, number>();
  const uses = createGrowableArray((length) => new Uint32Array(length));
  let nextId = 1;
  return {
    get: (term) => ids.get(term),
    add(term, id) {
      ids.set(term, id);
      uses.reserve(id + 1);
      nextId = Math.max(nextId, id + 1);
    },
    draft() {
      const terms = new Map<string, number>();
      return {
        terms,
        idOf(term) {
          const existing = ids.get(term) ?? terms.get(term);
          if (existing !== undefined) return existing;
          const id = nextId + terms.size;
          terms.set(term, id);
          return id;
        },
      };
    },
    use(terms) {
      for (const term of terms) uses.array[term] = (uses.array[term] ?? 0) + 1;
    },
    unuse(terms) {
      for (const term of terms) uses.array[term] = (uses.array[term] ?? 0) - 1;
    },
    unused(removed, added = []) {
      const remainingUses = new Map<number, number>();
      for (const { terms } of removed) {
        for (const term of terms) remainingUses.set(term, (remainingUses.get(term) ?? uses.array[term] ?? 0) - 1);
      }
      for (const { terms } of added) for (const term of terms) remainingUses.delete(term);
      return [...remainingUses].filter(([, count]) => count === 0).map(([term]) => term);
    },
    forget: (term) => void ids.delete(term),
  };
};
