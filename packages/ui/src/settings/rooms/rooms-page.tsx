/**
 * The rooms of the house that are visible to the current user, each with a link to its settings.
 */
import { levelIn, type RoomEntry } from "@hearth/client";
import type { HouseRecord, Me } from "@hearth/protocol";
import { Link } from "wouter";
import { Badge } from "../../design/badge.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { Icon } from "../../design/icon.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { may } from "../../house/may.ts";
import { roomTitle } from "../../house/room-title.ts";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { compareNames } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import { levelTitles } from "../access/level-words.ts";
import { pathOfRoom, paths } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface RoomsPageProps {
  readonly rooms: readonly RoomEntry[];
  readonly house: HouseRecord;
  readonly me: Me;
}

export const RoomsPage = ({ rooms, house, me }: RoomsPageProps) => {
  const { client } = useUi();
  const rows = rooms.toSorted((a, b) => compareNames(a.room.content.name, b.room.content.name));
  return (
    <Section title={texts.rooms}>
      <ListTable
        label={texts.rooms}
        rows={rows}
        keyOf={({ room }) => room.id}
        nameOf={({ room }) => roomTitle(room)}
        columns={columns}
        filters={[kindFilter, archiveFilter]}
        searchText={({ room }) => `${roomTitle(room)} ${room.handle} ${room.content.description ?? ""}`}
        changes={[
          {
            id: "remove",
            label: texts.removeOne,
            icon: "delete",
            title: texts.removeCount,
            confirm: { title: texts.removeSelected, text: texts.removeSelectedEffect },
            isDanger: true,
            applies: ({ room }) => may(me, "x", room),
            run: ({ room }) => client.rooms.remove(room.id),
            done: texts.removedCount,
          },
        ]}
        empty={<EmptyState icon="room" title={texts.noRooms} />}
      />
      {may(me, "w", house) ? (
        <p>
          <Link href={paths.newRoom} className={styles.add}>
            <Icon name="plus" />
            {texts.newRoom}
          </Link>
        </p>
      ) : undefined}
    </Section>
  );
};

const kindFilter: ListFilter<RoomEntry> = {
  name: "kind",
  label: texts.kind,
  all: texts.allKinds,
  options: [
    { value: "group", title: texts.groupRooms },
    { value: "direct", title: texts.directRooms },
  ],
  matches: ({ room }, value) => room.content.kind === value,
};

const archiveFilter: ListFilter<RoomEntry> = {
  name: "state",
  label: texts.state,
  all: texts.allStates,
  options: [
    { value: "current", title: texts.currentRooms },
    { value: "archived", title: texts.archivedRooms },
  ],
  matches: ({ isArchived }, value) => isArchived === (value === "archived"),
};

const columns: readonly [TableColumn<RoomEntry>, ...TableColumn<RoomEntry>[]] = [
  {
    title: texts.name,
    cell: ({ room }) => (
      <span className={styles.about}>
        <Link href={pathOfRoom(room.handle)} aria-label={texts.settingsOf(roomTitle(room))} className={styles.name}>
          {roomTitle(room)}
        </Link>
        {room.content.description === undefined ? undefined : (
          <span className={styles.quiet}>{toVisible(room.content.description)}</span>
        )}
      </span>
    ),
  },
  { title: texts.visibleTo, cell: ({ room }) => describeMembers(room.content) },
  { title: texts.yourRole, cell: (entry) => <OwnRole entry={entry} /> },
  {
    title: texts.lastMessage,
    cell: ({ lastEventAt, isArchived }) => (
      <span className={styles.about}>
        {lastEventAt === undefined ? texts.noMessages : <Time at={lastEventAt} style="relative" />}
        {isArchived ? <Badge>{texts.archived}</Badge> : undefined}
      </span>
    ),
  },
];

const OwnRole = ({ entry: { room } }: { readonly entry: RoomEntry }) => {
  const { me } = useHouse();
  return levelTitles[(me === undefined ? undefined : levelIn(me, room)) ?? "r"];
};

export const describeMembers = ({
  kind,
  members,
}: {
  readonly kind: "direct" | "group";
  readonly members?: readonly string[] | undefined;
}): string => {
  if (kind === "direct") return texts.directRoom;
  if (members === undefined) return texts.openToTheWholeHouse;
  return members.length === 1 ? texts.oneParticipant : texts.participantCount(members.length);
};
