/**
 * The members page: people and agents with their roles. Users who are not admins see only their own
 * role.
 */
import { levelIn } from "@hearth/client";
import type { HouseRecord, Me } from "@hearth/protocol";
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { may } from "../../house/may.ts";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { InvitesSection } from "../invites/invites-section.tsx";
import { ownWords, rightTitles } from "./level-words.ts";
import { pathOfRoom, paths } from "../place.ts";
import { PlaceLevels } from "./place-levels.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface MembersPageProps {
  readonly house: HouseRecord;
  readonly me: Me;
}

export const MembersPage = ({ house, me }: MembersPageProps) => (
  <>
    <OwnLevel house={house} me={me} />
    {may(me, "x", house) ? (
      <>
        <InvitesSection key={`invites of ${house.id}`} house={house} />
        <PlaceLevels key={house.id} place={house} />
        <p>
          <Link href={paths.newAgent} className={styles.add}>
            <Icon name="plus" />
            {texts.addPersonOrAgent}
          </Link>
        </p>
      </>
    ) : undefined}
  </>
);

const OwnLevel = ({ house, me }: MembersPageProps) => {
  const { rooms } = useHouse();
  const level = levelIn(me, house);
  const rights = me.permissions.find(({ on }) => on === house.id)?.rights ?? [];
  const administeredRooms = rooms.filter(({ room }) => level !== "x" && may(me, "x", room));
  return (
    <Section title={texts.yourRole(house.content.name)}>
      <p>{level === undefined ? texts.noRole : ownWords[level]}</p>
      {rights.length === 0 ? undefined : <p>{texts.yourRights(rights.map((right) => rightTitles[right]))}</p>}
      {level === "x" ? undefined : <p className={styles.quiet}>{texts.roleHint}</p>}
      {administeredRooms.length === 0 ? undefined : (
        <ul className={styles.list}>
          {administeredRooms.map(({ room }) => (
            <li key={room.id}>
              {texts.adminOf} <Link href={pathOfRoom(room.handle)}>{toVisible(room.content.name)}</Link>.
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};
