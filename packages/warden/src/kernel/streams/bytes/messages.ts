/**
 * Splits posted JSON into messages. An array is flattened once. The original text is kept,
 * including the digits of numbers.
 */
import { HearthError } from "@hearth/protocol";
import { MAX_MESSAGES } from "./byte-streams.ts";

/**
 * Returns the messages. Throws `request.invalid` if the bytes are not JSON, and `request.too-large`
 * for too many messages.
 */
export const splitMessages = (bytes: Uint8Array): readonly string[] => {
  const text = decode(bytes).trim();
  if (!Array.isArray(parse(text))) return [text];
  const messages = splitArray(text);
  if (messages.length > MAX_MESSAGES) {
    throw new HearthError("request.too-large", `One append can have at most ${MAX_MESSAGES} messages.`);
  }
  return messages;
};

const decoder = new TextDecoder("utf-8", { fatal: true });

const decode = (bytes: Uint8Array): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new HearthError("request.invalid", "The body is not valid UTF-8.");
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new HearthError("request.invalid", "The body is not valid JSON.");
  }
};

/** Returns the elements of a valid array, with their original text. */
const splitArray = (text: string): readonly string[] => {
  const elements: string[] = [];
  let depth = 0;
  let start = 1;
  const end = (at: number): void => {
    const element = text.slice(start, at).trim();
    // Only an empty array has an empty element.
    if (element !== "") elements.push(element);
    start = at + 1;
  };
  for (let at = 1; at < text.length - 1; at += 1) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case "[":
      case "{":
        depth += 1;
        break;
      case "]":
      case "}":
        depth -= 1;
        break;
      case ",":
        if (depth === 0) end(at);
        break;
    }
  }
  end(text.length - 1);
  return elements;
};

const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
};
