/**
 * Holds back the model's last message until the inmate's next frame, so that one sync covers the
 * message and the end of the activation.
 */
import type { Journal, Lease, Write } from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";

export interface DeferredFinalWrite {
  said(step: number, output: string): void;
  /**
   * Stores the message as an ordinary step. Not awaited: later commits of the inmate's requests
   * keep their order.
   */
  keep(): void;
  /** The write of the message, for the commit that ends the activation. */
  plan(): Promise<readonly Write[]>;
}

/** `settle` receives each write that is made separately. */
export const createDeferredFinalWrite = (options: {
  readonly journal: Pick<Journal, "done" | "planDone">;
  readonly lease: Lease;
  readonly activation: ActivationId;
  readonly settle: (write: Promise<void>) => void;
}): DeferredFinalWrite => {
  const { journal, lease, activation, settle } = options;
  let finalWrite: { readonly step: number; readonly output: string } | undefined;
  return {
    said(step, output) {
      finalWrite = { step, output };
    },
    keep() {
      if (finalWrite !== undefined) settle(journal.done(lease, activation, finalWrite.step, finalWrite.output));
      finalWrite = undefined;
    },
    async plan() {
      if (finalWrite === undefined) return [];
      const { writes } = await journal.planDone(lease, activation, finalWrite.step, finalWrite.output);
      finalWrite = undefined;
      return writes;
    },
  };
};
