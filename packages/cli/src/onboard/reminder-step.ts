/** The question about a first reminder: a job that repeats a text at a time. */
import { HearthError, isHearthError, type Job } from "@hearth/protocol";
import type { Answers } from "./answers.ts";
import type { Asker } from "./asker.ts";
import type { Apply, Situation, Step } from "./step.ts";

type Answer = NonNullable<Answers["reminder"]>;

/** Returns a prompt that the offline provider understands too. */
const toPrompt = (text: string): string => `Tell me this reminder, which is due now: ${text}`;

const MAX_NAME_LENGTH = 40;

/** Returns a free name for the job: "Water the plants!" becomes "water-the-plants". */
const toJobName = (text: string, takenNames: ReadonlySet<string>): string => {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  const shortName = words.slice(0, MAX_NAME_LENGTH).replaceAll(/^-+|-+$/g, "");
  const name = shortName === "" ? "reminder" : shortName;
  let suffix = 1;
  let freeName = name;
  while (takenNames.has(freeName)) freeName = `${name}-${(suffix += 1)}`;
  return freeName;
};

const listJobs = async ({ client, agent }: Situation): Promise<readonly Job[]> =>
  agent === undefined ? [] : (await (await client.jobs()).list(agent.handle)).jobs;

const describeJob = ({ name, understood }: Job): string => `${name}: ${understood}`;

const createApply =
  (situation: Situation, { text, when }: Answer): Apply =>
  async () => {
    const { client, agent } = situation;
    if (agent === undefined)
      throw new HearthError("record.not-found", "The house has no agent that could send the reminder.", {
        hint: "Add one: hearth agent add NAME",
      });
    const prompt = toPrompt(text);
    const jobs = await listJobs(situation);
    const sameJob = jobs.find((job) => job.prompt === prompt && job.status !== "over");
    if (sameJob !== undefined) return `The reminder is set already: ${describeJob(sameJob)}`;
    const name = toJobName(text, new Set(jobs.map((job) => job.name)));
    return describeJob(await (await client.jobs()).add(agent.handle, { name, prompt, when }));
  };

/** Asks until the house understands the time. Returns undefined if the person skips the question. */
const askTime = async ({ client, agent }: Situation, asker: Asker): Promise<string | undefined> => {
  const jobs = await client.jobs();
  for (;;) {
    const when = await asker.text({
      message: "When?",
      example: "in 20 minutes, tomorrow at 9, every weekday at 18:00",
    });
    if (when === undefined || agent === undefined) return when;
    try {
      await asker.wait("Reading the time", jobs.preview(agent.handle, { when }));
      return when;
    } catch (error) {
      if (!isHearthError(error, "job.invalid")) throw error;
      asker.failed(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
    }
  }
};

export const reminderStep: Step = {
  name: "reminder",
  title: "A reminder",
  progressText: "Setting the reminder",
  async describe(situation) {
    const jobs = (await listJobs(situation)).filter(({ status }) => status !== "over");
    return jobs.length === 0 ? undefined : jobs.map(describeJob).join("; ");
  },
  async ask(situation, asker) {
    const text = await asker.text({
      message: "What should your agent remind you of?",
      example: "Water the plants. Leave empty to skip",
    });
    if (text === undefined) return undefined;
    const when = await askTime(situation, asker);
    return when === undefined ? undefined : createApply(situation, { text, when });
  },
  applyFromFile: (situation, { reminder }) => (reminder === undefined ? undefined : createApply(situation, reminder)),
};
