/** Parts of the prompt that change within a day → messages right before what is to be answered, so that all before them stays cached. */
import type { UserMessage } from "@hearth/protocol";
import { type ContextPart, LIST } from "./parts.ts";

export const toLateMessages = (parts: readonly ContextPart[]): readonly UserMessage[] =>
  parts.filter(({ place }) => place === "late").map(({ name, text }) => ({ role: "user", text, note: noteOn(name) }));

const noteOn = (name: string): string =>
  name === LIST ? "HEARTBEAT.md of your brain: what to look at now" : `your own log, ${name}: for you to know`;
