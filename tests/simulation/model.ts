/** The model's far side: it answers what is asked, as strictly as a vendor, and has bad moments. */
import type { ErrorBody, ModelEvent, ModelMessage, ModelRequest } from "@hearth/protocol";
import { hash, type MemoryDisk, type Provider } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Complain, IsLate } from "./far-side.ts";
import type { Life } from "./life.ts";
import { answerTo, judge, keep, mixedUpIn, refusalOf } from "./plan.ts";

export interface ModelFaults {
  /** Share of calls that fail. */
  trouble(): number;
}

/** Told of every call, with the handle of the agent that makes it. */
export type Asked = (agent: string, messages: readonly ModelMessage[]) => void;

/** A model that takes little, so that talks with it are compacted. */
export const TIGHT = "fake/tight";
/** By its own count, of each message. */
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
/** As long as a wire is silent before it is given up. */
const SILENCE_MS = 120_000;

export const createModel = (options: {
  readonly life: Life;
  readonly chance: Chance;
  readonly disk: MemoryDisk;
  readonly faults: ModelFaults;
  readonly complain: Complain;
  readonly isLate: IsLate;
  readonly asked: Asked;
  /** Where it is written down what was said to its end. */
  readonly spoken: Set<string>;
  /** The same, of the activations that it was asked for. */
  readonly heard: Set<string>;
  /** How often each request was answered, by its hash. */
  readonly answered: Map<string, number>;
  /** Whether it gives another answer when it gets the same request again. */
  readonly isFickle: boolean;
}): Provider => {
  const { life, chance, disk, faults, complain, isLate, asked, spoken, heard, answered, isFickle } = options;
  const aborted: ModelEvent = { type: "error", error: { code: "provider.aborted", message: "It was stopped." } };
  const failed = (code: ErrorBody["code"]): ModelEvent => ({
    type: "error",
    error: { code, message: "It failed." },
    usage: USAGE,
  });

  const isJournaled = async (input_hash: string): Promise<boolean> => {
    const rows = await disk.store.select({ table: "steps", where: { kind: "model", state: "started", input_hash } });
    for (const { activation } of rows) heard.add(activation);
    // A late one has its row, and another daemon has ended that row since.
    return rows.length > 0 || isLate(life.name, input_hash);
  };

  return {
    kind: "scripted",
    traits: { offline: true },
    models: async () => ["model"],
    async *stream(request, signal) {
      const inputHash = hash(JSON.stringify(request));
      // It may come late after this, and not before: until here a daemon has to notice that it was replaced.
      if (isLate(life.name, inputHash))
        complain("I3", `${life.name} asked the model, and another one had taken it over`);
      const stopped = Promise.withResolvers<"stopped">();
      if (signal.aborted) stopped.resolve("stopped");
      using _listening = life.listen(signal, () => stopped.resolve("stopped"));
      const arrives = life.cross("model.ask", async () => {
        if (signal.aborted) return;
        const why = refusalOf(request.messages) ?? mixedUpIn(request.messages);
        if (why !== undefined)
          complain("I5", `a request that a vendor refuses: ${why}: ${JSON.stringify(request.messages)}`);
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
      // What is tried again and again fails as a whole only where most of it fails.
      const trouble = chance.happens(faults.trouble() * (isKeeping ? 3 : 1));
      const isSilent = trouble && chance.happens(0.2);
      if (trouble && chance.happens(0.5)) yield { type: "text-delta", text: "re" };
      const comes = isSilent ? life.world.clock.sleep(SILENCE_MS, signal) : life.cross("model.answer", () => {});
      if ((await Promise.race([comes, stopped.promise])) === "stopped" || signal.aborted) return yield aborted;
      if (trouble) return yield failed(isSilent ? "provider.timeout" : chance.pick(CODES));
      spoken.add(answer.text);
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
