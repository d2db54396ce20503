/** `hearth onboard`: asks the questions of a first start, or takes the answers from a file. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { requireLocal } from "../at-rest/require-local.ts";
import { UsageError } from "../args/usage-error.ts";
import { type Context, defineCommand } from "../command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Answers } from "../onboard/answers.ts";
import type { StepOutcome } from "../onboard/run-steps.ts";
import type { StartOutcome } from "../onboard/start-house.ts";
import type { Output } from "../show/output.ts";
import { safeLine, safeText } from "../show/safe-text.ts";

const EXAMPLE = {
  person: { name: "Ada", timezone: "Europe/Berlin" },
  agent: { name: "Ember", purpose: "Keeps our appointments." },
  model: { provider: "anthropic", model: "claude-sonnet-5-5", apiKey: "env:ANTHROPIC_API_KEY" },
  channel: { kind: "telegram", token: "file:/run/secrets/telegram" },
  reminder: { text: "Water the plants", when: "every saturday at 10" },
} satisfies Answers;

export const onboard = defineCommand({
  summary: "Sets up the house: you, your agent, its model, a chat platform, a reminder",
  needs: "access to this machine",
  flags: {
    answers: { kind: "text", value: "FILE", summary: "take the answers from a JSON file and ask nothing" },
    yes: { kind: "switch", summary: "ask nothing, and keep what is set" },
  },
  details: [
    "Starts the house in the background if it does not run. An empty answer skips a question. Run it again to change an answer.",
    "A model and a chat platform are tested with a real request before they are used.",
    `The answers file contains any of these answers: ${JSON.stringify(EXAMPLE, undefined, 2)}`,
    "Secrets in it are references: env:NAME, file:PATH or secret:NAME. Exits with 1 when an answer failed.",
  ].join("\n"),
  examples: ["hearth onboard", "hearth onboard --yes", "hearth onboard --answers answers.json --json"],
  async run(context, { answers: file, yes }) {
    const { json, output, terminal, home } = context;
    requireLocal(context);
    const answers = await readAnswers(file, context);
    const isInteractive = answers === undefined && !yes;
    if (isInteractive && (!terminal.stdinIsTerminal || !terminal.stdoutIsTerminal || json))
      throw new UsageError(
        json ? "With --json, hearth onboard asks no questions." : "hearth onboard asks its questions at a terminal.",
        "Give the answers in a file: --answers FILE. Or start the house and keep what is set: --yes",
      );
    const { startHouse } = await import("../onboard/start-house.ts");
    const outcome = await startHouse(home, terminal);
    if (outcome.kind === "failed") {
      terminal.err(safeText(outcome.output));
      output.failure({ message: `The house in ${home} did not start.` });
      return toExit(outcome.code);
    }
    const client = await context.connect();
    const { askSteps, applyAnswers } = await import("../onboard/run-steps.ts");
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const options = { client, zone, now: terminal.now };
    const outcomes = isInteractive
      ? await askSteps(options, (await import("../onboard/clack-asker.ts")).createClackAsker())
      : await applyAnswers(options, answers ?? {});
    const hasFailed = outcomes.some(({ state }) => state === "failed");
    if (json) output.json({ started: outcome.kind === "started", answers: outcomes });
    else {
      if (!isInteractive) printOutcomes(outcomes, context);
      printNext(outcome, output);
    }
    return hasFailed ? exitCodes.failed : exitCodes.done;
  },
});

/** Returns the exit code of `hearth up`. For an unknown code, such as that of a signal, returns `failed`. */
const toExit = (code: number): ExitCode =>
  Object.values(exitCodes).find((exitCode) => exitCode === code) ?? exitCodes.failed;

const readAnswers = async (file: string | undefined, { terminal }: Context): Promise<Answers | undefined> => {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(resolve(terminal.cwd, file), "utf8");
  } catch {
    throw new UsageError(`${file} cannot be read.`, "Give a JSON file with the answers: --answers FILE");
  }
  const { parseAnswers } = await import("../onboard/answers.ts");
  return parseAnswers(text, file);
};

const printOutcomes = (outcomes: readonly StepOutcome[], { output }: Context): void => {
  for (const { step, state, detail, hint } of outcomes) {
    if (state === "failed") output.failure({ message: `${step}: ${detail ?? ""}`, hint });
    else output.line(`${step}: ${state === "kept" ? "kept" : safeLine(detail ?? "")}`);
  }
};

const printNext = (outcome: StartOutcome, output: Output): void => {
  output.note("To chat here: hearth chat. In a browser: hearth login");
  if (outcome.kind === "started")
    output.note(
      "The house runs in the background. To stop it: hearth stop. To start it with this machine: hearth service install",
    );
};
