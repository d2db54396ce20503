/** Runs this process's command line and exits with its code. */
import { run } from "./run.ts";
import { createTerminal } from "./terminal.ts";

export const runCommandLine = async (): Promise<never> => {
  const terminal = createTerminal();
  const code = await run(process.argv.slice(2), terminal);
  // Waits for the output, and then exits even if handles are still open.
  await terminal.flush();
  process.exit(code);
};
