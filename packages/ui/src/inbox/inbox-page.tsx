/** The inbox: pending approvals in every room, proposed changes to agents, and the saved rules. */
import { type Approval, ApprovalId } from "@hearth/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { PageHeader } from "../design/page-header.tsx";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import type { TableSelection } from "../design/table.tsx";
import { useFilters } from "../house/filters.ts";
import { mayApprove } from "../house/may.ts";
import { useHouse } from "../house/ui.tsx";
import { toVisible } from "../text/visible.tsx";
import { ApprovalCard, type CardHandle } from "../approvals/approval-card.tsx";
import styles from "../approvals/approvals.module.css";
import { isOpen, stepTo } from "../approvals/inbox.ts";
import { InboxBulk } from "./inbox-bulk.tsx";
import { InboxFilterBar } from "./inbox-filters.tsx";
import { InboxHistory } from "./inbox-history.tsx";
import { DECIDED, filterItems, filterNames } from "./inbox-items.ts";
import type { KeyMeaning } from "../approvals/keys.ts";
import { describeRequestedCall } from "../approvals/outcome-words.ts";
import { PendingProposalList, useInboxProposals } from "./pending-proposals.tsx";
import { SelectableCard } from "./picked.tsx";
import { Rules } from "../approvals/rules.tsx";
import { useInbox } from "../approvals/use-inbox.ts";
import { useListKeys } from "../approvals/use-list-keys.ts";
import * as texts from "./text.ts";

export interface InboxPageProps {
  /** The request in the page's path. */
  readonly wantedId?: string | undefined;
}

export const InboxPage = ({ wantedId }: InboxPageProps) => {
  const { me } = useHouse();
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <PageHeader title={texts.inbox} />
        {mayApprove(me) ? <Inbox wantedId={ApprovalId.safeParse(wantedId).data} /> : <p>{texts.onlyAdmins}</p>}
      </div>
    </div>
  );
};

const Inbox = ({ wantedId }: { readonly wantedId: ApprovalId | undefined }) => {
  const { agents: allAgents } = useHouse();
  const { entries, error, reload, updateEntry, removeEntry } = useInbox(wantedId);
  const { agents, proposals, onDecided: onProposal } = useInboxProposals();
  const filters = useFilters(filterNames);
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  /** Number of decisions. Each one loads the rules again, because it may have created one. */
  const [decisionCount, setDecisionCount] = useState(0);
  const onDecided = (approval: Approval): void => {
    updateEntry(approval);
    setDecisionCount((count) => count + 1);
  };
  const { values } = filters;
  const selection = { keys: selectedKeys, onChange: setSelectedKeys };
  const approvals = filterItems(entries ?? [], "approval", values, allAgents);
  const changes = filterItems(proposals, "proposal", values, allAgents);
  return (
    <>
      {error === undefined ? undefined : (
        <ErrorNotice error={error} button={<Button onClick={reload}>{texts.tryAgain}</Button>} />
      )}
      <InboxFilterBar agents={agents} filters={filters} />
      {values.state === DECIDED ? (
        <InboxHistory agents={agents} filters={values} />
      ) : (
        <>
          <InboxBulk
            selectedItems={[
              ...approvals
                .filter((approval) => isOpen(approval) && selectedKeys.has(approval.id))
                .map((approval) => ({ kind: "approval" as const, approval })),
              ...changes
                .filter(({ id, state }) => state === "pending" && selectedKeys.has(id))
                .map((proposal) => ({ kind: "proposal" as const, proposal })),
            ]}
            onApproval={onDecided}
            onProposal={onProposal}
          />
          {entries === undefined ? (
            error === undefined ? (
              <Spinner label={texts.loading} />
            ) : undefined
          ) : values.kind === "proposal" ? undefined : (
            <CardList
              entries={approvals}
              wantedId={wantedId}
              onDecided={onDecided}
              onLeave={removeEntry}
              selection={selection}
            />
          )}
          {changes.length === 0 ? undefined : (
            <PendingProposalList agents={agents} proposals={changes} onDecided={onProposal} selection={selection} />
          )}
        </>
      )}
      <Rules decisionCount={decisionCount} />
    </>
  );
};

export interface CardListProps {
  readonly entries: readonly Approval[];
  readonly wantedId: ApprovalId | undefined;
  readonly onDecided: (approval: Approval) => void;
  readonly onLeave: (id: ApprovalId) => void;
  /** Undefined if requests cannot be selected. */
  readonly selection?: TableSelection;
}

export const CardList = ({ entries, wantedId, onDecided, onLeave, selection }: CardListProps) => {
  const { agents } = useHouse();
  const list = useRef<HTMLElement>(null);
  const cards = useRef(new Map<ApprovalId, CardHandle>());
  const [chosenId, setChosenId] = useState(wantedId);
  const selectedId = entries.find(({ id }) => id === chosenId)?.id ?? entries[0]?.id;
  const handleKey = useCallback(
    (meaning: KeyMeaning): void => {
      if (meaning === "allow" || meaning === "deny") {
        if (selectedId !== undefined) cards.current.get(selectedId)?.press(meaning);
        return;
      }
      const nextId = stepTo(entries, selectedId, meaning === "next" ? 1 : -1);
      if (nextId === undefined) return;
      setChosenId(nextId);
      cards.current.get(nextId)?.focus();
    },
    [entries, selectedId],
  );
  useListKeys(list, handleKey);
  const isWantedListed = wantedId !== undefined && entries.some(({ id }) => id === wantedId);
  useEffect(() => {
    if (!isWantedListed) return;
    setChosenId(wantedId);
    cards.current.get(wantedId)?.focus();
  }, [isWantedListed, wantedId]);
  const openCount = entries.filter(isOpen).length;
  return (
    <section ref={list} aria-label={texts.pendingApprovals} className={styles.cards}>
      <p className={styles.quiet}>{describeOpenApprovals(openCount)}</p>
      {openCount === 0 ? (
        <p className={styles.quiet}>{texts.approvalsIntroduction}</p>
      ) : (
        <p className={styles.keys}>
          <kbd>j</kbd> <kbd>k</kbd> {texts.keysMove} <kbd>a</kbd> {texts.keyAllows} <kbd>d</kbd> {texts.keyDenies}
        </p>
      )}
      {entries.map((approval) => (
        <SelectableCard
          key={approval.id}
          id={approval.id}
          name={describeRequestedCall(
            approval,
            toVisible(agents.get(approval.agent)?.content.name ?? texts.formerMember),
          )}
          isOpen={isOpen(approval)}
          selection={selection}
        >
          <ApprovalCard
            ref={(handle) => {
              if (handle === null) return undefined;
              cards.current.set(approval.id, handle);
              return () => {
                cards.current.delete(approval.id);
              };
            }}
            approval={approval}
            onDecided={onDecided}
            listItem={{
              isSelected: approval.id === selectedId,
              onSelect: () => setChosenId(approval.id),
              onLeave: () => onLeave(approval.id),
            }}
          />
        </SelectableCard>
      ))}
    </section>
  );
};

export const describeOpenApprovals = (count: number): string =>
  count === 0 ? texts.noPendingApprovals : count === 1 ? texts.onePendingApproval : texts.pendingApprovalCount(count);
