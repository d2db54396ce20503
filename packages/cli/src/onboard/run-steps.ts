/** Runs the steps of onboarding, with a person's answers or with those of a file. */
import type { Client } from "@hearth/client";
import { type HearthError, isHearthError } from "@hearth/protocol";
import { agentStep } from "./agent-step.ts";
import type { Answers } from "./answers.ts";
import type { Asker } from "./asker.ts";
import { channelStep } from "./channel-step.ts";
import { modelStep } from "./model-step.ts";
import { personStep } from "./person-step.ts";
import { reminderStep } from "./reminder-step.ts";
import { readSituation, type Step } from "./step.ts";

export interface StepOutcome {
  readonly step: Step["name"];
  /** `kept`: the question was skipped, so the settings stay. */
  readonly state: "set" | "kept" | "failed";
  /** The current settings, or why the step failed. */
  readonly detail?: string;
  readonly hint?: string;
}

export interface StepsOptions {
  readonly client: Client;
  /** The time zone of the terminal. */
  readonly zone: string;
  now(): number;
}

const steps: readonly Step[] = [personStep, agentStep, modelStep, channelStep, reminderStep];

const describeFailure = ({ message, hint }: HearthError): string =>
  hint === undefined ? message : `${message} ${hint}`;

/** Asks every question. If an answer fails, asks for another one. */
export const askSteps = async (options: StepsOptions, asker: Asker): Promise<readonly StepOutcome[]> => {
  const outcomes: StepOutcome[] = [];
  for (const step of steps) outcomes.push(await askStep(options, step, asker));
  await endWelcome(options);
  return outcomes;
};

const askStep = async ({ client, zone }: StepsOptions, step: Step, asker: Asker): Promise<StepOutcome> => {
  for (;;) {
    const situation = await readSituation(client, zone);
    const state = await step.describe(situation);
    asker.section(step.title, state === undefined ? undefined : `Now: ${state}`);
    try {
      const apply = await step.ask(situation, asker);
      if (apply === undefined) return { step: step.name, state: "kept" };
      const detail = await asker.wait(step.progressText, apply());
      asker.done(detail);
      return { step: step.name, state: "set", detail };
    } catch (error) {
      if (!isHearthError(error) || error.code === "house.unreachable") throw error;
      asker.failed(describeFailure(error));
      const choice = await asker.choose("What now?", [
        { value: "again", label: "Try again" },
        { value: "skip", label: "Skip" },
      ]);
      if (choice === "skip") return { step: step.name, state: "kept" };
    }
  }
};

/** Applies the answers in order. If one fails, the others are still applied. */
export const applyAnswers = async (options: StepsOptions, answers: Answers): Promise<readonly StepOutcome[]> => {
  const { client, zone } = options;
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    const apply = step.applyFromFile(await readSituation(client, zone), answers);
    outcomes.push(apply === undefined ? { step: step.name, state: "kept" } : await tryApply(step, apply));
  }
  await endWelcome(options);
  return outcomes;
};

const tryApply = async (step: Step, apply: () => Promise<string>): Promise<StepOutcome> => {
  try {
    return { step: step.name, state: "set", detail: await apply() };
  } catch (error) {
    if (!isHearthError(error) || error.code === "house.unreachable") throw error;
    const { message, hint } = error;
    return { step: step.name, state: "failed", detail: message, ...(hint === undefined ? {} : { hint }) };
  }
};

/** Records that the questions were answered, so that the browser does not ask them again. */
const endWelcome = async ({ client, now }: StepsOptions): Promise<void> => {
  const { house } = await client.me();
  if (house.content.welcomedAt !== undefined) return;
  await client.houses.update(house.id, { content: { welcomedAt: now() } });
};
