/**
 * The model door: a program in a cell calls a model with only its environment, and the key never
 * enters the cell.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, type Json, startDaemon } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const LIMIT_MS = 300_000;
const KEY = "key-of-the-house-5b0e61";
const lacks = ["bwrap", "curl"].filter((program) => Bun.which(program) === null);

const ask = (path: string, body: object, flags = ""): string =>
  `curl -sS ${flags} "${path}" -H "x-api-key: $ANTHROPIC_API_KEY" -H "authorization: Bearer $OPENAI_API_KEY" -H "content-type: application/json" -d '${JSON.stringify(body)}'; echo`;
const messages = [{ role: "user", content: "from curl" }];

test.skipIf(lacks.length > 0)(
  `curl in a cell of bubblewrap asks the agent's model by both APIs, streaming or not, once a person has allowed it${lacks.map((program) => ` (${program} is not installed)`).join("")}`,
  async () => {
    using home = createHome();
    await using model = createModel();
    writeFileSync(
      join(home.folder, "hearth.toml"),
      `${configFor(model.baseUrl)}cell = "bubblewrap"\ntools = ["shell"]\n`,
    );
    await using house = await startDaemon(home.folder, { TEST_KEY: KEY });
    let said = "";
    const turn = async (command: string): Promise<readonly Json[]> => {
      model.answer = (request) => {
        const last = request.messages.at(-1);
        if (last.content === "from curl") return ["Hello, ", "program."];
        if (last.role !== "tool") return [{ tool: "shell", input: { command, timeoutSeconds: 100 } }];
        said = last.content;
        return ["done"];
      };
      expect((await house.hearth("chat", "main", "-m", "go")).code).toBe(0);
      const [{ id }] = JSON.parse((await house.hearth("activation", "list", "main", "--limit", "1", "--json")).stdout);
      return JSON.parse((await house.hearth("activation", "egress", id, "--json")).stdout);
    };

    const [refused] = await turn(`env; ${ask("http://model.hearth/v1/messages", { messages })}`);
    expect(said).toContain("To allow it: hearth egress allow main model.hearth");
    expect(said).not.toMatch(/ANTHROPIC|OPENAI/);
    expect(refused).toMatchObject({ host: "model.hearth", outcome: "refused" });

    expect((await house.hearth("egress", "allow", "main", "model.hearth")).code).toBe(0);
    const lines = await turn(
      [
        "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'",
        ask("$ANTHROPIC_BASE_URL/v1/messages", { model: "any", max_tokens: 50, messages }),
        ask("$OPENAI_BASE_URL/chat/completions", { messages, stream: true }, "-N"),
        ask("$ANTHROPIC_BASE_URL/v1/messages", { messages, temperature: 0 }),
        "curl -sS $OPENAI_BASE_URL/models",
      ].join("; "),
    );
    expect(said).toContain('"content":[{"type":"text","text":"Hello, program."}]');
    expect(said).toContain('"delta":{"content":"Hello, "}');
    expect(said).toContain("data: [DONE]");
    expect(said).toContain(
      '{"type":"error","error":{"type":"invalid_request_error","message":"`temperature` 0 cannot be',
    );
    expect(said).toContain('"id":"test/model"');
    expect(said).toContain("ANTHROPIC_API_KEY=no-key-needed");
    expect(lines.map(({ host, path, outcome, status }) => [host, path, outcome, status])).toEqual([
      ["model.hearth", "/v1/messages", "allowed", 200],
      ["model.hearth", "/v1/chat/completions", "allowed", 200],
      ["model.hearth", "/v1/messages", "allowed", 400],
      ["model.hearth", "/v1/models", "allowed", 200],
    ]);

    const asked = model.requests.flatMap((request, index) =>
      request.messages.at(-1).content === "from curl" ? [{ model: request.model, key: model.keys[index] }] : [],
    );
    expect(asked).toEqual(Array(2).fill({ model: "model", key: `Bearer ${KEY}` }));
    expect(JSON.stringify([said, model.requests, lines])).not.toContain(KEY);
  },
  LIMIT_MS,
);
