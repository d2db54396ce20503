/** Creates, lists and revokes the invite links of a house. */
import type { HouseRecord, Invite } from "@hearth/protocol";
import { useCallback, useEffect } from "react";
import { Badge } from "../../design/badge.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { RequestView } from "../../house/request-view.tsx";
import { useRequest } from "../../house/request.ts";
import { formatDateTime } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
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
  const request = useRequest(useCallback(async () => (await client.invites()).list(id), [client, id]));
  const { reload } = request;
  const agentCount = agents.size;
  // Refreshes when the number of people changes, because a used link creates a person.
  useEffect(reload, [reload, agentCount]);
  return (
    <Section title={texts.inviteLinks} text={texts.inviteLinksDetail}>
      <RequestView request={request}>{(invites) => <InviteTable invites={invites} onChanged={reload} />}</RequestView>
      <MakeInvite house={house} invites={request.value ?? []} onCreated={reload} />
    </Section>
  );
};

export interface InviteTableProps {
  readonly invites: readonly Invite[];
  readonly onChanged: () => void;
}

/** Lists open links first, and each group from the newest to the oldest. */
export const InviteTable = ({ invites, onChanged }: InviteTableProps) => {
  const { client } = useUi();
  const rows = invites.toSorted(
    (a, b) => Number(a.state !== "open") - Number(b.state !== "open") || b.createdAt - a.createdAt,
  );
  return (
    <ListTable
      label={texts.inviteLinks}
      rows={rows}
      keyOf={({ id }) => id}
      nameOf={titleOf}
      columns={columns}
      filters={[stateFilter]}
      changes={[
        {
          id: "revoke",
          label: texts.revoke,
          icon: "delete",
          title: texts.revokeCount,
          confirm: { title: texts.revokeLinks, text: texts.revocationEffect },
          isDanger: true,
          applies: ({ state }) => state === "open",
          run: async ({ id, house }) => (await client.invites()).revoke(house, id),
          done: texts.revokedCount,
        },
      ]}
      onChanged={onChanged}
      empty={<EmptyState icon="person" title={texts.noInviteLinks} />}
    />
  );
};

const stateTitles = {
  open: texts.open,
  used: texts.used,
  revoked: texts.revoked,
  expired: texts.expired,
} as const satisfies Record<Invite["state"], string>;

const stateFilter: ListFilter<Invite> = {
  name: "invite",
  label: texts.state,
  all: texts.allStates,
  options: (["open", "used", "revoked", "expired"] as const).map((value) => ({ value, title: stateTitles[value] })),
  matches: ({ state }, value) => state === value,
};

const titleOf = ({ note }: Invite): string => toVisible(note ?? texts.untitled);

const columns: readonly [TableColumn<Invite>, ...TableColumn<Invite>[]] = [
  { title: texts.note, cell: (invite) => <span className={styles.name}>{titleOf(invite)}</span> },
  { title: texts.access, cell: (invite) => <Offer invite={invite} /> },
  { title: texts.state, cell: (invite) => <InviteState invite={invite} /> },
];

/** The role, the rights and the places that a new member gets. */
const Offer = ({ invite }: { readonly invite: Invite }) => {
  const { rooms } = useHouse();
  const nameOfRoom = (id: string): string =>
    toVisible(rooms.find(({ room }) => room.id === id)?.room.content.name ?? texts.removedRoom);
  return texts.offer(
    [levelTitles[invite.level], ...(invite.rights ?? []).map((right) => rightTitles[right])].join(" + "),
    invite.rooms?.map(nameOfRoom).join(", ") ?? texts.forWholeHouse,
  );
};

const InviteState = ({ invite: { state, expiresAt, usedBy } }: { readonly invite: Invite }) => {
  const { agents } = useHouse();
  const guest = usedBy === undefined ? undefined : agents.get(usedBy);
  return (
    <span className={styles.about}>
      <Badge kind={state === "open" ? "success" : "plain"}>{stateTitles[state]}</Badge>
      {state === "open" ? <span className={styles.quiet}>{texts.expires(formatDateTime(expiresAt))}</span> : undefined}
      {state === "used" ? (
        <span className={styles.quiet}>{texts.usedBy(toVisible(guest?.content.name ?? texts.formerMember))}</span>
      ) : undefined}
    </span>
  );
};
