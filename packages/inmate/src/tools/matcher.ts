/**
 * Runs an automaton over text, with one step per character for every pattern. Computed steps are
 * cached (a lazily built DFA), so most steps are a table lookup.
 */
import type { Automaton } from "./regex.ts";

export interface Matcher {
  /**
   * The end of the match that ends first, or -1. `text` is one line: `^` and `$` match at its ends.
   */
  find(text: string): number;
}

/** The cache is cleared at this size, so that memory is bounded. */
const MAX_EDGES = 20_000;

type Edge = "match" | Place;

/**
 * The automaton's position before a character: its active states, and the kind of the previous
 * character.
 */
interface Place {
  readonly states: readonly number[];
  readonly before: "start" | "word" | "other";
  readonly edges: Map<string, Edge>;
}

/** Represents the end of the text; no character is empty. */
const END = "";

export const createMatcher = (automaton: Automaton): Matcher => {
  const { states } = automaton;
  let places = new Map<string, Place>();
  let edgeCount = 0;

  const placeOf = (list: readonly number[], before: Place["before"]): Place => {
    const key = `${before} ${list.join(" ")}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    const place: Place = { states: list, before, edges: new Map() };
    places.set(key, place);
    return place;
  };

  /**
   * Follows transitions that consume no character, between `before` and `next`. A match can begin
   * at any position.
   */
  const reach = (place: Place, next: string): { readonly ones: readonly number[]; readonly accepted: boolean } => {
    const wordBefore = place.before === "word";
    const wordNext = isWord(next);
    const holds = {
      start: place.before === "start",
      end: next === END,
      word: wordBefore !== wordNext,
      "not-word": wordBefore === wordNext,
    };
    const seen = new Set<number>();
    const ones: number[] = [];
    const open = [...place.states, automaton.start];
    let accepted = false;
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const state = states[index];
      if (state?.op === "accept") accepted = true;
      else if (state?.op === "one") ones.push(index);
      else if (state?.op === "split") open.push(...state.next);
      else if (state?.op === "assert" && holds[state.at]) open.push(state.next);
    }
    return { ones, accepted };
  };

  const follow = (place: Place, character: string): Edge => {
    const { ones, accepted } = reach(place, character);
    if (accepted) return "match";
    const after = new Set<number>();
    for (const index of ones) {
      const state = states[index];
      if (state?.op === "one" && character !== END && state.test(character)) after.add(state.next);
    }
    return placeOf(
      [...after].sort((a, b) => a - b),
      isWord(character) ? "word" : "other",
    );
  };

  const step = (place: Place, character: string): Edge => {
    const known = place.edges.get(character);
    if (known !== undefined) return known;
    edgeCount += 1;
    if (edgeCount > MAX_EDGES) {
      places = new Map();
      edgeCount = 0;
      // Old places, which are no longer in the map, are collected with their edges.
      return follow(place, character);
    }
    const edge = follow(place, character);
    place.edges.set(character, edge);
    return edge;
  };

  return {
    find(text) {
      let place = placeOf([], "start");
      let at = 0;
      for (const character of text) {
        const edge = step(place, character);
        if (edge === "match") return at;
        place = edge;
        at += character.length;
      }
      return step(place, END) === "match" ? at : -1;
    },
  };
};

const isWord = (character: string): boolean => /^\w$/.test(character);
