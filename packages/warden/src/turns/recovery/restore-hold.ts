/**
 * The hold of a restored house: lists the work that the house would repeat, and carries out the
 * owner's decision to continue or discard that work.
 */
import { createListeners, type Log, type RestoreFindings } from "../../kernel/index.ts";
import { type AgentId, HearthError, type RestoreDecision, type RestoreState, type RestoreWork } from "@hearth/protocol";
import type { RestoreWorkOptions } from "./restore-work.ts";

export interface RestoreHold {
  isHeld(): boolean;
  /** Throws `house.on-hold` while the house is on hold. */
  requireNone(): void;
  state(): Promise<RestoreState>;
  /**
   * Carries out the decision and ends the hold. Throws `record.version` if the house is not on hold
   * or another decision is in progress.
   */
  decide(decision: RestoreDecision, by: AgentId): Promise<RestoreState>;
  /** Called when a decision has ended the hold, before `decide` resolves. */
  onDecided(listener: () => void): void;
}

export interface RestoreHoldOptions extends RestoreWorkOptions {
  readonly log: Log;
  readonly findings: RestoreFindings;
}

export const createRestoreHold = (options: RestoreHoldOptions): RestoreHold => {
  const { log, findings } = options;
  const decisionListeners = createListeners<void>();
  const isHeld = findings.isOnHold;
  let currentDecision: Promise<RestoreState> | undefined;

  const state = async (): Promise<RestoreState> => ({
    onHold: isHeld(),
    findings: [...findings.open()],
    work: isHeld() ? await (await import("./restore-work.ts")).listWork(options) : noWork(),
  });

  const decideOnce = async (decision: RestoreDecision, by: AgentId): Promise<RestoreState> => {
    // If the daemon crashes before the decision is stored, the house is still on hold, and the
    // owner decides again.
    if (decision === "discard") await (await import("./restore-work.ts")).discardWork(options, by);
    await findings.decide(decision, by);
    log.write("warn", "the owner decided about the restored home; the house starts work", { decision, by });
    decisionListeners.notify();
    return state();
  };

  return {
    isHeld,
    onDecided: decisionListeners.add,
    requireNone() {
      if (isHeld()) throw onHoldError();
    },
    state,
    async decide(decision, by) {
      if (!isHeld() || currentDecision !== undefined)
        throw new HearthError("record.version", "The house is not on hold, so no decision is needed.", {
          hint: "To see the state of the house: hearth restore show",
        });
      currentDecision = decideOnce(decision, by);
      try {
        return await currentDecision;
      } finally {
        currentDecision = undefined;
      }
    },
  };
};

const onHoldError = (): HearthError =>
  new HearthError("house.on-hold", "The house is on hold: its home was restored or copied, so it could repeat work.", {
    hint: "To see the work that it would repeat: hearth restore show. To decide: hearth restore continue, or hearth restore discard",
  });

const noWork = (): RestoreWork => ({ activations: [], messages: [], deliveries: [], jobs: [], approvals: [] });
