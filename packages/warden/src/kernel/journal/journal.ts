/**
 * The journal of an activation's calls. `started` is committed before a call leaves the house and
 * `done` after it, so that a restarted daemon knows what may have happened. A step never becomes
 * durable before the ends of earlier ones.
 */
import {
  type ActivationId,
  addUsage,
  type AgentId,
  HearthError,
  isHearthError,
  type Label,
  noUsage,
  Usage,
  type World,
} from "@hearth/protocol";
import type { EffectClass } from "@hearth/protocol/tools";
import { packBody, unpackBody } from "../store/bodies.ts";
import type { Blobs } from "../store/blobs.ts";
import { readLabel, writeLabel } from "../store/labels.ts";
import type { Change, Commit, Guard, Store, Write } from "../store/store.ts";
import type { Row } from "../store/tables/tables.ts";
import type { Lease } from "./leases.ts";
import { createStepOrder } from "./step-order.ts";

export type StepKind = Row<"steps">["kind"];

export interface StepStart {
  readonly activation: ActivationId;
  readonly step: number;
  readonly kind: StepKind;
  readonly name: string;
  readonly effect: EffectClass;
  /** The call's input as text. Only its hash is stored, as evidence. */
  readonly input: string;
  /**
   * Whether the step may come before its activation's beginning is durable. If the activation is
   * missing, `started` throws and writes nothing.
   */
  readonly isFirst?: boolean;
  /** The stage of the choke point that refused the call. */
  readonly refusedBy?: string | undefined;
}

/** A step from the journal. `output` is set from its end until its erasure by age. */
export interface JournaledStep {
  readonly kind: StepKind;
  readonly name: string;
  readonly effect: EffectClass;
  readonly state: Row<"steps">["state"];
  readonly output: string | undefined;
  /** Set if the stored output is missing or damaged. */
  readonly isDamaged?: true;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  /** The label of the output. Undefined if none was stored. */
  readonly label?: Label;
}

/** Data that is stored with the end of a step. */
export interface StepEnd {
  /** Label of the output. */
  readonly label?: Label;
  /** Further writes of the same commit. */
  readonly writes?: readonly Write[];
  /** Set if the step is a call without effect and without cost, which may run again. */
  readonly effect?: EffectClass;
}

/**
 * The journal. Every write is guarded by the lease: under an old lease it throws `lease.lost` and
 * writes nothing.
 */
export interface Journal {
  /**
   * Returns every step of an activation, by index. Waits for pending ends. A damaged output sets
   * `isDamaged` and does not reject.
   */
  load(activation: ActivationId): Promise<ReadonlyMap<number, JournaledStep>>;
  /**
   * Writes the start of a step. It is durable when the promise resolves, under a lease that is
   * then still valid, so the caller makes the call at once. A power cut may lose the start of a
   * pure step, which has no effect and runs again. A step that was started before starts again.
   * `sameCommit` is in the same commit. Returns false if one of its guards failed, and nothing
   * was written. Waits for the ends of earlier steps, and throws the error of an end that could
   * not be written.
   */
  startStep(lease: Lease, step: StepStart, sameCommit?: Change): Promise<boolean>;
  /**
   * Writes the end of a step. It takes effect in the order of the calls, and is durable when the
   * promise resolves. A power cut may lose the end of a step with the effect class `pure` and
   * without further writes, which then runs again.
   */
  endStep(lease: Lease, activation: ActivationId, step: number, output: string, end?: StepEnd): Promise<void>;
  /** Writes a step that has no call: start and end at once. Durable when the promise resolves. */
  recordStep(lease: Lease, step: StepStart, output: string, label?: Label): Promise<void>;
  /** Returns the writes of `recordStep`, for a larger commit. The lease's guard is the first guard. */
  planStep(lease: Lease, step: StepStart, output: string, label?: Label): Promise<Required<Change>>;
  /** Returns the writes of `endStep`, for a step whose effect is itself a write. */
  planStepEnd(
    lease: Lease,
    activation: ActivationId,
    step: number,
    output: string,
    end?: StepEnd,
  ): Promise<Required<Change>>;
  /** Marks a step whose outcome is unknown. */
  markUnknown(lease: Lease, activation: ActivationId, step: number): Promise<void>;
  rows(activation: ActivationId): Promise<readonly Row<"steps">[]>;
  /** Starts a new run of the activation. Drops the failed ends of earlier runs. */
  restart(activation: ActivationId): Promise<void>;
  /** Forgets an activation that has ended. */
  forget(activation: ActivationId): void;
}

