/** Creates an invite link: role, rights, access, expiration and note. */
import { type CreatedInvite, type HouseRecord, type Invite, type Level, type Right, RoomId } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { Checkbox, Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { LevelField } from "../access/level-field.tsx";
import { RightBoxes } from "../access/rights-field.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { NewInvite } from "./new-invite.tsx";
import * as texts from "./text.ts";

export interface MakeInviteProps {
  readonly house: HouseRecord;
  readonly invites: readonly Invite[];
  readonly onCreated: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = [
  { days: 1, title: texts.oneDay },
  { days: 7, title: texts.oneWeek },
  { days: 30, title: texts.thirtyDays },
] as const;

export const MakeInvite = ({ house, invites, onCreated }: MakeInviteProps) => {
  const { client, clock } = useUi();
  const { me } = useHouse();
  const submission = useSubmission();
  const [level, setLevel] = useState<Level>("w");
  const [rights, setRights] = useState<readonly Right[]>([]);
  const [access, setAccess] = useState<"house" | "rooms">("house");
  const [rooms, setRooms] = useState<ReadonlySet<string>>(new Set());
  const [days, setDays] = useState(7);
  const [note, setNote] = useState("");
  const [isRoomMissing, setRoomMissing] = useState(false);
  const [createdInvite, setCreatedInvite] = useState<CreatedInvite>();
  // A new link is shown until it is used or revoked.
  const isClosed = invites.some(({ id, state }) => id === createdInvite?.id && state !== "open");
  // Rights apply to a house, and admins have all of them.
  const canHaveRights = access === "house" && level !== "x";
  const createInvite = async (): Promise<void> => {
    const hasNoRoom = access === "rooms" && rooms.size === 0;
    setRoomMissing(hasNoRoom);
    if (hasNoRoom) return;
    await submission.run(async () => {
      const calls = await client.invites();
      const newInvite = await calls.create(house.id, {
        level,
        ...(canHaveRights && rights.length > 0 ? { rights: [...rights] } : {}),
        ...(access === "rooms" ? { rooms: [...rooms].map((id) => RoomId.parse(id)) } : {}),
        ...(note.trim() === "" ? {} : { note: note.trim() }),
        expiresAt: clock.now() + days * DAY_MS,
      });
      setCreatedInvite(newInvite);
      setNote("");
      setRights([]);
      onCreated();
    });
  };
  return (
    <>
      {createdInvite === undefined || isClosed ? undefined : (
        <NewInvite key={createdInvite.id} invite={createdInvite} onClose={() => setCreatedInvite(undefined)} />
      )}
      <Form onSubmit={createInvite}>
        <AccessFields
          house={house}
          access={access}
          rooms={rooms}
          isRoomMissing={isRoomMissing}
          onAccess={setAccess}
          onRooms={(selectedIds) => {
            setRoomMissing(false);
            setRooms(selectedIds);
          }}
        />
        <RoleFields level={level} days={days} onLevel={setLevel} onDays={setDays} />
        {canHaveRights ? (
          <RightBoxes label={texts.rights} rights={rights} isHome={me?.home === house.id} onChange={setRights} />
        ) : undefined}
        <NoteField note={note} onChange={setNote} />
        {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
        <div className={styles.buttons}>
          <Button type="submit" isBusy={submission.isBusy}>
            {texts.createInviteLink}
          </Button>
        </div>
      </Form>
    </>
  );
};

interface AccessFieldsProps {
  readonly house: HouseRecord;
  readonly access: "house" | "rooms";
  readonly rooms: ReadonlySet<string>;
  readonly isRoomMissing: boolean;
  readonly onAccess: (access: "house" | "rooms") => void;
  readonly onRooms: (rooms: ReadonlySet<string>) => void;
}

const AccessFields = ({ house, access, rooms, isRoomMissing, onAccess, onRooms }: AccessFieldsProps) => (
  <>
    <ChoiceGroup
      label={texts.access}
      value={access}
      onChange={onAccess}
      choices={[
        { value: "house", title: texts.wholeHouse, detail: texts.wholeHouseDetail },
        { value: "rooms", title: texts.selectedRooms, detail: texts.selectedRoomsDetail },
      ]}
    />
    {access === "house" ? undefined : <ChooseRooms house={house} selectedIds={rooms} onChange={onRooms} />}
    {isRoomMissing ? <Notice kind="danger">{texts.selectARoom}</Notice> : undefined}
  </>
);

interface NoteFieldProps {
  readonly note: string;
  readonly onChange: (note: string) => void;
}

const NoteField = ({ note, onChange }: NoteFieldProps) => (
  <Field label={texts.note} hint={texts.noteHint}>
    {(ids) => (
      <TextInput
        {...ids}
        value={note}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

interface RoleFieldsProps {
  readonly level: Level;
  readonly days: number;
  readonly onLevel: (level: Level) => void;
  readonly onDays: (days: number) => void;
}

const RoleFields = ({ level, days, onLevel, onDays }: RoleFieldsProps) => (
  <div className={styles.pair}>
    <LevelField label={texts.newRole} level={level} onChange={onLevel} />
    <Field label={texts.expiration}>
      {(ids) => (
        <Select {...ids} value={days} onChange={(event) => onDays(Number(event.target.value))}>
          {lifetimes.map((lifetime) => (
            <option key={lifetime.days} value={lifetime.days}>
              {lifetime.title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  </div>
);

interface ChooseRoomsProps {
  readonly house: HouseRecord;
  readonly selectedIds: ReadonlySet<string>;
  readonly onChange: (selectedIds: ReadonlySet<string>) => void;
}

/** Checkboxes for the rooms of the invite. Direct rooms are left out, because they cannot have more members. */
const ChooseRooms = ({ house, selectedIds, onChange }: ChooseRoomsProps) => {
  const { rooms } = useHouse();
  const groupRooms = rooms.filter(({ room }) => room.house === house.id && room.content.kind === "group");
  return (
    <fieldset>
      <legend className={styles.name}>{texts.rooms}</legend>
      {groupRooms.map(({ room }) => (
        <Checkbox
          key={room.id}
          label={toVisible(room.content.name)}
          checked={selectedIds.has(room.id)}
          onChange={({ target }) => {
            const newIds = new Set(selectedIds);
            if (target.checked) newIds.add(room.id);
            else newIds.delete(room.id);
            onChange(newIds);
          }}
        />
      ))}
    </fieldset>
  );
};
