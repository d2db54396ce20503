/** The taints of running activations, by activation id. */
import type { ActivationId } from "@hearth/protocol";
import { createTurnTaint, type LabelledValue, type OpenTurnTaint } from "./turn-taint.ts";

export interface TurnTaints {
  /** Opens or reopens a taint with its initial values. */
  open(activation: ActivationId, values: readonly LabelledValue[]): OpenTurnTaint;
  /**
   * Sets a listener that is called with each new host of an open taint, before the activation
   * reads a response of the host.
   */
  onReach(activation: ActivationId, onHost: (host: string) => Promise<void>): void;
  /**
   * Records that commands of this activation may read this host's responses. Durable when the
   * promise resolves.
   */
  reach(activation: ActivationId, host: string): Promise<void>;
  /** Returns the taint, or undefined if the activation does not run. */
  of(activation: ActivationId): OpenTurnTaint | undefined;
  close(activation: ActivationId): void;
}

export const createTurnTaints = (): TurnTaints => {
  const taints = new Map<ActivationId, { readonly taint: OpenTurnTaint; onHost?: (host: string) => Promise<void> }>();
  return {
    open(activation, values) {
      const taint = createTurnTaint();
      for (const value of values) taint.add(value);
      taints.set(activation, { taint });
      return taint;
    },
    onReach(activation, onHost) {
      const entry = taints.get(activation);
      if (entry !== undefined) entry.onHost = onHost;
    },
    async reach(activation, host) {
      const entry = taints.get(activation);
      if (entry === undefined || entry.taint.hosts.includes(host)) return;
      await entry.onHost?.(host);
      entry.taint.reach(host);
    },
    of: (activation) => taints.get(activation)?.taint,
    close: (activation) => void taints.delete(activation),
  };
};
