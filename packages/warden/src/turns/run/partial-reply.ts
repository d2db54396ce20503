/** Collects the text of a reply as its readers see it, so that a stopped turn keeps it. */
import type { DeltaEvent } from "@hearth/protocol";

export interface PartialText {
  /** Takes an event that is streamed to the activation's readers. */
  take(event: DeltaEvent): void;
  /**
   * The text of the latest round that has any. A finished reply, too, is the text of its last
   * round.
   */
  text(): string;
}

export const createPartialText = (): PartialText => {
  let text = "";
  let isRoundStart = false;
  return {
    take(event) {
      if (event.type === "restart") text = "";
      if (event.type === "round-start") isRoundStart = true;
      if (event.type !== "text-delta") return;
      text = isRoundStart ? event.text : text + event.text;
      isRoundStart = false;
    },
    text: () => text.trimEnd(),
  };
};
