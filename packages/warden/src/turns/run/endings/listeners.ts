/** Finds the people who hear a reply, by their own choice. */
import type { Kernel } from "../../../kernel/index.ts";
import type { VoiceChoiceBook } from "../../../people/index.ts";
import { type AgentId, type EventId, isAudioType, type RoomId } from "@hearth/protocol";

export interface ListenersOptions {
  readonly kernel: Pick<Kernel, "store" | "streams">;
  readonly voiceChoices: Pick<VoiceChoiceBook, "of">;
}

/** The messages that the reply answers and whose authors hear it. */
export interface Listeners {
  readonly causes: readonly EventId[];
  /**
   * The authors of the causes that did not come from a channel. They hear the reply in the room, so
   * the room does not play what a person hears in another chat.
   */
  readonly people: readonly AgentId[];
}

const NO_LISTENERS: Listeners = { causes: [], people: [] };

export const findListeners = async (
  { kernel: { store, streams }, voiceChoices }: ListenersOptions,
  room: RoomId,
  causes: readonly EventId[],
): Promise<Listeners> => {
  const listenedCauses: { readonly cause: EventId; readonly author: AgentId }[] = [];
  for (const cause of causes) {
    const message = await streams.find(`room:${room}`, cause);
    // The prompt of a job was not written for this reply, so its owner is not listening.
    if (message?.type !== "message" || message.job !== undefined) continue;
    const choice = await voiceChoices.of(message.author);
    const isVoiceNote = message.attachments?.some(({ type }) => isAudioType(type)) === true;
    if (choice === "never" || (choice === "voice-notes" && !isVoiceNote)) continue;
    listenedCauses.push({ cause, author: message.author });
  }
  if (listenedCauses.length === 0) return NO_LISTENERS;
  const inbound = await store.select({ table: "inbound", and: [{ column: "event", is: "in", value: causes }] });
  const causesFromRoom = listenedCauses.filter(({ cause }) => !inbound.some(({ event }) => event === cause));
  return {
    causes: listenedCauses.map(({ cause }) => cause),
    people: [...new Set(causesFromRoom.map(({ author }) => author))],
  };
};
