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
  const addElement = (index: number): void => {
    const element = text.slice(start, index).trim();
    // Only an empty array has an empty element.
    if (element !== "") elements.push(element);
    start = index + 1;
  };
  for (let index = 1; index < text.length - 1; index += 1) {
    switch (text.charAt(index)) {
      case '"':
        index = endOfString(text, index);
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
        if (depth === 0) addElement(index);
        break;
    }
  }
  addElement(text.length - 1);
  return elements;
};

const endOfString = (text: string, start: number): number => {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
  return index;
};
