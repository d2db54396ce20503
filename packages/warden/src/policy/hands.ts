/** What each activation that runs has in hand, for parts of the warden that meet it again by its name. */
import type { ActivationId } from "@hearth/protocol";
import { createHand, type Held, type OpenHand } from "./hand.ts";

export interface Hands {
  /** What it begins with. Opened again, it begins anew. */
  open(activation: ActivationId, held: readonly Held[]): OpenHand;
  /** Nothing of one that does not run. */
  of(activation: ActivationId): OpenHand | undefined;
  close(activation: ActivationId): void;
}

export const createHands = (): Hands => {
  const hands = new Map<ActivationId, OpenHand>();
  return {
    open(activation, held) {
      const hand = createHand();
      for (const value of held) hand.take(value);
      hands.set(activation, hand);
      return hand;
    },
    of: (activation) => hands.get(activation),
    close: (activation) => void hands.delete(activation),
  };
};
