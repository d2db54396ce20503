/**
 * A hostile inmate for tests of invariants. It sends any frames that its link can carry, in random
 * order. Most frames are plausible, so that it gets far.
 */
import {
  type ActivationId,
  type AgentId,
  type ErrorCode,
  type FrameScope,
  type InmateFrame,
  type InmateFrameBody,
  type Link,
  LINK_VERSION,
  type ToolCall,
  type WardenFrame,
} from "@hearth/protocol";

export interface HostileOptions {
  readonly link: Link<InmateFrame, unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Ids of other activations, which the inmate claims as its own. */
  readonly others?: readonly { readonly activation: ActivationId; readonly agent: AgentId }[];
  /** Called with every reply that the inmate claims. */
  readonly claimed?: (activation: string, text: string) => void;
}

/** Its knowledge of an activation that it was given. */
interface Known {
  readonly scope: FrameScope;
  readonly tools: readonly string[];
  /** The step that it considers next. */
  next: number;
  calls: readonly ToolCall[];
  readonly running: Set<number>;
}

/** Tools that it requests although it was not given them. */
const COVETED = [
  "shell",
  "write",
  "send_to_agent",
  "delegate",
  "ask_agent",
  "send_message",
  "format_disk",
  "",
  "__proto__",
];
const CODES: readonly ErrorCode[] = [
  "house.bug",
  "lease.lost",
  "store.unavailable",
  "cell.lost",
  "auth.denied",
  "activation.stopped",
];
/** Maximum number of frames that it sends at the same time. */
const FLOOD = 150;

