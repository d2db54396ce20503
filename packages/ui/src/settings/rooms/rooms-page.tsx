/**
 * The rooms of the house that are visible to the current user, each with a link to its settings.
 */
import { levelIn, type RoomEntry } from "@hearth/client";
import type { HouseRecord, Me } from "@hearth/protocol";
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { may } from "../../house/may.ts";
import { roomTitle } from "../../house/room-title.ts";
import { compareNames } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import { ownWords } from "../access/level-words.ts";
import { pathOfRoom, paths } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface RoomsPageProps {
  readonly rooms: readonly RoomEntry[];
  readonly house: HouseRecord;
  readonly me: Me;
}

export const RoomsPage = ({ rooms, house, me }: RoomsPageProps) => (
  <Section title={texts.rooms}>
    {rooms.length === 0 ? <p className={styles.quiet}>{texts.noRooms}</p> : undefined}
    <ul className={styles.list}>
      {rooms
        .map(({ room }) => room)
        .toSorted((one, other) => compareNames(one.content.name, other.content.name))
        .map((room) => (
          <li key={room.id}>
            <Link href={pathOfRoom(room.handle)} className={styles.row}>
              <Icon name={room.content.kind === "direct" ? "person" : "room"} />
              <span className={styles.about}>
                <span className={styles.name}>{roomTitle(room)}</span>
                {room.content.description === undefined ? undefined : (
                  <span>{toVisible(room.content.description)}</span>
                )}
                <span className={styles.quiet}>
                  {describeMembers(room.content)} {ownWords[levelIn(me, room) ?? "r"]}
                </span>
              </span>
              <Icon name="chevron" />
            </Link>
          </li>
        ))}
    </ul>
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
