/** The rooms of the house that one sees, each with its own page. */
import { levelIn, type RoomEntry } from "@hearth/client";
import type { HouseRecord, Me } from "@hearth/protocol";
import { Link } from "wouter";
import { Icon } from "../design/icon.tsx";
import { may } from "../house/may.ts";
import { visible } from "../text/visible.tsx";
import { ownWords } from "./level-words.ts";
import { pathOfRoom, paths } from "./place.ts";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export interface RoomsPageProps {
  readonly rooms: readonly RoomEntry[];
  readonly house: HouseRecord;
  readonly me: Me;
}

export const RoomsPage = ({ rooms, house, me }: RoomsPageProps) => (
  <Section title="Rooms">
    {rooms.length === 0 ? <p className={styles.quiet}>No room is open to you.</p> : undefined}
    <ul className={styles.list}>
      {rooms
        .map(({ room }) => room)
        .toSorted((one, other) => one.content.name.localeCompare(other.content.name))
        .map((room) => (
          <li key={room.id}>
            <Link href={pathOfRoom(room.handle)} className={styles.row}>
              <Icon name={room.content.kind === "direct" ? "person" : "room"} />
              <span className={styles.about}>
                <span className={styles.name}>{visible(room.content.name)}</span>
                {room.content.description === undefined ? undefined : <span>{visible(room.content.description)}</span>}
                <span className={styles.quiet}>
                  {tellMembers(room.content)} {ownWords[levelIn(me, room) ?? "r"]}
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
          New room
        </Link>
      </p>
    ) : undefined}
  </Section>
);

export const tellMembers = ({
  kind,
  members,
}: {
  readonly kind: "direct" | "group";
  readonly members?: readonly string[] | undefined;
}): string => {
  if (kind === "direct") return "Between two.";
  if (members === undefined) return "Open to the whole house.";
  return members.length === 1 ? "1 takes part." : `${members.length} take part.`;
};
