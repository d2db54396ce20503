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
  readonly onMade: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = [
  { days: 1, title: texts.oneDay },
  { days: 7, title: texts.oneWeek },
  { days: 30, title: texts.thirtyDays },
] as const;

export const MakeInvite = ({ house, invites, onMade }: MakeInviteProps) => {
  const { client, clock } = useUi();
  const { me } = useHouse();
  const submission = useSubmission();
  const [level, setLevel] = useState<Level>("w");
  const [rights, setRights] = useState<readonly Right[]>([]);
  const [access, setAccess] = useState<"house" | "rooms">("house");
  const [rooms, setRooms] = useState<ReadonlySet<string>>(new Set());
  const [days, setDays] = useState(7);
  const [note, setNote] = useState("");
  const [isRoomless, setRoomless] = useState(false);
  const [made, setMade] = useState<CreatedInvite>();
  // A new link is shown until it is used or revoked.
  const isOver = invites.some(({ id, state }) => id === made?.id && state !== "open");
  // Rights apply to a house, and admins have all of them.
  const canHaveRights = access === "house" && level !== "x";
  const make = async (): Promise<void> => {
    const isMissing = access === "rooms" && rooms.size === 0;
    setRoomless(isMissing);
    if (isMissing) return;
    await submission.run(async () => {
      const calls = await client.invites();
      const created = await calls.create(house.id, {
        level,
        ...(canHaveRights && rights.length > 0 ? { rights: [...rights] } : {}),
        ...(access === "rooms" ? { rooms: [...rooms].map((id) => RoomId.parse(id)) } : {}),
        ...(note.trim() === "" ? {} : { note: note.trim() }),
        expiresAt: clock.now() + days * DAY_MS,
      });
      setMade(created);
      setNote("");
      setRights([]);
      onMade();
    });
  };
  return (
    <>
      {made === undefined || isOver ? undefined : (
        <NewInvite key={made.id} made={made} onClose={() => setMade(undefined)} />
      )}
      <Form onSubmit={make}>
        <AccessFields
          house={house}
          access={access}
          rooms={rooms}
          isRoomless={isRoomless}
          onAccess={setAccess}
          onRooms={(chosen) => {
            setRoomless(false);
            setRooms(chosen);
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
  readonly isRoomless: boolean;
  readonly onAccess: (access: "house" | "rooms") => void;
  readonly onRooms: (rooms: ReadonlySet<string>) => void;
}

const AccessFields = ({ house, access, rooms, isRoomless, onAccess, onRooms }: AccessFieldsProps) => (
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
    {access === "house" ? undefined : <ChooseRooms house={house} chosen={rooms} onChange={onRooms} />}
    {isRoomless ? <Notice kind="danger">{texts.selectARoom}</Notice> : undefined}
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
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Checkboxes for the rooms of the invite. Direct rooms are left out, because they cannot have more members. */
const ChooseRooms = ({ house, chosen, onChange }: ChooseRoomsProps) => {
  const { rooms } = useHouse();
  const groups = rooms.filter(({ room }) => room.house === house.id && room.content.kind === "group");
  return (
    <fieldset>
      <legend className={styles.name}>{texts.rooms}</legend>
      {groups.map(({ room }) => (
        <Checkbox
          key={room.id}
          label={toVisible(room.content.name)}
          checked={chosen.has(room.id)}
          onChange={({ target }) => {
            const next = new Set(chosen);
            if (target.checked) next.add(room.id);
            else next.delete(room.id);
            onChange(next);
          }}
        />
      ))}
    </fieldset>
  );
};
