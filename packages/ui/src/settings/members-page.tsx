/** The house's people and bots, and what they may do in it. Who does not decide is told what they may do themselves. */
import { levelIn } from "@hearth/client";
import type { HouseRecord, Me } from "@hearth/protocol";
import { Link } from "wouter";
import { Icon } from "../design/icon.tsx";
import { may } from "../house/may.ts";
import { useHouse } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import { ownWords } from "./level-words.ts";
import { pathOfRoom, paths } from "./place.ts";
import { PlaceLevels } from "./place-levels.tsx";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export interface MembersPageProps {
  readonly house: HouseRecord;
  readonly me: Me;
}

export const MembersPage = ({ house, me }: MembersPageProps) => (
  <>
    <OwnLevel house={house} me={me} />
    {may(me, "x", house) ? (
      <>
        <PlaceLevels key={house.id} place={house} />
        <p>
          <Link href={paths.newAgent} className={styles.add}>
            <Icon name="plus" />
            New person or agent
          </Link>
        </p>
      </>
    ) : undefined}
  </>
);

const OwnLevel = ({ house, me }: MembersPageProps) => {
  const { rooms } = useHouse();
  const level = levelIn(me, house);
  const decided = rooms.filter(({ room }) => level !== "x" && may(me, "x", room));
  return (
    <Section title={`You in ${house.content.name}`}>
      <p>
        {level === undefined
          ? "In the house as a whole you may do nothing; in single rooms that are open to you, you may."
          : ownWords[level]}
      </p>
      {level === "x" ? undefined : <p className={styles.quiet}>Whoever decides in this house can change that.</p>}
      {decided.length === 0 ? undefined : (
        <ul className={styles.list}>
          {decided.map(({ room }) => (
            <li key={room.id}>
              You decide in <Link href={pathOfRoom(room.handle)}>{visible(room.content.name)}</Link>.
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};
