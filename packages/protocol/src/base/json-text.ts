/** Validates untrusted JSON before it is parsed: limits nesting and rejects invalid Unicode. */
import { HearthError } from "./error.ts";

/** Maximum nesting depth of a request's JSON. */
export const MAX_JSON_DEPTH = 64;

/** Checks JSON. Throws `request.invalid` if it is nested too deeply or has text that databases cannot store. */
export const checkJson = (text: string): void => {
  checkDepth(text);
  if (SURROGATE.test(text) && SURROGATE.test(JSON.stringify(parseJson(text)))) {
    throw new HearthError("request.invalid", "The JSON contains an unpaired surrogate, which is not valid Unicode.");
  }
};

/** An escaped surrogate. `JSON.stringify` escapes only unpaired ones. */
const SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

/** Parses JSON. Throws `request.invalid` if it is not valid. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new HearthError("request.invalid", "The body is not valid JSON.");
  }
};

const checkDepth = (text: string): void => {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
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

/** Returns the index of the closing quote, or the length of an unterminated text. */
const endOfString = (text: string, start: number): number => {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) return index;
  }
  return text.length;
};
