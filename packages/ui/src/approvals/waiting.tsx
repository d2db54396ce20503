/** In a room: the request of a waiting agent, with buttons for admins. */
import type { LiveActivation } from "@hearth/client";
import type { Approval } from "@hearth/protocol";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { approvalPath } from "../house/paths.ts";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useHouse } from "../house/ui.tsx";
import { mayDecide, mayIn } from "../house/may.ts";
import { visible } from "../text/visible.tsx";
import styles from "./approvals.module.css";
import { usePendingApprovals } from "./pending-approvals.ts";
import { Exact } from "./exact.tsx";
import { isOpen } from "./inbox.ts";
import { describeOutcome, describeWish } from "./outcome-words.ts";
import { useDecision } from "./use-decision.ts";
import * as texts from "./text.ts";

export interface WaitingProps {
  readonly activation: LiveActivation;
  readonly name: string;
}

export const Waiting = ({ activation, name }: WaitingProps) => {
  const { me, agents } = useHouse();
  const isAsked = mayDecide(me) && mayIn(me, "x", agents.get(activation.agent)?.house);
  return isAsked ? <Asked activation={activation} name={name} /> : <Others name={name} />;
};

const Others = ({ name }: Pick<WaitingProps, "name">) => (
  <p className={styles.quiet}>
    <bdi>{name}</bdi> {texts.waitsForAdmin}
  </p>
);

const Asked = ({ activation, name }: WaitingProps) => {
  const { value, error } = usePendingApprovals();
  const [decided, setDecided] = useState<Approval>();
  const found = value?.find((approval) => approval.activation === activation.id);
  // A later request of the same run is a different request.
  const approval = found === undefined || found.id === decided?.id ? decided : found;
  if (approval !== undefined) return <Word key={approval.id} approval={approval} name={name} onDecided={setDecided} />;
  return error === undefined ? undefined : <ErrorNotice error={error} />;
};

export interface WordProps {
  readonly approval: Approval;
  readonly name: string;
  readonly onDecided: (approval: Approval) => void;
}

export const Word = ({ approval, name, onDecided }: WordProps) => {
  const { agents, me } = useHouse();
  const card = useRef<HTMLElement>(null);
  const { decide, isBusy, error, note } = useDecision(approval, card, onDecided);
  return (
    <section ref={card} aria-label={describeWish(approval, name)} className={styles.waiting}>
      <p>
        <bdi>{describeWish(approval, name)}.</bdi> {approval.asks.map(({ text }) => visible(text)).join(" ")}
      </p>
      <Exact approval={approval} />
      {note === undefined ? undefined : <p className={styles.note}>{note}</p>}
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {isOpen(approval) ? (
        <div className={styles.buttons}>
          <Button
            size="small"
            kind="primary"
            isBusy={isBusy}
            onClick={() => decide({ decision: "allow", scope: "once" })}
          >
            {texts.allowOnce}
          </Button>
          <Button size="small" kind="danger" isBusy={isBusy} onClick={() => decide({ decision: "deny" })}>
            {texts.deny}
          </Button>
          <Link href={approvalPath(approval.id)}>{texts.moreOptions}</Link>
        </div>
      ) : (
        <p className={styles.outcome}>
          {describeOutcome(approval, me?.agent.id, (id) => visible(agents.get(id)?.content.name ?? texts.formerMember))}
        </p>
      )}
    </section>
  );
};
