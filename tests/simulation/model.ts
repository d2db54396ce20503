/** The simulated model: validates requests as strictly as a vendor, and fails at random. */
import type { ErrorBody, ModelEvent, ModelMessage, ModelRequest } from "@hearth/protocol";
import { hash, type MemoryDisk, type Provider } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Complain, IsLate } from "./far-side.ts";
import type { Life } from "./life.ts";
import { answerTo, judge, keep, mixedUpIn, refusalOf, wrongPictureIn } from "./plan.ts";

export interface ModelFaults {
  /** Share of calls that fail. */
  trouble(): number;
}

/** Called for every request, with the handle of the agent. */
export type Asked = (agent: string, messages: readonly ModelMessage[]) => void;

/** A model with a small context, so that its conversations are compacted. */
export const TIGHT = "fake/tight";
/** Tokens that this model counts per message. */
const TOKENS_OF_ONE = 150;
const usageOf = ({ model, messages }: ModelRequest) =>
  TIGHT.endsWith(model) ? { ...USAGE, inputTokens: messages.length * TOKENS_OF_ONE } : USAGE;

const USAGE = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
const CODES = [
  "provider.overloaded",
  "provider.rate-limited",
  "provider.failed",
  "provider.unreachable",
  "provider.truncated",
] as const;
/** The silence after which a wire gives up. */
const SILENCE_MS = 120_000;

/** The journal has the request with references to files: without their bytes, or why a model refuses them. */
const withoutBytes = (key: string, value: unknown): unknown =>
  key === "data" || key === "refusal" ? undefined : value;

export const createModel = (options: {
  readonly life: Life;
  readonly chance: Chance;
  readonly disk: MemoryDisk;
  readonly faults: ModelFaults;
  readonly complain: Complain;
  readonly isLate: IsLate;
  readonly asked: Asked;
  /** Receives every completed text. */
  readonly completedTexts: Set<string>;
  /** Receives the id of every activation that reached the model. */
  readonly heard: Set<string>;
  /** How often each request was answered, by hash. */
  readonly answered: Map<string, number>;
  /** Whether a repeated request gets another answer. */
  readonly isFickle: boolean;
  /** Whether pure calls return pictures. */
  readonly hasPictures: boolean;
}): Provider => {
  const {
    life,
    chance,
    disk,
    faults,
    complain,
    isLate,
    asked,
    completedTexts,
    heard,
    answered,
    isFickle,
    hasPictures,
  } = options;
  const aborted: ModelEvent = { type: "error", error: { code: "provider.aborted", message: "It was stopped." } };
  const failed = (code: ErrorBody["code"]): ModelEvent => ({
    type: "error",
    error: { code, message: "It failed." },
    usage: USAGE,
  });

  const isJournaled = async (input_hash: string): Promise<boolean> => {
    const rows = await disk.store.select({ table: "steps", where: { kind: "model", state: "started", input_hash } });
    for (const { activation } of rows) heard.add(activation);
    // A late request had a row, which another daemon has ended since.
    return rows.length > 0 || isLate(life.name, input_hash);
  };

  return {
    kind: "scripted",
    traits: { offline: true, carries: ["image"] },
    models: async () => ["model"],
    async *stream(request, signal) {
      const inputHash = hash(JSON.stringify(request, withoutBytes));
      // Until here a daemon must notice that it was replaced. After this its request may be late.
      if (isLate(life.name, inputHash))
        complain("I3", `${life.name} asked the model after another daemon had taken the step over`);
      const stopped = Promise.withResolvers<"stopped">();
      if (signal.aborted) stopped.resolve("stopped");
      using _listening = life.listen(signal, () => stopped.resolve("stopped"));
      const arrives = life.cross("model.ask", async () => {
        if (signal.aborted) return;
        const why =
          refusalOf(request.messages) ?? mixedUpIn(request.messages) ?? wrongPictureIn(request.messages, hasPictures);
        if (why !== undefined)
          complain("I5", `a vendor would refuse this request: ${why}: ${JSON.stringify(request.messages)}`);
        if (!(await isJournaled(inputHash))) complain("I3", "the model was asked before its journal row");
        asked(/handle=(\w+)/.exec(request.system.map(({ text }) => text).join(" "))?.[1] ?? "?", request.messages);
      });
      if ((await Promise.race([arrives, stopped.promise])) === "stopped") return yield aborted;
      const isOf = (beginning: string): boolean => request.system.some(({ text }) => text.startsWith(beginning));
      const isKeeping = isOf("You keep the memory of");
      const answer = isOf("You decide whether")
        ? { text: judge(request.messages), toolCalls: [] }
        : isKeeping
          ? keep(request)
          : answerTo(request.messages, isFickle ? (answered.get(inputHash) ?? 0) : 0);
      // Compaction is retried often, so it fails as a whole only at a higher rate.
      const trouble = chance.happens(faults.trouble() * (isKeeping ? 3 : 1));
      const isSilent = trouble && chance.happens(0.2);
      if (trouble && chance.happens(0.5)) yield { type: "text-delta", text: "re" };
      const comes = isSilent ? life.world.clock.sleep(SILENCE_MS, signal) : life.cross("model.answer", () => {});
      if ((await Promise.race([comes, stopped.promise])) === "stopped" || signal.aborted) return yield aborted;
      if (trouble) return yield failed(isSilent ? "provider.timeout" : chance.pick(CODES));
      completedTexts.add(answer.text);
      answered.set(inputHash, (answered.get(inputHash) ?? 0) + 1);
      if (answer.text !== "") yield { type: "text-delta", text: answer.text };
      const toolCalls = request.toolUse === "forbidden" ? [] : [...answer.toolCalls];
      yield {
        type: "end",
        message: { role: "assistant", text: answer.text, toolCalls },
        stopReason: toolCalls.length > 0 ? "tool-calls" : "end",
        usage: usageOf(request),
      };
    },
  };
};
