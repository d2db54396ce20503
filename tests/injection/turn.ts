/**
 * Runs one turn of a real house with the obedient model, and decides the approvals that it needs.
 */
import { bootInmate } from "@hearth/inmate/bun/boot";
import {
  createBunWorld,
  createInlineBackend,
  createMemoryDisk,
  createScriptedProvider,
  type ExternalTools,
  HOST,
  openMemoryWarden,
  type ScriptedReply,
  type Stage,
  TOKEN,
} from "@hearth/warden/memory-warden";
import type { ModelRequest, ToolCall } from "@hearth/protocol";

const CONFIG = `version = 1
[turns]
max_tool_calls = 100
[providers.fake]
kind = "scripted"
[agents.main]
model = "fake/model"
`;

export interface Turn {
  readonly prompt: string;
  readonly tools: ExternalTools;
  readonly model: (request: ModelRequest) => ScriptedReply;
  /** Decides an approval: returns whether to allow the call. */
  readonly decide: (name: string, input: ToolCall["input"]) => boolean;
}

/** Runs the turn. Resolves when the agent has answered. */
export const takeTurn = async ({ prompt, tools, model, decide }: Turn): Promise<void> => {
  const world = createBunWorld();
  const backend = createInlineBackend({ boot: (cell) => bootInmate({ ...cell, clock: world.clock }) });
  const approval: Stage = (effect, asks = []) => {
    if (effect.kind !== "tool" || asks.length === 0 || decide(effect.call.name, effect.call.input))
      return { verdict: "allowed" };
    return { verdict: "refused", text: "A person said no." };
  };
  await using warden = await openMemoryWarden({
    ...{ world, backend, config: CONFIG, channels: {}, house: "alone", further: tools },
    log: { write: () => {} },
    disk: createMemoryDisk(),
    provider: createScriptedProvider((request) => model(request)),
    stages: { approval },
  });
  await warden.start();
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { host: HOST, authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await warden.http.handle(new Request(`http://${HOST}${path}`, { method, headers, ...sent }));
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  await ask("PATCH", "/api/agents/main", { content: { tools: [...Object.keys(tools), "ask_source"] } });
  await ask("POST", "/api/rooms/main/messages", { text: prompt });
  for (let after = 1; ;) {
    const { next } = await ask("GET", `/api/rooms/main/events?after=${after}&limit=10&wait=1000`);
    after = next;
    const [activation] = await ask("GET", "/api/agents/main/activations");
    if (activation?.state === "replied") return;
    if (activation?.endedAt !== undefined)
      throw new Error(`The turn ended as ${activation.state}: ${activation.reason}`);
  }
};
