/** Checks a house for settings that are more open than necessary. Read-only and pure. */
import type { SecurityFinding, SecurityReport } from "@hearth/protocol";
import { severities } from "@hearth/protocol/api";
import { findInAccess } from "./access.ts";
import { findInAgents } from "./agents.ts";
import { findInHome } from "./home.ts";
import { findTrifectas } from "./trifecta.ts";
import type { SecurityView } from "./view.ts";

export const securityChecks: Readonly<Record<string, (view: SecurityView) => readonly SecurityFinding[]>> = {
  trifecta: findTrifectas,
  agents: findInAgents,
  access: findInAccess,
  home: findInHome,
};

/** Runs all checks. `unseen` names what the view does not include. */
export const examineSecurity = (view: SecurityView, unseen: readonly string[] = []): SecurityReport => {
  const findings = Object.values(securityChecks).flatMap((check) => check(view));
  return {
    findings: findings.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
    unseen: [
      ...unseen,
      ...(view.walls === undefined ? ["Isolation of cells: only a running house can check it."] : []),
      ...(view.files === undefined ? ["Permissions of files: this house has no home folder."] : []),
    ],
  };
};
