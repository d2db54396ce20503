/**
 * Performs the operations of runs with jobs: requests to the port, edits of jobs files, and changes
 * of the clock.
 */
import type { Answer, House } from "./house.ts";
import { JOBS_FILE, tableOf, withTable } from "./job-terms.ts";
import type { JobOperation, WantedJob } from "./job-work.ts";

type AskOnce = (method: string, path: string, body?: unknown) => Promise<Answer | undefined>;
type Insist = (method: string, path: string, body?: unknown) => Promise<unknown>;

const MINUTE_MS = 60_000;
const AGENTS = ["main", "aide"] as const;

export const createJobRunner = (options: {
  readonly house: House;
  readonly askOnce: AskOnce;
  readonly insist: Insist;
}) => {
  const { house, askOnce, insist } = options;
  const { disk, timeline, faults } = house;
  const { history, runs } = house.jobs;

  const instant = (inMs: number): string => new Date(Math.round(history.wall() + inMs)).toISOString();

  const wish = ({ prompt, times, catchUp, context, untilInMs }: WantedJob): Record<string, string> => ({
    ...{ prompt, context, catchUp },
    ...(times.kind === "cron"
      ? { cron: times.cron }
      : times.kind === "every"
        ? { every: times.every }
        : { once: instant(times.inMs) }),
    ...(untilInMs === undefined ? {} : { until: instant(untilInMs) }),
  });

  /** The job as a person writes it into the file, with the start of its interval. */
  const table = (job: WantedJob): string => {
    const { catchUp, ...fields } = wish(job);
    const { times } = job;
    const from = times.kind === "every" ? { from: instant(times.firstInMs - spanOf(times.every)) } : {};
    return Object.entries({ ...fields, ...from, catch_up: catchUp })
      .map(([key, value]) => `${key} = "${value}"\n`)
      .join("");
  };

  /**
   * Sends a request about a job. A success proves that the house has read the files as they were at
   * the request, and knows the change that it wrote itself.
   */
  const ask = async (
    agent: string,
    name: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer | undefined> => {
    const asked = timeline.now();
    const changes = history.stretches(agent, name).length;
    const answer = await askOnce(method, `/api/agents/${agent}/jobs${path}`, body);
    if (answer === undefined || answer.status >= 400) return answer;
    history.known(agent, asked);
    const since = history.stretches(agent, name).slice(changes);
    // With two changes in the meantime, the house's own change cannot be identified.
    const [own] = since;
    if (since.length === 1 && own?.isByHand === false) own.known = timeline.now();
    return answer;
  };

  const editFile = async (agent: string, edit: (text: string) => string): Promise<void> => {
    // Skip while the brain is being created.
    if ((await disk.brains.read(`${agent}/SOUL.md`)) === undefined) return;
    const path = `${agent}/${JOBS_FILE}`;
    const text = (await disk.brains.read(path)) ?? "";
    const fresh = edit(text);
    if (fresh === text) return;
    await disk.brains.write(path, fresh);
    history.saved(agent, fresh, { isByHand: true });
  };

  const byHand = ({ how, agent, name, job }: Extract<JobOperation, { do: "job-by-hand" }>): Promise<void> =>
    editFile(agent, (text) => {
      const own = tableOf(text, name);
      if (how === "put") return withTable(text, name, table(job));
      if (own === undefined) return text;
      switch (how) {
        case "drop":
          return withTable(text, name, undefined);
        case "pause":
          return withTable(text, name, `${own.replace(/^paused = true\n/m, "")}paused = true\n`);
        case "resume":
          return withTable(text, name, own.replace(/^paused = true\n?/m, ""));
        case "mistake":
          return withTable(text, name, own.replace(/^(cron|every|once) = .*$/m, '$1 = "now and then"'));
      }
    });

  /** Makes the house read every jobs file. */
  const look = async (): Promise<void> => {
    for (const agent of AGENTS) {
      const asked = timeline.now();
      await insist("GET", `/api/agents/${agent}/jobs`);
      history.known(agent, asked);
    }
  };

  return {
    async perform(operation: JobOperation): Promise<void> {
      if (operation.do === "near-minute") {
        const left = MINUTE_MS - (history.wall() % MINUTE_MS) - operation.beforeMs;
        faults.skewMs += left;
        return history.clockSet(faults.skewMs);
      }
      const { agent, name } = operation;
      switch (operation.do) {
        case "job-add":
          return void (await ask(agent, name, "POST", "", { name, ...wish(operation.job) }));
        case "job-edit": {
          const { context: _, until: _until, prompt, catchUp, ...times } = wish(operation.job);
          const patch = { prompt: { prompt }, times, catchUp: { catchUp } }[operation.change];
          return void (await ask(agent, name, "PATCH", `/${name}`, patch));
        }
        case "job-pause":
        case "job-resume":
          return void (await ask(agent, name, "PATCH", `/${name}`, { paused: operation.do === "job-pause" }));
        case "job-cancel":
          return void (await ask(agent, name, "DELETE", `/${name}`));
        case "job-run": {
          const count = runs.get(`${agent} ${name}`) ?? { asked: 0, answered: 0 };
          runs.set(`${agent} ${name}`, count);
          count.asked += 1;
          const answer = await ask(agent, name, "POST", `/${name}/run`);
          if (answer !== undefined && answer.status < 400) count.answered += 1;
          return;
        }
        case "job-by-hand":
          return byHand(operation);
      }
    },

    look,

    /** Ends all jobs in the given way, so that the house can come to rest. */
    async end(how: "cancel" | "pause" | "by hand", later: (ms: number) => Promise<void>): Promise<void> {
      for (const key of history.jobs()) {
        const [agent = "", name = ""] = key.split(" ");
        const path = `/api/agents/${agent}/jobs/${name}`;
        if (how === "cancel") await insist("DELETE", path);
        else if (how === "pause") await insist("PATCH", path, { paused: true });
      }
      if (how !== "by hand") return look();
      const edited = timeline.now();
      for (const agent of AGENTS) await editFile(agent, () => "");
      // While a slot is due, the house reads the files every minute.
      await later(MINUTE_MS + 5000);
      for (const agent of AGENTS) history.known(agent, edited);
    },
  };
};

const spanOf = (every: string): number =>
  Number.parseInt(every, 10) * (every.endsWith("s") ? 1000 : every.endsWith("m") ? MINUTE_MS : 60 * MINUTE_MS);
