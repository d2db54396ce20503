/**
 * Process that makes, lists or restores backups, or tests a target, so that the daemon is not
 * blocked. Reads the request as JSON from its input, because other users of the machine can see
 * arguments.
 */
import { setPriority } from "node:os";
import { toErrorBody } from "@hearth/protocol";
import { BackupRequest } from "./backup-request.ts";
import { backUpIfDue, summariseBackups, testTarget } from "./index.ts";
import { prepareReplacement } from "./replace-home.ts";

/** Priority of the process, below that of the daemon and its cells. */
const PRIORITY = 10;

const answerRequest = async (request: BackupRequest): Promise<unknown> => {
  switch (request.verb) {
    case "back-up":
      return backUpIfDue(request);
    case "list":
      return summariseBackups(request.from, request.home);
    case "test":
      await testTarget(request.from, request.home);
      return null;
    case "restore": {
      const { identity, ...replacement } = request;
      return prepareReplacement(identity === undefined ? replacement : { ...replacement, identity });
    }
  }
};

setPriority(PRIORITY);
try {
  const request = BackupRequest.parse(await Bun.stdin.json());
  process.stdout.write(JSON.stringify(await answerRequest(request)));
} catch (error) {
  const { message, hint } = toErrorBody(error);
  process.stderr.write([message, hint].filter((text) => text !== undefined).join(" "));
  process.exit(1);
}
