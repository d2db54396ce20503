/** The questions of onboarding against a fake house. The real house is in `tests/journeys`. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createFakeJob } from "@hearth/protocol/job-fake";
import { connect } from "../connect.ts";
import { createFakeAsker, type FakeAsker } from "../fakes/fake-asker.ts";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";
import { createFakeTerminal } from "../fakes/fake-terminal.ts";
import { parseAnswers } from "./answers.ts";
import { askSteps, type StepOutcome } from "./run-steps.ts";

const TOOK = { ok: true, detail: "It answered.", durationMs: 5 };
const REJECTED = { ok: false, detail: "The key is wrong.", durationMs: 5 };
const LIST = { ok: true, detail: "2 models", durationMs: 5, models: ["large", "small"] };
const info = { source: "config", ready: true, detail: "", kind: "openai" };
const channel = { name: "telegram", kind: "telegram", mode: "poll", agent: "main", queued: 0, unknown: 0 };

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
  house.answer("GET /api/providers", [{ ...info, name: "offline", kind: "offline", source: "built-in" }]);
  house.answer("GET /api/providers/found", []);
  house.answer("GET /api/providers/known", [
    {
      name: "acme",
      kind: "openai",
      baseUrl: "https://acme.test/v1",
      suggestedModel: "acme/small",
      keyPage: "acme.test",
    },
  ]);
  house.answer("GET /api/channels", []);
  house.answer("GET /api/agents/main/jobs", { jobs: [], mistakes: [] });
});
afterEach(() => house.close());

/** Answers the questions, and returns the outcomes by step. */
const ask = async (asker: FakeAsker): Promise<Readonly<Record<string, StepOutcome>>> => {
  const terminal = createFakeTerminal();
  const client = await connect({ terminal, home: house.home, url: undefined, key: undefined, isHomeNamed: false });
  const outcomes = await askSteps({ client, zone: "UTC", now: () => 7 }, asker);
  return Object.fromEntries(outcomes.map((outcome) => [outcome.step, outcome]));
};
/** The answers before and after the model's, which skip their questions. */
const around = (...answers: string[]) => createFakeAsker(["", "", "", "", ...answers, "skip", ""]);
const sent = (start: string) => house.requests.filter((request) => request.startsWith(start));

