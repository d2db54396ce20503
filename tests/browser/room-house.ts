/** A house whose agent gives each message its own reply. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { answerOneByOne, welcome } from "./browser.ts";

export const NARROW = { width: 390, height: 844 };

export const open = async () => {
  const stack = new AsyncDisposableStack();
  const model = stack.use(createModel());
  const home = stack.use(createHome());
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  const daemon = stack.use(await startDaemon(home.folder, { TEST_KEY: "key" }));
  await welcome(daemon);
  await answerOneByOne(daemon);
  return { model, daemon, [Symbol.asyncDispose]: () => stack.disposeAsync() };
};
