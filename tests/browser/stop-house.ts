/** A house whose model is controlled by the test. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Daemon, startDaemon } from "../journeys/daemon.ts";
import { configFor, type Model } from "../journeys/model.ts";
import { welcome } from "./browser.ts";

export const startHouse = async (home: string, model: Model): Promise<Daemon> => {
  writeFileSync(join(home, "hearth.toml"), configFor(model.baseUrl));
  const daemon = await startDaemon(home, { TEST_KEY: "key" });
  await welcome(daemon);
  return daemon;
};
