/**
 * The agent runtime: receives activations over a link, drives the loop, and runs tools in the cell.
 * It does not know where it runs, holds no secrets and makes no policy decisions.
 */
import {
  type ActivationId,
  type ActivationInput,
  type FirstAnswer,
  fromErrorBody,
  type FrameScope,
  HearthError,
  type InmateFrame,
  type InmateFrameBody,
  type Link,
  type ModelMessage,
  toErrorBody,
  type ToolCall,
  type WardenFrame,
} from "@hearth/protocol";
import {
  afterFirstAnswer,
  afterIntake,
  afterModel,
  afterTool,
  decide,
  noRoundsLeftError,
  startLoop,
} from "@hearth/protocol/loop";
import type { ToolOutcome } from "@hearth/protocol/tools";
import type { Door } from "./egress/door.ts";
import type { SendFrame } from "./hello.ts";
import { createInbox, type Inbox } from "./tools/inbox.ts";
import type { Tools } from "./tools/index.ts";

export { sendHello } from "./hello.ts";

export interface InmateOptions {
  readonly link: Link<InmateFrame, unknown>;
  /** Sends frames over `link`. The hello was already sent. */
  readonly sendFrame: SendFrame;
  readonly tools: Tools;
  /** Access to the network. It is undefined in a cell without network. */
  readonly door?: Door;
}

type FinishOutcome = Extract<InmateFrameBody, { type: "finish" }>["outcome"];
type Answer = Extract<WardenFrame, { type: "model-result" | "step-result" }>;

interface RunningActivation {
  readonly stopper: AbortController;
  /** Resolves once the activation and everything it started have ended. */
  readonly ended: Promise<void>;
  /** Resolvers of steps that wait for an answer. */
  readonly pendingRequests: Map<number, (answer: Answer) => void>;
}

/**
 * Serves the link until it closes, then stops everything that runs. Throws `cell.protocol` on an
 * invalid frame.
 */
export const runInmate = async (options: InmateOptions): Promise<void> => {
  const { link, sendFrame, tools, door } = options;
  const inbox = createInbox(tools);
  link.handleStreams(inbox.takeStream);
  const runningActivations = new Map<ActivationId, RunningActivation>();

  const activate = async (frame: Extract<WardenFrame, { type: "activate" }>): Promise<void> => {
    const { agent, room, person, session, activation, input, answers = [] } = frame;
    const scope: FrameScope = { agent, room, person, session, activation };
    const stopper = new AbortController();
    const pendingRequests = new Map<number, (answer: Answer) => void>();
    const ended = Promise.withResolvers<void>();
    runningActivations.set(activation, { stopper, pendingRequests, ended: ended.promise });
    const request = (body: Extract<InmateFrameBody, { type: "model-request" | "step-request" }>): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(stoppedError());
        if (stopper.signal.aborted) return stop();
        stopper.signal.addEventListener("abort", stop, { once: true });
        pendingRequests.set(body.step, (answer) => {
          stopper.signal.removeEventListener("abort", stop);
          resolve(answer);
        });
        sendFrame(body);
      });
    inbox.open(activation);
    const reply = runLoop(input, answers, { scope, request, sendFrame, tools, inbox, door, signal: stopper.signal });
    try {
      const outcome = await toOutcome(reply, stopper.signal);
      // Removes the files before the end of the turn, so that no checkpoint contains them.
      await inbox.drop(activation);
      sendFrame({ type: "finish", ...scope, outcome });
    } finally {
      runningActivations.delete(activation);
      ended.resolve();
    }
  };

  try {
    for await (const unvalidatedFrame of link.frames) {
      const frame = toFrame(unvalidatedFrame);
      switch (frame.type) {
        case "activate":
          // `activate` reports its failures in `finish`. If sending that fails too, the cell ends.
          activate(frame).catch(link.close);
          break;
        case "stop":
          runningActivations.get(frame.activation)?.stopper.abort();
          // If the commands cannot be stopped, the cell ends.
          tools.stop(frame.activation).catch(link.close);
          break;
        case "file-piece":
          inbox.addPiece(frame);
          break;
        case "model-result":
        case "step-result": {
          const pendingRequests = runningActivations.get(frame.activation)?.pendingRequests;
          const answer = pendingRequests?.get(frame.step);
          pendingRequests?.delete(frame.step);
          answer?.(frame);
          break;
        }
      }
    }
  } finally {
    for (const { stopper } of runningActivations.values()) stopper.abort();
    await tools.stop();
    await door?.close();
    await Promise.all([...runningActivations.values()].map(({ ended }) => ended));
  }
};

