/** An inmate on Bun, over whatever link it is given. Used by its own process and, for `inline`, by the warden's. */
import type { Clock, InmateFrame, Link } from "@hearth/protocol";
import { runInmate } from "../../inmate.ts";
import { createTools } from "../../tools/index.ts";
import { createBunFiles } from "./files.ts";
import { createBunSpawn } from "./spawn.ts";

export const bootInmate = (options: {
  readonly link: Link<InmateFrame, unknown>;
  readonly clock: Clock;
  /** Absolute path of the only folder that its tools see. */
  readonly workspace: string;
}): Promise<void> => {
  const { link, clock, workspace } = options;
  const tools = createTools({ files: createBunFiles(workspace), spawn: createBunSpawn(), clock, workspace });
  return runInmate({ link, clock, tools, runtime: `bun ${Bun.version}` });
};
