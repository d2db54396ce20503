/** Creates, lists and revokes the invite links of a house. */
import { observe } from "@hearth/client";
import type { HouseRecord, Invite } from "@hearth/protocol";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { AnswerView } from "../../house/answer-view.tsx";
import { useAnswer } from "../../house/answer.ts";
import { formatFull } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { levelTitles, rightTitles } from "../access/level-words.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { MakeInvite } from "./make-invite.tsx";
import * as texts from "./text.ts";

export const InvitesSection = ({ house }: { readonly house: HouseRecord }) => {
  const { client } = useUi();
  const { agents } = useHouse();
  const { id } = house;
  const answer = useAnswer(useCallback(async () => (await client.invites()).list(id), [client, id]));
  const { again } = answer;
  const people = agents.size;
  // Refreshes when the number of people changes, because a used link creates a person.
  useEffect(again, [again, people]);
  return (
    <Section title={texts.inviteLinks} text={texts.inviteLinksDetail}>
      <AnswerView answer={answer}>{(invites) => <InviteLists invites={invites} onChange={again} />}</AnswerView>
      <MakeInvite house={house} invites={answer.value ?? []} onMade={again} />
    </Section>
  );
};

export interface InviteListsProps {
  readonly invites: readonly Invite[];
  readonly onChange: () => void;
}

export const InviteLists = ({ invites, onChange }: InviteListsProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [busy, setBusy] = useState<string>();
  const open = invites.filter(({ state }) => state === "open");
  const closed = invites.filter(({ state }) => state !== "open");
  const revoke = async ({ id, house }: Invite): Promise<void> => {
    setBusy(id);
    if (await submission.run(async () => (await client.invites()).revoke(house, id))) announce(texts.linkRevoked);
    onChange();
  };
  return (
    <>
      {open.length === 0 ? <p className={styles.quiet}>{texts.noInviteLinks}</p> : undefined}
      <ul className={styles.list}>
        {open.map((invite) => (
          <InviteRow key={invite.id} invite={invite}>
            <Button
              size="small"
              kind="quiet"
              isBusy={submission.isBusy && busy === invite.id}
              aria-label={texts.revokeLink(titleOf(invite))}
              onClick={() => observe(revoke(invite))}
            >
              {texts.revoke}
            </Button>
          </InviteRow>
        ))}
      </ul>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {closed.length === 0 ? undefined : (
        <details>
          <summary>{texts.closedLinks(closed.length)}</summary>
          <ul className={styles.list}>
            {closed.map((invite) => (
              <InviteRow key={invite.id} invite={invite} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

interface InviteRowProps {
  readonly invite: Invite;
  readonly children?: ReactNode;
}

const InviteRow = ({ invite, children }: InviteRowProps) => {
  const { agents, rooms } = useHouse();
  const nameOfRoom = (id: string): string =>
    toVisible(rooms.find(({ room }) => room.id === id)?.room.content.name ?? texts.removedRoom);
  const places = invite.rooms?.map(nameOfRoom).join(", ") ?? texts.forWholeHouse;
  const guest = invite.usedBy === undefined ? undefined : agents.get(invite.usedBy);
  const ending = {
    open: texts.expires(formatFull(invite.expiresAt)),
    used: texts.usedBy(toVisible(guest?.content.name ?? texts.formerMember)),
    revoked: texts.revoked,
    expired: texts.expired,
  };
  return (
    <li className={styles.row}>
      <span className={styles.about}>
        <span className={styles.name}>{titleOf(invite)}</span>
        <span className={styles.quiet}>
          {texts.offer(
            [levelTitles[invite.level], ...(invite.rights ?? []).map((right) => rightTitles[right])].join(" + "),
            places,
          )}
          {ending[invite.state]}
        </span>
      </span>
      {children}
    </li>
  );
};

const titleOf = ({ note }: Invite): string => toVisible(note ?? texts.untitled);