export const createJournal = (options: {
  readonly world: World;
  readonly store: Store;
  readonly blobs: Blobs;
}): Journal => {
  const { world, store, blobs } = options;
  const order = createStepOrder();

  const commit = async (
    { guard, agent, renewal, confirmRenewal }: Lease,
    writes: readonly Write[],
    commitOptions: Pick<Commit, "isReproducible"> = {},
  ): Promise<void> => {
    const allWrites = [...writes, ...renewal()];
    const { kind } = await store.commit({ ...commitOptions, guards: [guard], writes: allWrites });
    if (kind === "refused") throw leaseLostError(agent);
    if (kind === "committed") confirmRenewal(allWrites);
  };

  /**
   * Commits a step. The start guards and the ends of earlier steps must hold. A guard of
   * `sameCommit` may fail.
   */
  const commitStep = async (
    { guard, agent, renewal, confirmRenewal }: Lease,
    { activation, step }: StepStart,
    write: Write,
    startGuards: readonly Guard[],
    { guards = [], writes, ...commitOptions }: Pick<Commit, "guards" | "writes" | "isReproducible">,
  ): Promise<boolean> => {
    const ends = await order.guardsAfter(activation, step);
    const allGuards = [guard, ...withGuardName("start", startGuards), ...withGuardName("earlier", ends), ...guards];
    const allWrites = [write, ...writes, ...renewal()];
    const result = await store.commit({ ...commitOptions, guards: allGuards, writes: allWrites });
    if (result.kind === "committed") confirmRenewal(allWrites);
    if (result.kind !== "refused") return result.kind === "committed";
    if (result.guard === "lease") throw leaseLostError(agent);
    if (result.guard === "start") throw activationStartError(agent);
    if (result.guard === "earlier") throw (await order.failureBefore(activation, step)) ?? stepEndError(agent);
    return false;
  };

  const rows = (activation: ActivationId): Promise<readonly Row<"steps">[]> =>
    store.select({ table: "steps", where: { activation }, order: [{ column: "step" }] });

  const toStartedRow = ({ activation, step, kind, name, effect, input, refusedBy }: StepStart): Row<"steps"> => ({
    activation,
    step,
    kind,
    name,
    input_hash: world.hash(input),
    effect,
    state: "started",
    output: null,
    output_blob: null,
    started_at: world.clock.now(),
    ended_at: null,
    labels: null,
    refused_by: refusedBy ?? null,
  });

  /**
   * Returns the output of a step. A step without an end has none, and that of an old step may be
   * erased.
   */
  const readOutput = async ({
    output: inline,
    output_blob: blob,
  }: Row<"steps">): Promise<Pick<JournaledStep, "output" | "isDamaged">> => {
    if (inline === null && blob === null) return { output: undefined };
    try {
      return { output: await unpackBody(blobs, { inline, blob }) };
    } catch (error) {
      if (isHearthError(error, "store.damaged")) return { output: undefined, isDamaged: true };
      throw error;
    }
  };

  const toRecordWrite = async (step: StepStart, output: string, label?: Label): Promise<Write> => {
    const { inline, blob } = await packBody(blobs, output);
    const end = {
      labels: writeLabel(label),
      state: "done",
      output: inline,
      output_blob: blob,
      ended_at: world.clock.now(),
    } as const;
    return { kind: "put", table: "steps", row: { ...toStartedRow(step), ...end } };
  };

  const toEndWrites = async (
    activation: ActivationId,
    step: number,
    output: string,
    { label, writes = [] }: StepEnd = {},
  ): Promise<readonly Write[]> => {
    const { inline, blob } = await packBody(blobs, output);
    const end = { state: "done", output: inline, output_blob: blob, ended_at: world.clock.now() } as const;
    const set = { ...end, labels: writeLabel(label) };
    return [{ kind: "update", table: "steps", where: { activation, step }, set }, ...writes];
  };

  return {
    rows,

    async load(activation) {
      await order.waitForEnds(activation);
      const steps = new Map<number, JournaledStep>();
      for (const row of await rows(activation)) {
        const label = readLabel(row.labels);
        steps.set(row.step, {
          kind: row.kind,
          name: row.name,
          effect: row.effect,
          state: row.state,
          ...(await readOutput(row)),
          startedAt: row.started_at,
          endedAt: row.ended_at ?? undefined,
          ...(label === undefined ? {} : { label }),
        });
      }
      return steps;
    },

    async startStep(lease, step, sameCommit) {
      const write: Write = { kind: "put", table: "steps", row: toStartedRow(step) };
      const startGuards = step.isFirst === true ? [guardBegun(step, lease)] : [];
      order.replace(step.activation, step.step);
      const commitOptions = step.effect === "pure" ? ({ isReproducible: true } as const) : {};
      if (!(await commitStep(lease, step, write, startGuards, { writes: [], ...sameCommit, ...commitOptions })))
        return false;
      // The daemon may have been paused between the write and its result, so the lease is checked
      // again.
      while (lease.hasExpired()) await commit(lease, [write]);
      return true;
    },

    endStep: (lease, activation, step, output, end = {}) =>
      order.end(
        activation,
        step,
        () => toEndWrites(activation, step, output, end),
        (writes) => commit(lease, writes, mayRunAgain(end) ? { isReproducible: true } : {}),
      ),

    async recordStep(lease, step, output, label) {
      order.replace(step.activation, step.step);
      await commitStep(lease, step, await toRecordWrite(step, output, label), [], { writes: [] });
    },

    async planStep(lease, step, output, label) {
      order.replace(step.activation, step.step);
      const [write, ends] = await Promise.all([
        toRecordWrite(step, output, label),
        order.guardsAfter(step.activation, step.step),
      ]);
      return { guards: [lease.guard, ...ends], writes: [write, ...lease.renewal()] };
    },

    async planStepEnd(lease, activation, step, output, end) {
      return {
        guards: [lease.guard],
        writes: [...(await toEndWrites(activation, step, output, end)), ...lease.renewal()],
      };
    },

    async markUnknown(lease, activation, step) {
      order.replace(activation, step);
      const set = { state: "unknown", ended_at: world.clock.now() } as const;
      await commit(lease, [{ kind: "update", table: "steps", where: { activation, step }, set }]);
    },

    restart: order.restart,
    forget: order.forget,
  };
};

