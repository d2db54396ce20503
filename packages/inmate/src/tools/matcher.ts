/**
 * Runs an automaton over text, with one step per character. It caches computed steps, so that most
 * steps are a table lookup (a lazily built DFA).
 */
import type { Automaton } from "./regex.ts";

export interface Matcher {
  /** Returns the end of the match that ends first, or -1. `text` is one line: `^` and `$` match at its ends. */
  find(text: string): number;
}

/** Maximum size of the cache. It is cleared at this size, so that memory is bounded. */
const MAX_EDGES = 20_000;

/**
 * The automaton's position before a character: its active states, and the kind of the previous
 * character.
 */
interface CachedState {
  readonly states: readonly number[];
  readonly before: "start" | "word" | "other";
  /**
   * The edges of ASCII characters, by code. Most text is ASCII, and a table is several times faster
   * than a map.
   */
  readonly asciiEdges: (CachedState | undefined)[];
  readonly otherEdges: Map<string, CachedState>;
}

/** The empty text represents the end of the text. */
const END_OF_TEXT = "";
const ASCII_SIZE = 128;
/** The position after a match, which ends the search. It has no edges. */
const MATCHED: CachedState = { states: [], before: "other", asciiEdges: [], otherEdges: new Map() };

export const createMatcher = (automaton: Automaton): Matcher => {
  const { states } = automaton;
  let cachedStates = new Map<string, CachedState>();
  let edgeCount = 0;

  const stateFor = (indexes: readonly number[], before: CachedState["before"]): CachedState => {
    const key = `${before} ${indexes.join(" ")}`;
    const existing = cachedStates.get(key);
    if (existing !== undefined) return existing;
    const asciiEdges = Array<CachedState | undefined>(ASCII_SIZE).fill(undefined);
    const cached: CachedState = { states: indexes, before, asciiEdges, otherEdges: new Map() };
    cachedStates.set(key, cached);
    return cached;
  };

  let initial = stateFor([], "start");

  /**
   * Follows transitions that consume no character, between `before` and `next`. A match can begin
   * at any position.
   */
  const epsilonClosure = (
    cached: CachedState,
    nextState: string,
  ): { readonly consumingIndexes: readonly number[]; readonly accepted: boolean } => {
    const wordBefore = cached.before === "word";
    const wordNext = isWord(nextState);
    const assertions = {
      start: cached.before === "start",
      end: nextState === END_OF_TEXT,
      word: wordBefore !== wordNext,
      "not-word": wordBefore === wordNext,
    };
    const visited = new Set<number>();
    const consumingIndexes: number[] = [];
    const pendingIndexes = [...cached.states, automaton.start];
    let isAccepted = false;
    for (let index = pendingIndexes.pop(); index !== undefined; index = pendingIndexes.pop()) {
      if (visited.has(index)) continue;
      visited.add(index);
      const state = states[index];
      if (state?.op === "accept") isAccepted = true;
      else if (state?.op === "one") consumingIndexes.push(index);
      else if (state?.op === "split") pendingIndexes.push(...state.next);
      else if (state?.op === "assert" && assertions[state.at]) pendingIndexes.push(state.next);
    }
    return { consumingIndexes, accepted: isAccepted };
  };

  const follow = (cached: CachedState, character: string): CachedState => {
    const { consumingIndexes, accepted } = epsilonClosure(cached, character);
    if (accepted) return MATCHED;
    const nextIndexes = new Set<number>();
    for (const index of consumingIndexes) {
      const state = states[index];
      if (state?.op === "one" && character !== END_OF_TEXT && state.test(character)) nextIndexes.add(state.next);
    }
    return stateFor(
      [...nextIndexes].sort((a, b) => a - b),
      isWord(character) ? "word" : "other",
    );
  };

  /** Computes an edge that is not cached, and caches it. */
  const step = (cached: CachedState, character: string): CachedState => {
    edgeCount += 1;
    if (edgeCount > MAX_EDGES) {
      cachedStates = new Map();
      edgeCount = 0;
      initial = stateFor([], "start");
      // Old states are no longer in the map, so the garbage collector frees them with their edges.
      return follow(cached, character);
    }
    const edge = follow(cached, character);
    const code = character.charCodeAt(0);
    if (code < ASCII_SIZE) cached.asciiEdges[code] = edge;
    else cached.otherEdges.set(character, edge);
    return edge;
  };

  const nextState = (cached: CachedState, character: string): CachedState =>
    cached.otherEdges.get(character) ?? step(cached, character);

  return {
    find(text) {
      let cached = initial;
      let position = 0;
      while (position < text.length) {
        const code = text.charCodeAt(position);
        const edge = code < ASCII_SIZE ? cached.asciiEdges[code] : undefined;
        if (edge !== undefined) {
          if (edge === MATCHED) return position;
          cached = edge;
          position += 1;
          continue;
        }
        const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
        cached = code < ASCII_SIZE ? step(cached, character) : nextState(cached, character);
        if (cached === MATCHED) return position;
        position += character.length;
      }
      return nextState(cached, END_OF_TEXT) === MATCHED ? position : -1;
    },
  };
};

const isWord = (character: string): boolean => /^\w$/.test(character);
