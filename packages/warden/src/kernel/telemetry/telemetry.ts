/**
 * Measures the work of the house for the observers of the config. Without observers nothing is
 * measured.
 */
import type { ActivationId, World } from "@hearth/protocol";
import { type ReferenceSources, readReference } from "../config/read-reference.ts";
import type { ConfigSource } from "../config/source.ts";
import type { ObserversConfig } from "../config/text/observers-text.ts";
import type { Log } from "../log/log.ts";
import { observe } from "../supervisor.ts";
import type { Observer, SpanFacts, SpanKind } from "./observer.ts";

/** An operation in progress. */
export interface OpenSpan {
  end(facts: SpanFacts): void;
}

export interface Telemetry extends AsyncDisposable {
  /** Opens the observers of the config, and follows its changes. Called once. */
  follow(parts: TelemetryParts): void;
  /**
   * Starts to measure an operation of an activation. Returns undefined if there are no observers.
   */
  start(kind: SpanKind, activation: ActivationId): OpenSpan | undefined;
  /**
   * Returns the metrics in the text format of Prometheus, or undefined if the observer
   * `prometheus` is off.
   */
  expose(): string | undefined;
  /** Resolves when the observers are those of the current config. */
  waitForObservers(): Promise<void>;
}

export interface TelemetryOptions {
  readonly world: Pick<World, "clock" | "random" | "hash" | "fetch">;
  readonly log: Log;
  readonly config: Pick<ConfigSource, "current" | "onChange">;
  /** An observer in addition to those of the config. */
  readonly further?: Observer | undefined;
}

/** Parts of higher areas and of the machine. */
export interface TelemetryParts {
  readonly version: string;
  /** Removes secrets from the name of a model. */
  readonly redact: (text: string) => string;
  readonly references: ReferenceSources;
}

/** Turns in progress, which are the parents of spans. */
interface Trace {
  readonly trace: string;
  readonly root: string;
}

const TRACE_DIGITS = 32;
const SPAN_BYTES = 8;

export const createTelemetry = ({ world, log, config, further }: TelemetryOptions): Telemetry => {
  const { clock, random, hash } = world;
  const turns = new Map<ActivationId, Trace>();
  const always = further === undefined ? [] : [further];
  let active: readonly Observer[] = always;
  let redact = (text: string): string => text;
  let known = "";
  let settled: Promise<void> = Promise.resolve();

  const apply = async (parts: TelemetryParts): Promise<void> => {
    const wanted = config.current().observers;
    const text = JSON.stringify(wanted);
    if (text === known) return;
    known = text;
    const before = active.filter((observer) => observer !== further);
    const next = wanted.to.length === 0 ? [] : await openObservers(wanted, parts);
    active = [...always, ...next];
    await Promise.all(before.map((observer) => observer.close()));
  };

  const openObservers = async ({ to, otlp }: ObserversConfig, parts: TelemetryParts): Promise<readonly Observer[]> => {
    const { observers } = await import("./index.ts");
    const headers: Record<string, string> = {};
    for (const [name, reference] of Object.entries(otlp.headers)) {
      const { where, text, lack } = await readReference(reference, parts.references);
      if (text === undefined) log.write("warn", "a header for traces and metrics is missing", { name, where, lack });
      else headers[name] = text;
    }
    return to.map((kind) =>
      observers[kind]({
        log,
        fetch: world.fetch,
        now: () => clock.now(),
        sleep: (ms, signal) => clock.sleep(ms, signal),
        version: parts.version,
        otlp: { endpoint: otlp.endpoint, headers },
      }),
    );
  };

  const traceOf = (activation: ActivationId): string => hash(`trace:${activation}`).slice(0, TRACE_DIGITS);

  return {
    follow(parts) {
      redact = parts.redact;
      const update = (): void => {
        const applied = settled.then(() => apply(parts));
        observe(applied, log, "the observers could not be changed");
        settled = applied.catch(() => {});
      };
      config.onChange(update);
      update();
    },
    start(kind, activation) {
      if (active.length === 0) return undefined;
      const id = random(SPAN_BYTES).toHex();
      const turn = turns.get(activation);
      const trace = turn?.trace ?? traceOf(activation);
      if (kind === "turn") turns.set(activation, { trace, root: id });
      const startMs = clock.now();
      const began = clock.monotonic();
      return {
        end(facts) {
          if (kind === "turn") turns.delete(activation);
          const parent = kind === "turn" || turn === undefined ? {} : { parent: turn.root };
          const durationMs = clock.monotonic() - began;
          const { model } = facts;
          const clean = model === undefined ? facts : { ...facts, model: redact(model) };
          for (const observer of active)
            observer.record({ kind, trace, id, ...parent, startMs, durationMs, facts: clean });
        },
      };
    },
    expose() {
      const texts = active.flatMap((observer) => observer.expose?.() ?? []);
      return texts.length === 0 ? undefined : texts.join("");
    },
    waitForObservers: () => settled,
    async [Symbol.asyncDispose]() {
      await settled;
      const before = active;
      active = [];
      await Promise.all(before.map((observer) => observer.close()));
    },
  };
};
