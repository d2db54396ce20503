/** JSON that a stranger wrote, before anything is built of it: not deep, and text that is text. */
import { HearthError } from "./error.ts";

/** Deepest JSON that a request may carry. */
export const MAX_JSON_DEPTH = 64;

/** Throws if a parser would have to build something very deep, or text that no database keeps. */
export const checkJson = (text: string): void => {
  checkDepth(text);
  if (SURROGATE.test(text) && SURROGATE.test(JSON.stringify(parseJson(text)))) {
    throw new HearthError("request.invalid", "The JSON holds half of a surrogate pair, which is not text.");
  }
};

/** An escape of a surrogate. What is written by `JSON.stringify` has them for lone ones alone. */
const SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** Throws `request.invalid`. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new HearthError("request.invalid", "The body is not valid JSON.");
  }
};

const checkDepth = (text: string): void => {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        if (depth > MAX_JSON_DEPTH) {
          throw new HearthError("request.invalid", `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.`);
        }
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
    }
  }
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The index of the closing quote, or of the end when there is none. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
};
