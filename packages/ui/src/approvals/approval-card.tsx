/** One approval request: the agent, the exact call, and the possible answers, later the outcome. */
import type { Approval, ApprovalOffer } from "@hearth/protocol";
import { type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import { Link } from "wouter";
import { roomPath } from "../house/paths.ts";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./approvals.module.css";
import { Exact } from "./exact.tsx";
import { isOpen } from "./inbox.ts";
import { scopeWords, describeOutcome, describeWish } from "./outcome-words.ts";
import { useDecision } from "./use-decision.ts";
import * as texts from "./text.ts";

/** Long enough to read the outcome. */
const STAY_MS = 8000;

export interface CardHandle {
  readonly press: (meaning: "allow" | "deny") => void;
  readonly focus: () => void;
}

export interface ApprovalCardProps {
  readonly approval: Approval;
  /** Keyboard shortcuts apply to this card. */
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onDecided: (approval: Approval) => void;
  /** The outcome was shown long enough. */
  readonly onLeave: () => void;
  readonly ref?: Ref<CardHandle>;
}

export const ApprovalCard = ({ approval, isSelected, onSelect, onDecided, onLeave, ref }: ApprovalCardProps) => {
  const { clock } = useUi();
  const { agents, me } = useHouse();
  const card = useRef<HTMLElement>(null);
  const [reason, setReason] = useState("");
  const titleId = useId();
  const nameOf = (id: string): string => visible(agents.get(id)?.content.name ?? texts.formerMember);
  const settle = (decided: Approval): void => {
    // The focused button disappears, so focus the card.
    card.current?.focus({ preventScroll: true });
    onDecided(decided);
  };
  const { decide, isBusy, error, note } = useDecision(approval, card, settle);
  const deny = (): void => decide({ decision: "deny", ...(reason.trim() === "" ? {} : { reason: reason.trim() }) });
  const isDecided = !isOpen(approval);
  useImperativeHandle(ref, () => ({
    focus: () => card.current?.focus(),
    press(meaning) {
      if (isDecided) return;
      if (meaning === "deny") deny();
      else if (approval.offers.some(({ scope }) => scope === "once")) decide({ decision: "allow", scope: "once" });
    },
  }));
  const left = useRef(onLeave);
  useEffect(() => {
    left.current = onLeave;
  });
  useEffect(() => {
    if (!isDecided) return undefined;
    const stop = new AbortController();
    void clock.sleep(STAY_MS, stop.signal).then(() => {
      if (!stop.signal.aborted) left.current();
    });
    return () => stop.abort();
  }, [clock, isDecided]);
  return (
    <article
      ref={card}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-current={isSelected ? "true" : undefined}
      className={classes(styles.card, isSelected && styles.selected, isDecided && styles.decided)}
      onFocus={onSelect}
    >
      <header>
        <h2 id={titleId}>{describeWish(approval, nameOf(approval.agent))}</h2>
        <About approval={approval} />
      </header>
      <ul className={styles.asks}>
        {approval.asks.map(({ text }, index) => (
          <li key={index}>{visible(text)}</li>
        ))}
      </ul>
      <Exact approval={approval} />
      {note === undefined ? undefined : <p className={styles.note}>{note}</p>}
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {isDecided ? (
        <p className={styles.outcome}>{describeOutcome(approval, me?.agent.id, nameOf)}</p>
      ) : (
        <>
          <Offers
            offers={approval.offers}
            isBusy={isBusy}
            hasKeys={isSelected}
            onChoose={(scope) => decide({ decision: "allow", scope })}
          />
          <div className={styles.denial}>
            <Field label={texts.reason} hint={texts.reasonHint}>
              {(ids) => (
                <TextInput
                  {...ids}
                  value={reason}
                  maxLength={2000}
                  autoComplete="off"
                  onChange={(event) => setReason(event.target.value)}
                />
              )}
            </Field>
            <Button
              kind="danger"
              isBusy={isBusy}
              aria-keyshortcuts={isSelected ? "d" : undefined}
              aria-describedby={titleId}
              onClick={deny}
            >
              {texts.deny}
              {isSelected ? <KeySign name="d" /> : undefined}
            </Button>
          </div>
        </>
      )}
    </article>
  );
};

/** The room, the time of the request and the time at which it expires. */
const About = ({ approval: { room, createdAt, expiresAt, state } }: { readonly approval: Approval }) => {
  const { rooms } = useHouse();
  const there = rooms.find((entry) => entry.room.id === room)?.room;
  return (
    <p className={styles.quiet}>
      {there === undefined ? (
        texts.inHiddenRoom
      ) : (
        <>
          {texts.inRoom}{" "}
          <Link href={roomPath(there.handle)}>
            <bdi>{visible(there.content.name)}</bdi>
          </Link>
        </>
      )}{" "}
      · {texts.requested} <Time at={createdAt} style="relative" />
      {state === "pending" ? (
        <>
          {" "}
          · {texts.expiresOn(new Date(expiresAt).toLocaleDateString(undefined, { dateStyle: "medium" }))}{" "}
          <Time at={expiresAt} />
        </>
      ) : undefined}
    </p>
  );
};

interface OffersProps {
  readonly offers: readonly ApprovalOffer[];
  readonly isBusy: boolean;
  readonly hasKeys: boolean;
  readonly onChoose: (scope: ApprovalOffer["scope"]) => void;
}

const Offers = ({ offers, isBusy, hasKeys, onChoose }: OffersProps) => {
  const id = useId();
  return (
    <ul className={styles.offers}>
      {offers.map(({ scope, text }) => (
        <li key={scope}>
          <Button
            kind={scope === "once" ? "primary" : "plain"}
            isBusy={isBusy}
            aria-describedby={`${id}${scope}`}
            aria-keyshortcuts={scope === "once" && hasKeys ? "a" : undefined}
            onClick={() => onChoose(scope)}
          >
            {scopeWords[scope]}
            {scope === "once" && hasKeys ? <KeySign name="a" /> : undefined}
          </Button>
          <span id={`${id}${scope}`}>{visible(text)}</span>
        </li>
      ))}
    </ul>
  );
};

const KeySign = ({ name }: { readonly name: string }) => (
  <kbd aria-hidden="true" className={styles.key}>
    {name}
  </kbd>
);
