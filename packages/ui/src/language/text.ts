/** User-facing texts that several folders and the command line share, and the language of all texts. */
export { describeFix, describeSources, queueWords, showMoney, showSize } from "@hearth/protocol";
export { toolWords } from "@hearth/protocol/tool-words";

/** The language code of these texts. */
export const language: string = "en";
