/** User-facing texts that several folders and the command line share, and the language of all texts. */
export { describeSources, queueWords, showMoney, showSize } from "@hearth/protocol";
export { describeFix } from "@hearth/protocol/api";
import type { CallWords } from "@hearth/protocol/tool-words";
import { callWords } from "@hearth/protocol/tool-words" with { type: "macro" };

/** The language code of these texts. */
export const language: string = "en";

const words = new Map(Object.entries(callWords()));

/** Returns the words for calls of the tool. Undefined for an external tool. */
export const toolWords = (name: string): CallWords | undefined => words.get(name);
