/**
 * What an activation did, call by call. `started` is committed before anything crosses a boundary, `done` after, so that
 * whoever comes back after a crash knows what may have happened.
 */
import { type ActivationId, addUsage, noUsage, Usage, type World } from "@hearth/protocol";
import type { EffectClass } from "@hearth/protocol/tools";
import { packBody, unpackBody } from "../store/bodies.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";

export interface StepStart {
  readonly activation: ActivationId;
  readonly step: number;
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly effect: EffectClass;
  /** What the call was made with, as text. Kept as a hash: evidence, never a gate. */
  readonly input: string;
}

/** A step as the journal has it. `output` is there once it is done. */
export interface KnownStep {
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly effect: EffectClass;
  readonly state: "started" | "done" | "unknown";
  readonly output: string | undefined;
}

export interface Journal {
  /** Every step of an activation, by index. */
  load(activation: ActivationId): Promise<ReadonlyMap<number, KnownStep>>;
  /** Durable when it resolves; a step that was started before is started again. */
  started(step: StepStart): Promise<void>;
  /** Takes effect in the order of the calls; durable when it resolves. */
  done(activation: ActivationId, step: number, output: string): Promise<void>;
  /** Nobody knows what came of it. */
  unknown(activation: ActivationId, step: number): Promise<void>;
  rows(activation: ActivationId): Promise<readonly Row<"steps">[]>;
}

export const createJournal = (options: {
  readonly world: World;
  readonly store: Store;
  readonly blobs: Blobs;
}): Journal => {
  const { world, store, blobs } = options;

  const rows = (activation: ActivationId): Promise<readonly Row<"steps">[]> =>
    store.select({ table: "steps", where: { activation }, order: [{ column: "step" }] });

  return {
    rows,
    async load(activation) {
      const steps = new Map<number, KnownStep>();
      for (const row of await rows(activation)) {
        steps.set(row.step, {
          kind: row.kind as KnownStep["kind"],
          name: row.name,
          effect: row.effect as EffectClass,
          state: row.state as KnownStep["state"],
          output:
            row.state === "done" ? await unpackBody(blobs, { inline: row.output, blob: row.output_blob }) : undefined,
        });
      }
      return steps;
    },
    async started(step) {
      await store.commit({
        writes: [
          {
            kind: "put",
            table: "steps",
            row: {
              activation: step.activation,
              step: step.step,
              kind: step.kind,
              name: step.name,
              input_hash: world.hash(step.input),
              effect: step.effect,
              state: "started",
              output: null,
              output_blob: null,
              started_at: world.clock.now(),
              ended_at: null,
            },
          },
        ],
      });
    },
    async done(activation, step, output) {
      const { inline, blob } = await packBody(blobs, output);
      await store.commit({
        writes: [
          {
            kind: "update",
            table: "steps",
            where: { activation, step },
            set: { state: "done", output: inline, output_blob: blob, ended_at: world.clock.now() },
          },
        ],
      });
    },
    async unknown(activation, step) {
      await store.commit({
        writes: [
          {
            kind: "update",
            table: "steps",
            where: { activation, step },
            set: { state: "unknown", ended_at: world.clock.now() },
          },
        ],
      });
    },
  };
};

/** What a finished model step cost, from its output. */
export const usageOf = (steps: Iterable<KnownStep>): Usage => {
  let usage = noUsage;
  for (const step of steps) {
    if (step.kind !== "model" || step.output === undefined) continue;
    usage = addUsage(usage, Usage.parse(JSON.parse(step.output).usage));
  }
  return usage;
};
