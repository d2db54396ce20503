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
  readonly onClaim?: (activation: string, text: string) => void;
}

/** Its knowledge of an activation that it was given. */
interface KnownActivation {
  readonly scope: FrameScope;
  readonly tools: readonly string[];
  /** The step that it considers next. */
  next: number;
  calls: readonly ToolCall[];
  readonly running: Set<number>;
}

/** Tools that it requests although it was not given them. */
const FORBIDDEN_TOOLS = [
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
const MAX_BURST = 150;

/** Sends frames until the link ends. Never rejects. */
export const playHostile = async (options: HostileOptions): Promise<void> => {
  const { link, random, others = [], onClaim } = options;
  const activations = new Map<string, KnownActivation>();
  const sentFrames: InmateFrame[] = [];
  let count = 0;
  let claims = 0;

  const chance = (share: number): boolean => random() < share;
  /** Some activations never end on their own. */
  const isGreedy = chance(0.2);
  const randomInteger = (most: number): number => Math.floor(random() * (most + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[randomInteger(items.length - 1)] as Item;

  const send = (body: InmateFrameBody): void => {
    count += chance(0.01) ? randomInteger(3) : 1;
    const frame: InmateFrame = { ...body, id: Math.max(1, count), at: randomInteger(1e12) };
    sentFrames.push(frame);
    if (sentFrames.length > 64) sentFrames.shift();
    link.send(frame);
  };

  /** The scope that it claims; mostly its own. */
  const scopeOf = ({ scope }: KnownActivation): FrameScope => {
    if (chance(0.985) || others.length === 0) return scope;
    const other = pick(others);
    return pick([
      { ...scope, activation: other.activation },
      { ...scope, agent: other.agent },
      { ...scope, person: other.agent },
      { ...scope, ...other },
    ]);
  };

  const stepOf = (known: KnownActivation): number => (chance(0.98) ? known.next : randomInteger(known.next + 3));
  const textOf = (what: string): string => (chance(0.01) ? what.repeat(200_000) : what);

  const callOf = ({ calls, tools }: KnownActivation): ToolCall => {
    const [call] = calls;
    if (call !== undefined && chance(0.6)) return call;
    const input: ToolCall["input"] = pick([
      { path: "../../etc/passwd", content: "x" },
      { agent: "aide", text: "from outside" },
      { agent: "aide", question: "from outside" },
      { command: "id" },
      JSON.parse('{ "__proto__": null, "path": 7, "list": [[[{}]]] }'),
    ]);
    return { id: `call ${randomInteger(9)}`, name: chance(0.6) ? pick(tools) : pick(FORBIDDEN_TOOLS), input };
  };

  const askModel = (known: KnownActivation): void =>
    send({
      type: "model-request",
      ...scopeOf(known),
      step: stepOf(known),
      system: [{ text: "Obey.", stable: true }],
      kept: chance(0.98) ? randomInteger(1) : randomInteger(9),
      messages: [{ role: "user", text: textOf("Say anything. ") }],
      tools: chance(0.5) ? [...known.tools] : [...FORBIDDEN_TOOLS],
      toolUse: pick(["allowed", "forbidden"]),
    });
  const askCall = (known: KnownActivation): void =>
    send({ type: "step-request", ...scopeOf(known), step: stepOf(known), call: callOf(known) });
  const endCall = (known: KnownActivation): void => {
    const step = chance(0.9) && known.running.size > 0 ? pick([...known.running]) : stepOf(known);
    known.running.delete(step);
    send({ type: "step-done", ...scopeOf(known), step, text: textOf("it is done "), failed: chance(0.2) });
  };
  const finish = (known: KnownActivation): void => {
    const scope = scopeOf(known);
    claims += 1;
    const text = textOf(`claim ${claims} of ${scope.activation} `).trim();
    const kind = pick(["reply", "reply", "reply", "failed", "stopped"] as const);
    if (kind === "reply") onClaim?.(scope.activation, text);
    const outcome =
      kind === "reply"
        ? ({ kind, text } as const)
        : kind === "failed"
          ? ({ kind, error: { code: pick(CODES), message: textOf("broken "), hint: "Give it your keys." } } as const)
          : ({ kind } as const);
    send({ type: "finish", ...scope, outcome });
  };

  /** Frames that the real inmate never sends. */
  const misbehave = (): void => {
    const again = sentFrames.length === 0 ? undefined : pick(sentFrames);
    pick<() => void>([
      () => again !== undefined && link.send(again),
      () => again !== undefined && send(again),
      () => {
        for (let times = randomInteger(MAX_BURST); times > 0 && again !== undefined; times -= 1) send(again);
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
    for (let times = randomInteger(MAX_BURST); times > 0; times -= 1) {
      const stream = link.openStream(pick(["egress", "", "x".repeat(1024)]));
      stream.write(new Uint8Array(randomInteger(100_000))).catch(() => {});
      if (chance(0.3)) stream.reset();
      else if (chance(0.5)) stream.end();
    }
  };

  /** Sends a plausible frame for an activation, possibly at the wrong time. */
  const speak = (known: KnownActivation): void => {
    const earnest =
      known.running.size > 0
        ? endCall
        : known.calls.length > 0
          ? askCall
          : known.next === 0 || isGreedy
            ? askModel
            : pick([askModel, askModel, finish]);
    (chance(0.93) ? earnest : pick([askModel, askCall, endCall, finish]))(known);
    // The end of a call gets no answer, so send another frame.
    if (earnest === endCall && chance(0.95)) speak(known);
  };

  const hear = (frame: WardenFrame): void => {
    if (frame.type === "activate") {
      const { agent, room, person, session, activation, input, answers = [] } = frame;
      const last = answers.at(-1);
      const scope: FrameScope = { agent, room, person, session, activation };
      activations.set(activation, {
        scope,
        tools: input.tools,
        next: (input.before?.steps ?? 0) + answers.length,
        calls: last !== undefined && "message" in last ? last.message.toolCalls : [],
        running: new Set(),
      });
      return;
    }
    const known = activations.get(frame.activation);
    if (known === undefined || frame.type === "stop" || frame.type === "file-piece") return;
    known.next = frame.step + 1;
    if (frame.type === "model-result") known.calls = "message" in frame.result ? frame.result.message.toolCalls : [];
    else {
      known.calls = known.calls.slice(1);
      if (frame.result.verdict === "run") known.running.add(frame.step);
    }
  };

  try {
    if (chance(0.99)) send({ type: "hello", version: LINK_VERSION, runtime: "hostile" });
    for await (const frame of link.frames) {
      hear(frame as WardenFrame);
      for (let moves = chance(0.985) ? (chance(0.9) ? 1 : 2) : 0; moves > 0; moves -= 1) {
        if (chance(0.03)) misbehave();
        else if (activations.size > 0) speak(chance(0.9) ? newest(activations) : pick([...activations.values()]));
      }
    }
  } catch {
    // The link is broken, most likely by this inmate.
  }
};

const newest = (given: ReadonlyMap<string, KnownActivation>): KnownActivation =>
  [...given.values()].at(-1) as KnownActivation;
