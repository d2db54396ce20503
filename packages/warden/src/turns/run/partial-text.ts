/** Collects the text of a reply that the watchers have seen, so that a stopped turn keeps it. */
import type { DeltaEvent } from "@hearth/protocol";

export interface PartialText {
  /** Adds an event that was sent to the watchers. */
  add(event: DeltaEvent): void;
  /** Returns the text of the latest round with text. A finished reply is also the text of the last round. */
  text(): string;
}

export const createPartialText = (): PartialText => {
  let text = "";
  let isRoundStart = false;
  return {
    add(event) {
      if (event.type === "restart") text = "";
      if (event.type === "round-start") isRoundStart = true;
      if (event.type !== "text-delta") return;
      text = isRoundStart ? event.text : text + event.text;
      isRoundStart = false;
    },
    text: () => text.trimEnd(),
  };
};
