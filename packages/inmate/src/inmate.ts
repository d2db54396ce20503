/**
 * The agent runtime: takes activations over a link, drives the loop, runs tools where it lives. It cannot tell where that is,
 * holds no secret and decides nothing about what is allowed.
 */
import {
  type ActivationId,
  type Clock,
  fromErrorBody,
  type FrameScope,
  HearthError,
  type InmateFrame,
  type InmateFrameBody,
  type Link,
  LINK_VERSION,
  toErrorBody,
  WardenFrame,
} from "@hearth/protocol";
import { afterModel, afterTool, decide, type LoopState, startLoop } from "./loop/loop.ts";
import type { Tools } from "./tools/index.ts";

export interface InmateOptions {
  readonly link: Link<InmateFrame, unknown>;
  readonly clock: Clock;
  readonly tools: Tools;
  /** Words about the runtime, for people. */
  readonly runtime: string;
}

type Answer = Extract<WardenFrame, { type: "model-result" | "step-result" }>;

interface Running {
  readonly stopper: AbortController;
  /** Resolves once it has ended, with all that it started. */
  readonly ended: Promise<void>;
  /** Whoever waits for the answer to a step. */
  readonly waiting: Map<number, (answer: Answer) => void>;
}

/** Serves the link until it closes; then everything that still runs is stopped. Throws `cell.protocol` on a frame that is none. */
export const runInmate = async (options: InmateOptions): Promise<void> => {
  const { link, clock, tools } = options;
  const running = new Map<ActivationId, Running>();
  let count = 0;

  const send = (body: InmateFrameBody): void => {
    count += 1;
    link.send({ ...body, id: count, at: clock.now() });
  };

  const activate = async (frame: Extract<WardenFrame, { type: "activate" }>): Promise<void> => {
    const { agent, room, person, session, activation, input } = frame;
    const scope: FrameScope = { agent, room, person, session, activation };
    const stopper = new AbortController();
    const waiting = new Map<number, (answer: Answer) => void>();
    const ended = Promise.withResolvers<void>();
    running.set(activation, { stopper, waiting, ended: ended.promise });
    const ask = (body: Extract<InmateFrameBody, { type: "model-request" | "step-request" }>): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(stopped());
        if (stopper.signal.aborted) return stop();
        stopper.signal.addEventListener("abort", stop, { once: true });
        waiting.set(body.step, (answer) => {
          stopper.signal.removeEventListener("abort", stop);
          resolve(answer);
        });
        send(body);
      });
    try {
      const text = await drive(startLoop(input), { scope, ask, send, tools, signal: stopper.signal });
      send({ type: "finish", ...scope, outcome: { kind: "reply", text } });
    } catch (error) {
      send({
        type: "finish",
        ...scope,
        outcome: stopper.signal.aborted ? { kind: "stopped" } : { kind: "failed", error: toErrorBody(error) },
      });
    } finally {
      running.delete(activation);
      ended.resolve();
    }
  };

  send({ type: "hello", version: LINK_VERSION, runtime: options.runtime });
  try {
    for await (const received of link.frames) {
      const parsed = WardenFrame.safeParse(received);
      if (!parsed.success)
        throw new HearthError("cell.protocol", `The warden sent a frame that is none: ${parsed.error.message}`);
      const frame = parsed.data;
      switch (frame.type) {
        case "activate":
          // It reports its own failures in its finish.
          void activate(frame);
          break;
        case "stop":
          running.get(frame.activation)?.stopper.abort();
          break;
        case "model-result":
        case "step-result": {
          const waiting = running.get(frame.activation)?.waiting;
          const answer = waiting?.get(frame.step);
          waiting?.delete(frame.step);
          answer?.(frame);
          break;
        }
      }
    }
  } finally {
    for (const { stopper } of running.values()) stopper.abort();
    await Promise.all([...running.values()].map(({ ended }) => ended));
  }
};

interface Drive {
  readonly scope: FrameScope;
  readonly ask: (body: Extract<InmateFrameBody, { type: "model-request" | "step-request" }>) => Promise<Answer>;
  readonly send: (body: InmateFrameBody) => void;
  readonly tools: Tools;
  readonly signal: AbortSignal;
}

/** Runs the loop to its reply. */
const drive = async (start: LoopState, { scope, ask, send, tools, signal }: Drive): Promise<string> => {
  let state = start;
  for (;;) {
    const decision = decide(state);
    switch (decision.kind) {
      case "reply":
        return decision.text;
      case "exhausted":
        throw new HearthError(
          "activation.limit",
          `The agent used all its ${decision.rounds} rounds on tools and gave no answer.`,
          { hint: 'Ask for less at once, or say "go on": what it has done so far is kept.' },
        );
      case "model": {
        const { kind: _kind, ...request } = decision;
        const answer = await ask({
          type: "model-request",
          ...scope,
          ...request,
          system: [...request.system],
          messages: [...request.messages],
          tools: [...request.tools],
        });
        if (answer.type !== "model-result") throw wrongAnswer(answer);
        if ("error" in answer.result) throw fromErrorBody(answer.result.error);
        state = afterModel(state, answer.result.message);
        break;
      }
      case "tool": {
        const { step, call } = decision;
        const answer = await ask({ type: "step-request", ...scope, step, call });
        if (answer.type !== "step-result") throw wrongAnswer(answer);
        if (answer.result.verdict === "done") {
          const { text, failed } = answer.result;
          state = afterTool(state, { text, failed });
          break;
        }
        const outcome = await tools.run(call.name, call.input, signal, answer.result.timeoutMs);
        if (signal.aborted) throw stopped();
        send({ type: "step-done", ...scope, step, text: outcome.text, failed: outcome.failed });
        state = afterTool(state, outcome);
        break;
      }
    }
  }
};

const stopped = (): HearthError => new HearthError("activation.stopped", "The activation was stopped.");

const wrongAnswer = (answer: Answer): HearthError =>
  new HearthError("cell.protocol", `The warden answered step ${answer.step} with a ${answer.type}.`);