const toOutcome = async (reply: Promise<string>, signal: AbortSignal): Promise<FinishOutcome> => {
  try {
    return { kind: "reply", text: await reply };
  } catch (error) {
    return signal.aborted ? { kind: "stopped" } : { kind: "failed", error: toErrorBody(error) };
  }
};

/**
 * Checks only the type of a frame. The inmate trusts the warden, whose version matched at the
 * hello. A full check would take a cell as long as the rest of a turn.
 */
const toFrame = (value: unknown): WardenFrame => {
  if (typeof value === "object" && value !== null && "type" in value && FRAME_TYPES.has(value.type))
    return value as WardenFrame;
  throw new HearthError("cell.protocol", "The warden sent a frame of an unknown type.");
};
const FRAME_TYPES: ReadonlySet<unknown> = new Set<WardenFrame["type"]>([
  "activate",
  "stop",
  "model-result",
  "step-result",
  "file-piece",
]);

/** The parts that a tool call of an activation needs. */
interface CallContext {
  readonly scope: FrameScope;
  readonly tools: Tools;
  readonly inbox: Pick<Inbox, "whenReady">;
  readonly door: Door | undefined;
  readonly signal: AbortSignal;
}

interface LoopContext extends CallContext {
  readonly request: (body: Extract<InmateFrameBody, { type: "model-request" | "step-request" }>) => Promise<Answer>;
  readonly sendFrame: SendFrame;
}

const runLoop = async (
  input: ActivationInput,
  answers: readonly FirstAnswer[],
  { scope, request, sendFrame, tools, inbox, door, signal }: LoopContext,
): Promise<string> => {
  let state = startLoop(input);
  /** The messages of the last request, which the warden or this inmate made. */
  let previousMessages: readonly ModelMessage[] = state.messages;
  for (const answer of answers) {
    previousMessages = state.messages;
    state = afterFirstAnswer(state, answer);
  }
  for (;;) {
    const decision = decide(state);
    switch (decision.kind) {
      case "reply":
        return decision.text;
      case "exhausted":
        throw noRoundsLeftError(decision.rounds);
      case "model": {
        const { kind: _kind, messages, ...modelRequest } = decision;
        const sharedCount = countShared(previousMessages, messages);
        previousMessages = messages;
        const answer = await request({
          type: "model-request",
          ...scope,
          ...modelRequest,
          system: [...modelRequest.system],
          kept: (input.withheld ?? 0) + sharedCount,
          messages: messages.slice(sharedCount),
          tools: [...modelRequest.tools],
        });
        if (answer.type !== "model-result") throw wrongAnswerError(answer);
        if ("error" in answer.result) throw fromErrorBody(answer.result.error);
        if ("intake" in answer.result) {
          state = afterIntake(state, answer.result.intake);
          break;
        }
        state = afterModel(state, answer.result.message);
        break;
      }
      case "tool": {
        const { step, call } = decision;
        const answer = await request({ type: "step-request", ...scope, step, call });
        if (answer.type !== "step-result") throw wrongAnswerError(answer);
        if (answer.result.verdict === "done") {
          const { verdict: _verdict, ...outcome } = answer.result;
          state = afterTool(state, outcome);
          break;
        }
        const outcome = await runCall(call, answer.result, { scope, tools, inbox, door, signal });
        if (signal.aborted) throw stoppedError();
        sendFrame({ type: "step-done", ...scope, step, ...outcome });
        state = afterTool(state, outcome);
        break;
      }
    }
  }
};

type RunVerdict = Extract<Extract<Answer, { type: "step-result" }>["result"], { verdict: "run" }>;

/** Runs a call after the files of the turn's messages are in place. */
const runCall = async (
  { name, input }: ToolCall,
  { timeoutMs, key, again, egress, atRoot }: RunVerdict,
  { scope, tools, inbox, door, signal }: CallContext,
): Promise<ToolOutcome> => {
  const environment = egress === undefined ? undefined : await door?.environmentFor(egress);
  const missingFileText = await inbox.whenReady(scope.activation);
  if (missingFileText !== undefined) return { text: missingFileText, failed: true };
  return tools.run(name, input, {
    signal,
    timeoutMs,
    key,
    again,
    atRoot: atRoot === true,
    activation: scope.activation,
    session: scope.session,
    environment: environment ?? {},
  });
};

/** Returns the length of the common prefix. */
const countShared = (previous: readonly ModelMessage[], current: readonly ModelMessage[]): number => {
  const difference = previous.findIndex((message, index) => message !== current[index]);
  return difference === -1 ? previous.length : difference;
};

const stoppedError = (): HearthError => new HearthError("activation.stopped", "The activation was stopped.");

const wrongAnswerError = (answer: Answer): HearthError =>
  new HearthError("cell.protocol", `The warden answered step ${answer.step} with a ${answer.type}.`);
