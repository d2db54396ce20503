/** A house with one agent that has a shell. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { welcome } from "./browser.ts";

const env = { TEST_KEY: "key" };

/** A house whose model is controlled by the test. `configOf`: the config for the model's address. */
export const open = async (configOf: (baseUrl: string) => string = configFor) => {
  const stack = new AsyncDisposableStack();
  const model = stack.use(createModel());
  const home = stack.use(createHome());
  writeFileSync(join(home.folder, "hearth.toml"), configOf(model.baseUrl));
  const daemon = stack.use(await startDaemon(home.folder, env));
  await welcome(daemon);
  await daemon.ask("PATCH", "/api/agents/main", { content: { tools: ["shell"] } });
  return { model, daemon, home, [Symbol.asyncDispose]: () => stack.disposeAsync() };
};
