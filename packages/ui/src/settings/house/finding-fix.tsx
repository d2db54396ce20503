/** The fix of one security finding: a button with a confirmation, a link, or a sentence. */
import { observe } from "@hearth/client";
import type { SecurityChange, SecurityFinding } from "@hearth/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { type FindingFix as Fix, securityFixes } from "./security-fixes.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface FindingFixProps {
  readonly finding: SecurityFinding;
  /** Called after the change was made. */
  readonly onFixed: () => void;
}

export const FindingFix = ({ finding, onFixed }: FindingFixProps) => {
  const { agents } = useHouse();
  const fix = securityFixes[finding.id];
  const agent = [...agents.values()].find(({ id }) => id === finding.agent);
  switch (fix.kind) {
    case "change":
      return finding.change === undefined ? undefined : (
        <ChangeButton finding={finding} fix={fix} change={finding.change} onFixed={onFixed} />
      );
    case "page":
      return <Link href={fix.path(agent?.handle ?? "")}>{fix.link}</Link>;
    case "machine":
      return <span className={styles.quiet}>{fix.text}</span>;
  }
};

interface ChangeButtonProps extends FindingFixProps {
  readonly fix: Extract<Fix, { readonly kind: "change" }>;
  readonly change: SecurityChange;
}

const ChangeButton = ({ finding: { where, what }, fix, change, onFixed }: ChangeButtonProps) => {
  const { client } = useUi();
  const { agents } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [isConfirming, setConfirming] = useState(false);
  const agent = "agent" in change ? [...agents.values()].find(({ id }) => id === change.agent) : undefined;
  const apply = async (): Promise<void> => {
    setConfirming(false);
    if (!(await submission.run(async () => (await client.security()).apply(change)))) return;
    announce(texts.fixed);
    onFixed();
  };
  return (
    <>
      <span className={styles.buttons}>
        <Button
          size="small"
          isBusy={submission.isBusy}
          aria-label={texts.fixOf(fix.button, toVisible(where))}
          onClick={() => setConfirming(true)}
        >
          {fix.button}
        </Button>
      </span>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <ConfirmDialog
        title={texts.confirmFix(fix.button)}
        text={
          <>
            {toVisible(what)} <strong>{toVisible(fix.effect(agent?.content.name ?? texts.thisMember, change))}</strong>
          </>
        }
        confirm={fix.button}
        {...(fix.isDanger === true ? { isDanger: true } : {})}
        isOpen={isConfirming}
        onConfirm={() => observe(apply())}
        onClose={() => setConfirming(false)}
      />
    </>
  );
};
