/** Collects the text of a reply as its readers see it, so that a stopped turn keeps it. */
import type { DeltaEvent } from "@hearth/protocol";

export interface PartialText {
  /** Takes what is streamed to the readers of the activation. */
  take(event: DeltaEvent): void;
  /** The text of the newest round that has any, as a finished reply has only its last round's. */
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
