/** The link from a failed check to the page that fixes it. Pure. */
import type { Check, CheckPage } from "@hearth/protocol";
import { brainPath, RESTORE } from "../../house/paths.ts";
import { pathOfAgent, paths } from "../place.ts";
import * as texts from "./text.ts";

export interface CheckLink {
  readonly path: string;
  readonly label: string;
}

const links: Readonly<Record<CheckPage, (agent: string) => CheckLink>> = {
  account: () => ({ path: paths.account, label: texts.viewAccount }),
  agent: (agent) => ({ path: pathOfAgent(agent), label: texts.viewAgent }),
  audit: () => ({ path: paths.audit, label: texts.viewAuditLog }),
  backups: () => ({ path: paths.backups, label: texts.viewBackups }),
  channels: () => ({ path: paths.channels, label: texts.viewChannels }),
  models: () => ({ path: paths.models, label: texts.viewProviders }),
  proposals: (agent) => ({ path: brainPath(agent, "proposals"), label: texts.reviewChanges }),
  restore: () => ({ path: RESTORE, label: texts.decideOnRestore }),
};

/** Returns undefined for a check that passed, or that no page fixes. */
export const linkOf = ({ ok, page, agent }: Check): CheckLink | undefined =>
  ok || page === undefined ? undefined : links[page](agent ?? "");
