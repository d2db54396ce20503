/** What each activation that runs has in hand, for parts of the warden that meet it again by its name. */
import type { ActivationId } from "@hearth/protocol";
import { createHand, type Held, type OpenHand } from "./hand.ts";

export interface Hands {
  /** What it begins with. Opened again, it begins anew. `reached`: called with each host that is new to it, before anything comes from there. */
  open(activation: ActivationId, held: readonly Held[], reached?: (host: string) => Promise<void>): OpenHand;
  /** Whatever that host answers, commands of this activation may read it from now on. Durable when it resolves. */
  reach(activation: ActivationId, host: string): Promise<void>;
  /** Nothing of one that does not run. */
  of(activation: ActivationId): OpenHand | undefined;
  close(activation: ActivationId): void;
}

export const createHands = (): Hands => {
  const hands = new Map<
    ActivationId,
    { readonly hand: OpenHand; readonly reached?: (host: string) => Promise<void> }
  >();
  return {
    open(activation, held, reached) {
      const hand = createHand();
      for (const value of held) hand.take(value);
      hands.set(activation, { hand, ...(reached === undefined ? {} : { reached }) });
      return hand;
    },
    async reach(activation, host) {
      const open = hands.get(activation);
      if (open === undefined || open.hand.hosts.includes(host)) return;
      await open.reached?.(host);
      open.hand.reach(host);
    },
    of: (activation) => hands.get(activation)?.hand,
    close: (activation) => void hands.delete(activation),
  };
};
