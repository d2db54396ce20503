/**
 * Makes the audio of messages that are read aloud. The audio of a text is made once and kept for as
 * long as deliveries.
 */
import type { Row, Blobs, Store } from "../../kernel/index.ts";
import type { Voice } from "../../models/index.ts";
import type { Policy } from "../../policy/index.ts";
import { type EventId, HearthError, type RoomId, type World } from "@hearth/protocol";
import { toSpoken } from "./spoken-text.ts";

export interface KeptSpeech {
  readonly bytes: Uint8Array;
  readonly type: string;
  /** Hash of the text and the voice. */
  readonly hash: string;
}

export interface Speeches {
  /**
   * Returns the audio of a message of the room, or undefined if the house has no speaker. Throws
   * `provider.*`, `budget.spent`, and `provider.refused` for a message without words.
   */
  of(room: RoomId, message: { readonly id: EventId; readonly text: string }): Promise<KeptSpeech | undefined>;
}

export interface SpeechesOptions {
  readonly kernel: {
    readonly store: Store;
    readonly blobs: Blobs;
    readonly world: World;
    readonly signal: AbortSignal;
  };
  readonly voice: Pick<Voice, "speech">;
  readonly admitHomeCost: Policy["admitHomeCost"];
}

export const createSpeeches = ({ kernel, voice, admitHomeCost }: SpeechesOptions): Speeches => {
  const { store, blobs, world, signal } = kernel;
  const pendingCreations = new Map<string, Promise<KeptSpeech>>();

  const find = async (event: EventId, hash: string): Promise<KeptSpeech | undefined> => {
    const [row] = await store.select({ table: "speeches", where: { event } });
    if (row?.hash !== hash) return undefined;
    const bytes = await blobs.get(row.blob);
    return bytes === undefined ? undefined : { bytes, type: row.type, hash };
  };

  return {
    async of(room, { id: event, text }) {
      const spoken = toSpoken(text);
      if (spoken === "") throw new HearthError("provider.refused", "The message has no words to read aloud.");
      const prepared = await voice.speech(spoken);
      if (prepared === undefined) return undefined;
      const hash = world.hash(JSON.stringify([prepared.name, spoken]));
      const make = async (): Promise<KeptSpeech> => {
        const existing = await find(event, hash);
        if (existing !== undefined) return existing;
        const admission = await admitHomeCost({ costAtMost: prepared.maxCost, model: prepared.name, kind: "voice" });
        if (admission.kind === "stop")
          throw new HearthError(
            "budget.spent",
            admission.text,
            admission.hint === undefined ? {} : { hint: admission.hint },
          );
        try {
          const { bytes, type } = await prepared.run(signal);
          const blob = await blobs.put(bytes);
          const row: Row<"speeches"> = { event, room, hash, blob, size: bytes.length, type, at: world.clock.now() };
          const removal = world.ids.derive("evt", event, "deleted");
          // A deleted message leaves no audio.
          await store.commit({
            guards: [{ kind: "absent", table: "events", where: { stream: `room:${room}`, id: removal } }],
            writes: [{ kind: "put", table: "speeches", row }],
          });
          return { bytes, type, hash };
        } finally {
          admission.settle(prepared.maxCost);
        }
      };
      const name = `${event} ${hash}`;
      const creation = pendingCreations.get(name) ?? make().finally(() => pendingCreations.delete(name));
      pendingCreations.set(name, creation);
      return creation;
    },
  };
};