describe("questions", () => {
  test("skipped ones change nothing, and the browser does not ask them again", async () => {
    const outcomes = await ask(around("skip"));
    expect(Object.values(outcomes).map(({ state }) => state)).toEqual(Array(5).fill("kept"));
    expect(house.requests.filter((request) => !request.startsWith("GET"))).toEqual([
      `PATCH /api/houses/${house.house.id} {"content":{"welcomedAt":7}}`,
    ]);
  });

  test("a vendor's key is used for a list and a call, before the provider is added", async () => {
    house.answer("POST /api/provider-tests", LIST);
    house.answer("POST /api/providers", { ...info, name: "acme" });
    const asker = around("vendor:acme", "sk-typed", "large");
    const { model } = await ask(asker);
    expect(model).toMatchObject({ state: "set", detail: "acme/large answered, and Main uses it" });
    const place = '"name":"acme","kind":"openai"';
    const rest = '"baseUrl":"https://acme.test/v1"';
    expect(house.requests.filter((request) => /^(POST|PATCH \/api\/agents)/.test(request))).toEqual([
      `POST /api/provider-tests {${place},"key":"sk-typed",${rest}}`,
      `POST /api/provider-tests {${place},${rest},"key":"sk-typed","model":"large"}`,
      `POST /api/providers {${place},${rest},"key":"sk-typed"}`,
      `PATCH /api/agents/${house.main.id} {"content":{"model":"acme/large"}}`,
    ]);
    expect([...asker.questions, ...asker.shownTexts].join("\n")).not.toContain("sk-typed");
  });

  test("a server of this machine needs no key", async () => {
    house.answer("GET /api/providers/found", [
      { name: "ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3.2"] },
    ]);
    house.answer("POST /api/provider-tests", TOOK);
    house.answer("POST /api/providers", { ...info, name: "ollama" });
    expect((await ask(around("found:ollama", "llama3.2")))["model"]).toMatchObject({ state: "set" });
    expect(sent("POST /api/providers ")).toEqual([
      'POST /api/providers {"name":"ollama","kind":"openai","baseUrl":"http://127.0.0.1:11434/v1"}',
    ]);
  });

  test("a model that does not answer is asked for again, and adds no provider", async () => {
    house.answer("POST /api/provider-tests", REJECTED);
    const asker = around("vendor:acme", "sk-wrong", "small", "again", "vendor:acme", "sk-wrong", "small", "skip");
    expect((await ask(asker))["model"]).toMatchObject({ state: "kept" });
    expect(
      asker.shownTexts.filter((text) => text === "FAILED The test of acme/small failed: The key is wrong."),
    ).toHaveLength(2);
    expect(sent("POST /api/providers ")).toEqual([]);
  });

  test("a channel is removed again when its platform rejects the token", async () => {
    house.answer("POST /api/channels", { ...channel, state: "failing" });
    house.answer("POST /api/channels/telegram/test", { ok: false, detail: "Unauthorized" });
    house.answer("DELETE /api/channels/telegram", {});
    const asker = createFakeAsker(["", "", "", "", "skip", "telegram", "12:wrong", "skip", ""]);
    expect((await ask(asker))["channel"]).toMatchObject({ state: "kept" });
    expect(sent("DELETE")).toEqual(["DELETE /api/channels/telegram"]);
    expect(asker.shownTexts).toContain("FAILED The test of telegram failed: Unauthorized");
  });

  test("the time of a reminder is asked for until it is understood", async () => {
    house.refuse("POST /api/agents/main/jobs/preview", { code: "job.invalid", message: "Unknown time." });
    const asker = createFakeAsker(["", "", "", "", "skip", "skip", "Tea!", "sometime", ""]);
    expect((await ask(asker))["reminder"]).toMatchObject({ state: "kept" });
    expect(asker.shownTexts).toContain("FAILED Unknown time.");
    expect(sent("POST /api/agents/main/jobs {")).toEqual([]);
  });

  test("a reminder gets a free name", async () => {
    const own = createFakeJob({ agent: house.main.id, owner: house.owner.id });
    house.answer("GET /api/agents/main/jobs", { jobs: [{ ...own, name: "tea" }], mistakes: [] });
    house.answer("POST /api/agents/main/jobs/preview", { schedule: own.schedule, understood: "soon", next: [] });
    house.answer("POST /api/agents/main/jobs", { ...own, name: "tea-2" });
    await ask(createFakeAsker(["", "", "", "", "skip", "skip", "Tea!", "in 5 minutes"]));
    expect(sent("POST /api/agents/main/jobs {")).toEqual([
      'POST /api/agents/main/jobs {"name":"tea-2","prompt":"Tell me this reminder, which is due now: Tea!","when":"in 5 minutes"}',
    ]);
  });
});

describe("answers of a file", () => {
  const refusal = (answers: object): string => {
    try {
      parseAnswers(JSON.stringify(answers), "a.json");
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };

  test.each([
    [{ person: { timezone: "Mars" } }, "a.json: person.timezone takes an IANA time zone such as Europe/Berlin."],
    [{ model: { provider: "acme" } }, "a.json: model.model is missing."],
    [{ model: { provider: "acme", model: "m", key: "sk-1" } }, 'a.json: model takes no "key".'],
    [
      { model: { provider: "acme", model: "m", apiKey: "sk-1" } },
      "a.json: model.apiKey takes env:NAME, file:PATH or secret:NAME, never the secret itself.",
    ],
    [
      { channel: { kind: "telegram", token: "12:x" } },
      "a.json: channel.token takes env:NAME, file:PATH or secret:NAME, never the secret itself.",
    ],
    [{ remainder: {} }, 'a.json: The file takes no "remainder".'],
    [[], "a.json: The file takes an object, not a list."],
  ])("%j is refused with the name of the field, and without its value", (answers, message) => {
    expect(refusal(answers)).toBe(message);
  });

  test("are needed where no person is at a terminal", async () => {
    for (const options of [{ stdinIsTerminal: false, stdoutIsTerminal: true }, { stdoutIsTerminal: false }]) {
      const { code, err } = await runAt(house, ["onboard"], options);
      expect([code, err]).toEqual([2, expect.stringContaining("--answers FILE")]);
    }
    const { code, err } = await runAt(house, ["onboard", "--json"], { stdoutIsTerminal: true });
    expect([code, err]).toEqual([2, expect.stringContaining("asks no questions")]);
    expect(house.requests).toEqual([]);
  });

  test("--yes keeps everything", async () => {
    const { code, out } = await runAt(house, ["onboard", "--yes"]);
    expect([code, out]).toEqual([0, "person: kept\nagent: kept\nmodel: kept\nchannel: kept\nreminder: kept\n"]);
  });
});
