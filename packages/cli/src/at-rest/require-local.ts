/** Refuses commands that use the files of a home for a house on another machine. */
import { UsageError } from "../args/usage-error.ts";
import type { Context } from "../command.ts";

/** Throws `UsageError` for a house on another machine. */
export const requireLocal = ({ elsewhere }: Pick<Context, "elsewhere">): void => {
  if (elsewhere !== undefined)
    throw new UsageError(
      `HEARTH_URL names the house at ${elsewhere}, but this command uses the files of a home on this machine.`,
      "Run the command on the machine of the house, without HEARTH_URL.",
    );
};
