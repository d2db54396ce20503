/** Settings of one room: profile, members, roles, wake rules and removal. */
import { levelIn } from "@hearth/client";
import type { Me, RoomRecord } from "@hearth/protocol";
import { Link } from "wouter";
import { Field, TextInput } from "../../design/field.tsx";
import { may } from "../../house/may.ts";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { ownWords } from "../access/level-words.ts";
import { MoreLink } from "../form/more-link.tsx";
import { checkName, NameField } from "../form/name-field.tsx";
import { useNewest } from "../form/newest.ts";
import { pathOfRoom, pathOfConversation, paths } from "../place.ts";
import { PlaceLevels } from "../access/place-levels.tsx";
import { Removal } from "../form/removal.tsx";
import { RoomAdmission } from "./room-admission.tsx";
import { RoomMembers } from "./room-members.tsx";
import { RecordFields, Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { UpLink } from "../form/up-link.tsx";
import { useRecordForm } from "../form/use-record-form.ts";
import * as texts from "./text.ts";

export interface RoomSettingsProps {
  readonly room: RoomRecord;
  readonly me: Me;
}

export const RoomSettings = ({ room: listedRoom, me }: RoomSettingsProps) => {
  const { client } = useUi();
  const [room, storeRoom] = useNewest(listedRoom);
  const level = levelIn(me, room) ?? "r";
  const canAdminister = may(me, "x", room);
  return (
    <>
      <UpLink to={paths.rooms}>{texts.rooms}</UpLink>
      <Section
        title={room.content.name}
        text={
          <>
            {ownWords[level]} <Link href={pathOfConversation(room.handle)}>{texts.openRoom}</Link>
          </>
        }
      >
        {canAdminister ? (
          <RoomProfile room={room} onChange={storeRoom} />
        ) : (
          <p>{toVisible(room.content.description ?? "")}</p>
        )}
        <ul className={styles.list}>
          <li>
            <MoreLink to={pathOfRoom(room.handle, "activity")} title={texts.activity} text={texts.roomActivityDetail} />
          </li>
        </ul>
      </Section>
      <RoomMembers key={`members:${room.id}`} room={room} canEdit={canAdminister} onChange={storeRoom} />
      {canAdminister ? <PlaceLevels key={`levels:${room.id}:${room.version}`} place={room} /> : undefined}
      <RoomAdmission key={`admission:${room.id}`} room={room} canEdit={canAdminister} onChange={storeRoom} />
      {canAdminister ? (
        <Removal
          name={room.content.name}
          text={texts.roomRemovalEffect}
          consequences={texts.roomRemovalConsequences}
          remove={() => client.rooms.remove(room.id)}
          form={`form:${room.id}`}
          returnPath={paths.rooms}
        />
      ) : undefined}
    </>
  );
};

const RoomProfile = ({
  room,
  onChange,
}: {
  readonly room: RoomRecord;
  readonly onChange: (room: RoomRecord) => void;
}) => {
  const { client } = useUi();
  const { name, description = "" } = room.content;
  const form = useRecordForm({
    name: `form:${room.id}`,
    saved: { name, description },
    check: (values) => checkName(values.name),
    save: async (content) => onChange(await client.rooms.update(room.id, { content })),
  });
  return (
    <RecordFields form={form} subject={texts.roomForm}>
      <NameField
        value={form.values.name}
        error={form.errorOf("name")}
        onChange={(newName) => form.set("name", newName)}
      />
      <Field label={texts.description} hint={texts.roomDescriptionHint} error={form.errorOf("description")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={form.values.description}
            autoComplete="off"
            onChange={(event) => form.set("description", event.target.value)}
          />
        )}
      </Field>
    </RecordFields>
  );
};