/** Whether a power cut may lose the end of the step. */
const mayRunAgain = ({ effect, writes = [] }: StepEnd): boolean => effect === "pure" && writes.length === 0;

/** The end of an earlier step was not written, so no later step may start. */
const stepEndError = (agent: AgentId): HearthError =>
  new HearthError("store.unavailable", `The end of an earlier step of ${agent} could not be written.`, {
    hint: "The activation resumes from its journal when the disk accepts writes again.",
  });

/**
 * Creates the error for an activation whose beginning was not written. It begins again when the
 * disk accepts writes.
 */
const activationStartError = (agent: AgentId): HearthError =>
  new HearthError(
    "store.unavailable",
    `The beginning of an activation of ${agent} could not be written, so it stops here.`,
  );

const guardBegun = ({ activation }: StepStart, { fence }: Lease): Guard => ({
  kind: "exists",
  table: "activations",
  where: { id: activation, fence, state: "running" },
});

export const leaseLostError = (agent: AgentId): HearthError =>
  new HearthError("lease.lost", `Another daemon of this house took over the work of ${agent}.`, {
    hint: "The work continues in that daemon.",
  });

/**
 * Returns the usage in the outputs of finished steps: of model calls, and of tools that called a
 * model.
 */
export const usageOf = (steps: Iterable<Pick<JournaledStep, "kind" | "output">>): Usage => {
  let usage = noUsage;
  for (const step of steps) {
    if (step.kind === "intake" || step.output === undefined) continue;
    const reportedUsage: unknown = JSON.parse(step.output).usage;
    if (step.kind === "model" || reportedUsage !== undefined) usage = addUsage(usage, Usage.parse(reportedUsage));
  }
  return usage;
};

const withGuardName = (name: string, guards: readonly Guard[]): readonly Guard[] =>
  guards.map((guard) => ({ ...guard, name }));
