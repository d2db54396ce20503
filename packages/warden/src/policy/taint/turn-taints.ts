/** What each activation that runs has in hand, for parts of the warden that meet it again by its name. */
import type { ActivationId } from "@hearth/protocol";
import { createTurnTaint, type LabelledValue, type OpenTurnTaint } from "./turn-taint.ts";

export interface TurnTaints {
  /** What it begins with. Opened again, it begins anew. `reached`: called with each host that is new to it, before anything comes from there. */
  open(
    activation: ActivationId,
    held: readonly LabelledValue[],
    reached?: (host: string) => Promise<void>,
  ): OpenTurnTaint;
  /** Whatever that host answers, commands of this activation may read it from now on. Durable when it resolves. */
  reach(activation: ActivationId, host: string): Promise<void>;
  /** Nothing of one that does not run. */
  of(activation: ActivationId): OpenTurnTaint | undefined;
  close(activation: ActivationId): void;
}

export const createTurnTaints = (): TurnTaints => {
  const taints = new Map<
    ActivationId,
    { readonly taint: OpenTurnTaint; readonly reached?: (host: string) => Promise<void> }
  >();
  return {
    open(activation, held, reached) {
      const taint = createTurnTaint();
      for (const value of held) taint.take(value);
      taints.set(activation, { taint, ...(reached === undefined ? {} : { reached }) });
      return taint;
    },
    async reach(activation, host) {
      const open = taints.get(activation);
      if (open === undefined || open.taint.hosts.includes(host)) return;
      await open.reached?.(host);
      open.taint.reach(host);
    },
    of: (activation) => taints.get(activation)?.taint,
    close: (activation) => void taints.delete(activation),
  };
};
