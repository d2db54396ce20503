/**
 * Measures the first steps of a new user, from a copy of the tracked files: the install, the
 * answers of onboarding, and a reminder that fires.
 */
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { startChild } from "./child.ts";
import { sharedNow } from "./clock.ts";
import { copyFiles, trackedFiles } from "./install.ts";
import { temporaryFolder } from "./site.ts";

const TARGET_S = 180;
const TEXT = "Water the plants";
const LOOK_MS = 50;
const GIVE_UP_MS = 120_000;

export const onboard: Bench = {
  name: "onboard",
  about: "from a clone to the reply of a first reminder, with answers from a file",
  async run(site) {
    const files = await trackedFiles(site);
    if (typeof files === "string") return [{ what: "onboard", skipped: files }];
    await using folder = await temporaryFolder(site);
    const [checkout, home] = [join(folder.path, "checkout"), join(folder.path, "home")];
    await copyFiles(site.root, checkout, files);
    await mkdir(home);
    await writeFile(join(home, "hearth.toml"), "version = 1\n\n[server]\nport = 0\n");
    const answers = {
      person: { name: "Ada", timezone: "UTC" },
      agent: { name: "Ember", purpose: "Reminds us." },
      reminder: { text: TEXT, when: "in 1 second" },
    };
    await writeFile(join(folder.path, "answers.json"), JSON.stringify(answers));
    const beganMs = sharedNow();
    const run = (...words: string[]) =>
      startChild(site, { command: ["./hearth", ...words, "--home", home], cwd: checkout });
    const endHouse = site.own(async () => {
      await using stopping = run("stop");
      await stopping.exited;
    });
    site.say("onboard: installing and answering");
    let answeredMs: number;
    try {
      await using child = run("onboard", "--answers", join(folder.path, "answers.json"));
      await child.line("reminder: ");
      answeredMs = sharedNow();
      await untilReminded(home);
    } finally {
      await endHouse();
    }
    const secondsTo = (atMs: number): number => (atMs - beganMs) / 1000;
    const note = "offline model; npm's cache as it is; the reminder was due after 1 s";
    return [
      { what: "install, start, answers", value: secondsTo(answeredMs), unit: "s", samples: 1, note },
      {
        what: "clone to a reminder that fired",
        value: secondsTo(sharedNow()),
        unit: "s",
        samples: 1,
        target: { atMost: TARGET_S },
        note,
      },
    ];
  },
};

/** Resolves when the agent has replied with the reminder. */
const untilReminded = async (home: string): Promise<void> => {
  const read = async (name: string): Promise<string> => (await readFile(join(home, "run", name), "utf8")).trim();
  const headers = { authorization: `Bearer ${await read("token")}` };
  const url = `${await read("url")}/api/rooms/ember/events`;
  for (const endMs = sharedNow() + GIVE_UP_MS; sharedNow() < endMs; await Bun.sleep(LOOK_MS)) {
    const { events } = (await (await fetch(url, { headers })).json()) as { events: { body?: { text: string } }[] };
    if (events.some(({ body }) => body?.text === `Reminder: ${TEXT}`)) return;
  }
  throw new Error("The reminder did not fire.");
};
