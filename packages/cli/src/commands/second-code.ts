/** Asks for a code of the second factor where the house requires one. */
import { isHearthError } from "@hearth/protocol";
import type { Terminal } from "../terminal.ts";

/** Calls without a code first. If the house requires one, asks for it at the terminal, once. */
export const withCode = async <Answer>(
  terminal: Pick<Terminal, "stdinIsTerminal" | "readSecret">,
  call: (code: string | undefined) => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await call(undefined);
  } catch (error) {
    if (!isHearthError(error, "auth.code") || !terminal.stdinIsTerminal) throw error;
  }
  return call(await terminal.readSecret("Code of your authenticator app, or a recovery code: "));
};
