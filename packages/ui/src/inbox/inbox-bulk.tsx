/**
 * Denies several pending requests at once. There is no button to allow several, because a person
 * must read each call first.
 */
import { observe } from "@hearth/client";
import type { Approval, Proposal } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import * as designTexts from "../design/text.ts";
import { ReasonField, toDenial } from "../approvals/reason-field.tsx";
import { useBulk } from "../lists/use-bulk.ts";
import { useUi } from "../house/ui.tsx";
import styles from "../approvals/approvals.module.css";
import type { InboxItem } from "./inbox-items.ts";
import * as texts from "./text.ts";

export interface InboxBulkProps {
  /** The pending requests that are selected and shown. */
  readonly selectedItems: readonly InboxItem[];
  readonly onApproval: (approval: Approval) => void;
  readonly onProposal: (proposal: Proposal) => void;
}

export const InboxBulk = ({ selectedItems, onApproval, onProposal }: InboxBulkProps) => {
  const { client } = useUi();
  const bulk = useBulk<InboxItem>();
  const [isConfirming, setConfirming] = useState(false);
  const [reason, setReason] = useState("");
  const close = (): void => setConfirming(false);
  const denyAll = (): void => {
    close();
    setReason("");
    observe(bulk.run(selectedItems, deny, texts.deniedCount));
  };
  const deny = async (item: InboxItem): Promise<void> => {
    if (item.kind === "approval")
      return onApproval(await (await client.approvals()).decide(item.approval.id, toDenial(reason)));
    const { agent, id } = item.proposal;
    onProposal(await (await client.brains()).decide(agent, id, { decision: "deny" }));
  };
  return (
    <>
      {selectedItems.length === 0 ? undefined : (
        <div role="group" aria-label={texts.selectedRequests} className={styles.buttons}>
          <span>{texts.selectedCount(selectedItems.length)}</span>
          <Button size="small" kind="danger" isBusy={bulk.isBusy} onClick={() => setConfirming(true)}>
            {texts.denyCount(selectedItems.length)}
          </Button>
        </div>
      )}
      {bulk.error === undefined ? undefined : <ErrorNotice error={bulk.error} />}
      <Dialog
        title={texts.denySelected(selectedItems.length)}
        isOpen={isConfirming}
        onClose={close}
        buttons={
          <>
            <Button onClick={close}>{designTexts.cancel}</Button>
            <Button kind="danger" onClick={denyAll}>
              {texts.denyCount(selectedItems.length)}
            </Button>
          </>
        }
      >
        <p>{texts.denySelectedEffect}</p>
        {selectedItems.some(({ kind }) => kind === "approval") ? (
          <ReasonField value={reason} onChange={setReason} />
        ) : undefined}
      </Dialog>
    </>
  );
};
