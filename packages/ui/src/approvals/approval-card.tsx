/**
 * One approval request, in the list of all requests and in its room: the agent, the call, its risk
 * and the possible answers, later the outcome.
 */
import { observe } from "@hearth/client";
import type { Approval, ApprovalOffer } from "@hearth/protocol";
import { Fragment, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import { Link } from "wouter";
import { roomPath } from "../house/paths.ts";
import { Button } from "../design/button.tsx";
import { Card } from "../design/card.tsx";
import { classes } from "../design/classes.ts";
import { ErrorNotice } from "../design/notice.tsx";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { locale } from "../language/locale.ts";
import { toVisible } from "../text/visible.tsx";
import styles from "./approvals.module.css";
import { describeOffer } from "./approved-scope.ts";
import { Call } from "./call.tsx";
import { isOpen } from "./inbox.ts";
import { scopeTitles, scopeWords, describeOutcome, describeRequestedCall } from "./outcome-words.ts";
import { ReasonField, toDenial } from "./reason-field.tsx";
import { useDecision } from "./use-decision.ts";
import * as texts from "./text.ts";

/** How long a decided request stays in the list, so that the user can read the outcome. */
const STAY_MS = 8000;

export interface CardHandle {
  readonly press: (meaning: "allow" | "deny") => void;
  readonly focus: () => void;
}

/** The state of a card in the list of all requests. */
export interface ListedCard {
  /** Whether keyboard shortcuts apply to this card. */
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  /** Called after the outcome was shown for `STAY_MS`. */
  readonly onLeave: () => void;
}

export interface ApprovalCardProps {
  readonly approval: Approval;
  readonly onDecided: (approval: Approval) => void;
  /** Absent: the card is in the room of its request. */
  readonly listItem?: ListedCard;
  readonly ref?: Ref<CardHandle>;
}

export const ApprovalCard = ({ approval, onDecided, listItem, ref }: ApprovalCardProps) => {
  const isSelected = listItem?.isSelected ?? false;
  const { agents, me } = useHouse();
  const card = useRef<HTMLElement>(null);
  const [reason, setReason] = useState("");
  const titleId = useId();
  const nameOf = (id: string): string => toVisible(agents.get(id)?.content.name ?? texts.formerMember);
  const showDecision = (decidedApproval: Approval): void => {
    // The focused button disappears, so focus the card.
    card.current?.focus({ preventScroll: true });
    onDecided(decidedApproval);
  };
  const { decide, isBusy, error, note } = useDecision(approval, card, showDecision);
  const deny = (): void => decide(toDenial(reason));
  const isDecided = !isOpen(approval);
  useImperativeHandle(ref, () => ({
    focus: () => card.current?.focus(),
    press(meaning) {
      if (isDecided) return;
      if (meaning === "deny") deny();
      else if (approval.offers.some(({ scope }) => scope === "once")) decide({ decision: "allow", scope: "once" });
    },
  }));
  useLeave(isDecided, listItem?.onLeave);
  return (
    <Card
      ref={card}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-current={isSelected ? "true" : undefined}
      className={classes(styles.card, isSelected && styles.selected, isDecided && styles.decided)}
      onFocus={listItem?.onSelect}
    >
      <header>
        <h2 id={titleId}>{describeRequestedCall(approval, nameOf(approval.agent))}</h2>
        <ApprovalFacts approval={approval} isInRoom={listItem === undefined} />
      </header>
      <Call approval={approval} />
      {note === undefined ? undefined : <p className={styles.note}>{note}</p>}
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {isDecided ? (
        <p className={styles.outcome}>{describeOutcome(approval, me?.agent.id, nameOf)}</p>
      ) : (
        <>
          <Offers
            approval={approval}
            isBusy={isBusy}
            hasKeys={isSelected}
            onChoose={(scope) => decide({ decision: "allow", scope })}
          />
          <Denial
            reason={reason}
            onReason={setReason}
            isBusy={isBusy}
            hasKeys={isSelected}
            request={titleId}
            onDeny={deny}
          />
        </>
      )}
    </Card>
  );
};

/** Calls `leave` after the outcome was shown for `STAY_MS`. */
const useLeave = (isDecided: boolean, leave: (() => void) | undefined): void => {
  const { clock } = useUi();
  const latestLeave = useRef(leave);
  useEffect(() => {
    latestLeave.current = leave;
  });
  useEffect(() => {
    if (!isDecided) return undefined;
    const controller = new AbortController();
    observe(
      clock.sleep(STAY_MS, controller.signal).then(() => {
        if (!controller.signal.aborted) latestLeave.current?.();
      }),
    );
    return () => controller.abort();
  }, [clock, isDecided]);
};

/** The room, the time of the request and the time at which it expires. */
const ApprovalFacts = ({ approval, isInRoom }: { readonly approval: Approval; readonly isInRoom: boolean }) => {
  const { room, createdAt, expiresAt, state } = approval;
  return (
    <p className={styles.quiet}>
      {isInRoom ? undefined : <RoomName room={room} />}
      {isInRoom ? texts.requestedInRoom : texts.requested} <Time at={createdAt} style="relative" />
      {state === "pending" ? (
        <>
          {" "}
          · {texts.expiresOn(new Date(expiresAt).toLocaleDateString(locale, { dateStyle: "medium" }))}{" "}
          <Time at={expiresAt} />
        </>
      ) : undefined}
    </p>
  );
};

const RoomName = ({ room }: Pick<Approval, "room">) => {
  const { rooms } = useHouse();
  const roomRecord = rooms.find((entry) => entry.room.id === room)?.room;
  if (roomRecord === undefined) return <>{texts.inHiddenRoom} · </>;
  return (
    <>
      {texts.inRoom}{" "}
      <Link href={roomPath(roomRecord.handle)}>
        <bdi>{toVisible(roomRecord.content.name)}</bdi>
      </Link>{" "}
      ·{" "}
    </>
  );
};

interface OffersProps {
  readonly approval: Approval;
  readonly isBusy: boolean;
  readonly hasKeys: boolean;
  readonly onChoose: (scope: ApprovalOffer["scope"]) => void;
}

/** One button per scope. The texts of the wider scopes are below the buttons. */
const Offers = ({ approval, isBusy, hasKeys, onChoose }: OffersProps) => {
  const id = useId();
  const { offers } = approval;
  const widerOffers = offers.flatMap((offer) =>
    offer.scope === "once" ? [] : [{ scope: offer.scope, text: describeOffer(offer, approval) }],
  );
  return (
    <div className={styles.offers}>
      <div className={styles.buttons}>
        {offers.map(({ scope }) => (
          <Button
            key={scope}
            kind={scope === "once" ? "primary" : "plain"}
            isBusy={isBusy}
            aria-describedby={scope === "once" ? undefined : `${id}${scope}`}
            aria-keyshortcuts={scope === "once" && hasKeys ? "a" : undefined}
            onClick={() => onChoose(scope)}
          >
            {scopeWords[scope]}
            {scope === "once" && hasKeys ? <KeySign name="a" /> : undefined}
          </Button>
        ))}
      </div>
      {widerOffers.length === 0 ? undefined : (
        <dl className={styles.facts}>
          {widerOffers.map(({ scope, text }) => (
            <Fragment key={scope}>
              <dt>{scopeTitles[scope]}</dt>
              <dd id={`${id}${scope}`}>{text}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </div>
  );
};

interface DenialProps {
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly isBusy: boolean;
  readonly hasKeys: boolean;
  /** Id of the element that describes the request. */
  readonly request: string;
  readonly onDeny: () => void;
}

const Denial = ({ reason, onReason, isBusy, hasKeys, request, onDeny }: DenialProps) => (
  <div className={styles.denial}>
    <ReasonField value={reason} onChange={onReason} />
    <Button
      kind="danger"
      isBusy={isBusy}
      aria-keyshortcuts={hasKeys ? "d" : undefined}
      aria-describedby={request}
      onClick={onDeny}
    >
      {texts.deny}
      {hasKeys ? <KeySign name="d" /> : undefined}
    </Button>
  </div>
);

const KeySign = ({ name }: { readonly name: string }) => (
  <kbd aria-hidden="true" className={styles.key}>
    {name}
  </kbd>
);