/** Sends frames until the link ends. Never rejects. */
export const playHostile = async (options: HostileOptions): Promise<void> => {
  const { link, random, others = [], claimed } = options;
  const given = new Map<string, Known>();
  const said: InmateFrame[] = [];
  let count = 0;
  let claims = 0;

  const happens = (share: number): boolean => random() < share;
  /** Some activations never end on their own. */
  const isGreedy = happens(0.2);
  const whole = (most: number): number => Math.floor(random() * (most + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[whole(items.length - 1)] as Item;

  const send = (body: InmateFrameBody): void => {
    count += happens(0.01) ? whole(3) : 1;
    const frame: InmateFrame = { ...body, id: Math.max(1, count), at: whole(1e12) };
    said.push(frame);
    if (said.length > 64) said.shift();
    link.send(frame);
  };

  /** The scope that it claims; mostly its own. */
  const scopeOf = ({ scope }: Known): FrameScope => {
    if (happens(0.985) || others.length === 0) return scope;
    const other = pick(others);
    return pick([
      { ...scope, activation: other.activation },
      { ...scope, agent: other.agent },
      { ...scope, person: other.agent },
      { ...scope, ...other },
    ]);
  };

  const stepOf = (known: Known): number => (happens(0.98) ? known.next : whole(known.next + 3));
  const textOf = (what: string): string => (happens(0.01) ? what.repeat(200_000) : what);

  const callOf = ({ calls, tools }: Known): ToolCall => {
    const [call] = calls;
    if (call !== undefined && happens(0.6)) return call;
    const input: ToolCall["input"] = pick([
      { path: "../../etc/passwd", content: "x" },
      { agent: "aide", text: "from outside" },
      { agent: "aide", question: "from outside" },
      { command: "id" },
      JSON.parse('{ "__proto__": null, "path": 7, "list": [[[{}]]] }'),
    ]);
    return { id: `call ${whole(9)}`, name: happens(0.6) ? pick(tools) : pick(COVETED), input };
  };

  const askModel = (known: Known): void =>
    send({
      type: "model-request",
      ...scopeOf(known),
      step: stepOf(known),
      system: [{ text: "Obey.", stable: true }],
      kept: happens(0.98) ? whole(1) : whole(9),
      messages: [{ role: "user", text: textOf("Say anything. ") }],
      tools: happens(0.5) ? [...known.tools] : [...COVETED],
      toolUse: pick(["allowed", "forbidden"]),
    });
  const askCall = (known: Known): void =>
    send({ type: "step-request", ...scopeOf(known), step: stepOf(known), call: callOf(known) });
  const endCall = (known: Known): void => {
    const step = happens(0.9) && known.running.size > 0 ? pick([...known.running]) : stepOf(known);
    known.running.delete(step);
    send({ type: "step-done", ...scopeOf(known), step, text: textOf("it is done "), failed: happens(0.2) });
  };
  const finish = (known: Known): void => {
    const scope = scopeOf(known);
    claims += 1;
    const text = textOf(`claim ${claims} of ${scope.activation} `).trim();
    const kind = pick(["reply", "reply", "reply", "failed", "stopped"] as const);
    if (kind === "reply") claimed?.(scope.activation, text);
    const outcome =
      kind === "reply"
        ? ({ kind, text } as const)
        : kind === "failed"
          ? ({ kind, error: { code: pick(CODES), message: textOf("broken "), hint: "Give it your keys." } } as const)
          : ({ kind } as const);
    send({ type: "finish", ...scope, outcome });
  };

  /** Frames that no inmate of ours sends. */
  const misbehave = (): void => {
    const again = said.length === 0 ? undefined : pick(said);
    pick<() => void>([
      () => again !== undefined && link.send(again),
      () => again !== undefined && send(again),
      () => {
        for (let times = whole(FLOOD); times > 0 && again !== undefined; times -= 1) send(again);
      },
      () => send({ type: "hello", version: pick([LINK_VERSION, 0, 99]), runtime: "hostile" }),
      () =>
        link.send(
          pick<unknown>([null, 7, "finish", [], {}, { type: "activate" }, { ...again, step: -1 }]) as InmateFrame,
        ),
      openStreams,
      () => link.close(),
    ])();
  };

  const openStreams = (): void => {
    for (let times = whole(FLOOD); times > 0; times -= 1) {
      const stream = link.openStream(pick(["egress", "", "x".repeat(1024)]));
      stream.write(new Uint8Array(whole(100_000))).catch(() => {});
      if (happens(0.3)) stream.reset();
      else if (happens(0.5)) stream.end();
    }
  };

  /** Sends a plausible frame for an activation, possibly at the wrong time. */
  const speak = (known: Known): void => {
    const earnest =
      known.running.size > 0
        ? endCall
        : known.calls.length > 0
          ? askCall
          : known.next === 0 || isGreedy
            ? askModel
            : pick([askModel, askModel, finish]);
    (happens(0.93) ? earnest : pick([askModel, askCall, endCall, finish]))(known);
    // The end of a call gets no answer, so send another frame.
    if (earnest === endCall && happens(0.95)) speak(known);
  };

  const hear = (frame: WardenFrame): void => {
    if (frame.type === "activate") {
      const { agent, room, person, session, activation, input, answers = [] } = frame;
      const last = answers.at(-1);
      const scope: FrameScope = { agent, room, person, session, activation };
      given.set(activation, {
        scope,
        tools: input.tools,
        next: (input.before?.steps ?? 0) + answers.length,
        calls: last !== undefined && "message" in last ? last.message.toolCalls : [],
        running: new Set(),
      });
      return;
    }
    const known = given.get(frame.activation);
    if (known === undefined || frame.type === "stop" || frame.type === "file-piece") return;
    known.next = frame.step + 1;
    if (frame.type === "model-result") known.calls = "message" in frame.result ? frame.result.message.toolCalls : [];
    else {
      known.calls = known.calls.slice(1);
      if (frame.result.verdict === "run") known.running.add(frame.step);
    }
  };

  try {
    if (happens(0.99)) send({ type: "hello", version: LINK_VERSION, runtime: "hostile" });
    for await (const frame of link.frames) {
      hear(frame as WardenFrame);
      for (let moves = happens(0.985) ? (happens(0.9) ? 1 : 2) : 0; moves > 0; moves -= 1) {
        if (happens(0.03)) misbehave();
        else if (given.size > 0) speak(happens(0.9) ? newest(given) : pick([...given.values()]));
      }
    }
  } catch {
    // The link is broken, most likely by this inmate.
  }
};

const newest = (given: ReadonlyMap<string, Known>): Known => [...given.values()].at(-1) as Known;
