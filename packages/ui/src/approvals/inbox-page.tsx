/** The inbox: pending approvals in every room, proposed changes to agents, and the saved rules. */
import { type Approval, ApprovalId } from "@hearth/protocol";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import { mayDecide } from "../house/may.ts";
import { useHouse } from "../house/ui.tsx";
import { ApprovalCard, type CardHandle } from "./approval-card.tsx";
import styles from "./approvals.module.css";
import { PendingProposals } from "./pending-proposals.tsx";
import { isOpen, stepTo } from "./inbox.ts";
import type { KeyMeaning } from "./keys.ts";
import { Rules } from "./rules.tsx";
import { useInbox } from "./use-inbox.ts";
import { useListKeys } from "./use-list-keys.ts";
import * as texts from "./text.ts";

export interface InboxPageProps {
  /** The request in the page's path. */
  readonly wanted?: string | undefined;
}

export const InboxPage = ({ wanted }: InboxPageProps) => {
  const { me } = useHouse();
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h1>{texts.inbox}</h1>
        {mayDecide(me) ? <Inbox wanted={ApprovalId.safeParse(wanted).data} /> : <p>{texts.onlyAdmins}</p>}
      </div>
    </div>
  );
};

const Inbox = ({ wanted }: { readonly wanted: ApprovalId | undefined }) => {
  const { entries, error, again, put, leave } = useInbox(wanted);
  /** Incremented after each decision: a decision may create a rule. */
  const [decided, setDecided] = useState(0);
  const onDecided = (approval: Approval): void => {
    put(approval);
    setDecided((count) => count + 1);
  };
  return (
    <>
      {error === undefined ? undefined : (
        <ErrorNotice error={error} button={<Button onClick={again}>{texts.tryAgain}</Button>} />
      )}
      {entries === undefined ? (
        error === undefined ? (
          <Spinner label={texts.loading} />
        ) : undefined
      ) : (
        <CardList entries={entries} wanted={wanted} onDecided={onDecided} onLeave={leave} />
      )}
      <PendingProposals />
      <Rules decided={decided} />
    </>
  );
};

export interface CardListProps {
  readonly entries: readonly Approval[];
  readonly wanted: ApprovalId | undefined;
  readonly onDecided: (approval: Approval) => void;
  readonly onLeave: (id: ApprovalId) => void;
}

export const CardList = ({ entries, wanted, onDecided, onLeave }: CardListProps) => {
  const list = useRef<HTMLElement>(null);
  const cards = useRef(new Map<ApprovalId, CardHandle>());
  const [chosen, setChosen] = useState(wanted);
  const selected = entries.find(({ id }) => id === chosen)?.id ?? entries[0]?.id;
  const run = useCallback(
    (meaning: KeyMeaning): void => {
      if (meaning === "allow" || meaning === "deny") {
        if (selected !== undefined) cards.current.get(selected)?.press(meaning);
        return;
      }
      const next = stepTo(entries, selected, meaning === "next" ? 1 : -1);
      if (next === undefined) return;
      setChosen(next);
      cards.current.get(next)?.focus();
    },
    [entries, selected],
  );
  useListKeys(list, run);
  const isWantedHere = wanted !== undefined && entries.some(({ id }) => id === wanted);
  useEffect(() => {
    if (!isWantedHere) return;
    setChosen(wanted);
    cards.current.get(wanted)?.focus();
  }, [isWantedHere, wanted]);
  const open = entries.filter(isOpen).length;
  return (
    <section ref={list} aria-label={texts.pendingApprovals} className={styles.cards}>
      <p className={styles.quiet}>{describeOpenApprovals(open)}</p>
      {open === 0 ? (
        <p className={styles.quiet}>{texts.approvalsIntroduction}</p>
      ) : (
        <p className={styles.keys}>
          <kbd>j</kbd> <kbd>k</kbd> {texts.keysMove} <kbd>a</kbd> {texts.keyAllows} <kbd>d</kbd> {texts.keyDenies}
        </p>
      )}
      {entries.map((approval) => (
        <ApprovalCard
          key={approval.id}
          ref={(handle) => {
            if (handle === null) return undefined;
            cards.current.set(approval.id, handle);
            return () => void cards.current.delete(approval.id);
          }}
          approval={approval}
          onDecided={onDecided}
          listed={{
            isSelected: approval.id === selected,
            onSelect: () => setChosen(approval.id),
            onLeave: () => onLeave(approval.id),
          }}
        />
      ))}
    </section>
  );
};

export const describeOpenApprovals = (count: number): string =>
  count === 0 ? texts.noPendingApprovals : count === 1 ? texts.onePendingApproval : texts.pendingApprovalCount(count);
