/**
 * The roles of people and agents in a house or room, which the code calls levels. Admins can grant,
 * change and remove roles.
 */
import { observe } from "@hearth/client";
import { type AgentId, type HouseRecord, type Level, type Right, type RoomRecord, rights } from "@hearth/protocol";
import { useCallback, useEffect, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Avatar } from "../../design/avatar.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { Select } from "../../design/field.tsx";
import { Popover } from "../../design/popover.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { useSubmission } from "../../house/use-submission.ts";
import { type BulkChange, ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { GiveLevel } from "./give-level.tsx";
import { type LevelRow, levelsOf, nameOf } from "./levels-of.ts";
import { levelDetails, levelTitles, rightDetails, rightTitles, toGrantError } from "./level-words.ts";
import { RightsField } from "./rights-field.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface PlaceLevelsProps {
  readonly place: HouseRecord | RoomRecord;
}

export const PlaceLevels = ({ place }: PlaceLevelsProps) => {
  const { client, house: houseReader } = useUi();
  const { agents } = useHouse();
  const { id, house } = place;
  const request = useRequest(
    useCallback(async () => {
      const places = id === house ? [id] : [id, house];
      return (await Promise.all(places.map((placeId) => client.grants.list({ on: placeId })))).flat();
    }, [client, id, house]),
  );
  const { reload } = request;
  useEffect(
    () =>
      houseReader.onLevels((changedPlace) => {
        if (changedPlace === id || changedPlace === house) reload();
      }),
    [houseReader, id, house, reload],
  );
  return (
    <Section title={texts.access} text={place.type === "room" ? describeInheritance(place) : undefined}>
      <dl className={styles.facts}>
        {(["r", "w", "x"] as const).map((level) => (
          <div key={level}>
            <dt>{levelTitles[level]}</dt>
            <dd>{levelDetails[level]}</dd>
          </div>
        ))}
        {place.type === "room"
          ? undefined
          : rights.map((right) => (
              <div key={right}>
                <dt>{rightTitles[right]}</dt>
                <dd>{rightDetails[right]}</dd>
              </div>
            ))}
      </dl>
      {request.error === undefined ? undefined : (
        <ErrorNotice
          error={request.error}
          button={
            <Button size="small" onClick={reload}>
              {texts.tryAgain}
            </Button>
          }
        />
      )}
      {request.value === undefined ? undefined : (
        <LevelList place={place} rows={levelsOf({ place, grants: request.value, agents })} onChange={reload} />
      )}
    </Section>
  );
};

const describeInheritance = ({ content: { members } }: RoomRecord): string =>
  members === undefined ? texts.openRoomAccess : texts.closedRoomAccess;

export interface LevelListProps extends PlaceLevelsProps {
  readonly rows: readonly LevelRow[];
  readonly onChange: () => void;
}

interface LevelChange {
  readonly row: LevelRow;
  readonly level: Level | undefined;
  /** If absent, the rights do not change. */
  readonly rights?: readonly Right[];
}

export const LevelList = ({ place, rows, onChange }: LevelListProps) => {
  const { me, agents } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [pendingChange, setPendingChange] = useState<LevelChange>();
  const grant = useGrant(place);
  const change = async ({ row, level, rights }: LevelChange): Promise<boolean> => {
    setPendingChange(undefined);
    const isChanged = await submission.run(() => grant(row, level, rights));
    if (isChanged) announce(texts.saved);
    onChange();
    return isChanged;
  };
  const choose = (levelChange: LevelChange): void => {
    // Asks first, because users who give up their own admin role cannot restore it.
    if (levelChange.row.agent === me?.agent.id && levelChange.row.level === "x") setPendingChange(levelChange);
    else observe(change(levelChange));
  };
  const withoutRole = [...agents.values()].filter(
    ({ id }) => !rows.some((row) => row.agent === id && row.grantedLevel),
  );
  return (
    <>
      <ListTable
        label={texts.membersList}
        rows={rows}
        keyOf={({ agent }) => agent}
        nameOf={nameOf}
        columns={[
          { title: texts.name, cell: (row) => <MemberName row={row} place={place} /> },
          {
            title: texts.role,
            cell: (row) => (
              <MemberLevel
                row={row}
                place={place}
                onLevel={(level) => choose({ row, level })}
                onRights={(newRights) => change({ row, level: row.grantedLevel, rights: newRights })}
              />
            ),
          },
        ]}
        filters={[kindFilter, roleFilter]}
        searchText={(row) => `${nameOf(row)} ${row.record?.handle ?? ""}`}
        changes={createLevelChanges(grant, me?.agent.id)}
        onChanged={onChange}
        empty={<EmptyState icon="person" title={texts.noMembers} />}
      />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <GiveLevel place={place} agents={withoutRole} onGranted={onChange} />
      <ConfirmDialog
        title={texts.giveUpRoleTitle}
        text={texts.giveUpRoleEffect}
        confirm={texts.giveUpRole}
        isDanger
        isOpen={pendingChange !== undefined}
        onConfirm={() => {
          if (pendingChange !== undefined) observe(change(pendingChange));
        }}
        onClose={() => setPendingChange(undefined)}
      />
    </>
  );
};

/**
 * Gives a person or agent a level, or removes the level if `level` is undefined. If `rights` are
 * absent, the rights do not change.
 */
type Grant = (row: LevelRow, level: Level | undefined, rights?: readonly Right[]) => Promise<void>;

const useGrant = (place: HouseRecord | RoomRecord): Grant => {
  const { client } = useUi();
  return async (row, level, rights) => {
    try {
      if (level === undefined) await client.grants.take(place.id, row.agent);
      else await client.grants.give(place.id, row.agent, level, rights);
    } catch (error) {
      throw toGrantError(error, nameOf(row));
    }
  };
};

/** Returns the changes that a user can apply to several selected members, but not to their own role. */
const createLevelChanges = (grant: Grant, ownId: AgentId | undefined): readonly BulkChange<LevelRow>[] => [
  ...(["r", "w", "x"] as const).map((level) => ({
    id: level,
    label: texts.makeRole(levelTitles[level]),
    icon: "person" as const,
    title: (count: number) => texts.makeRoleCount(count, levelTitles[level]),
    applies: (row: LevelRow) => row.grantedLevel !== undefined && row.grantedLevel !== level && row.agent !== ownId,
    run: (row: LevelRow) => grant(row, level),
    done: texts.changedCount,
  })),
  {
    id: "remove",
    label: texts.removeAccess,
    icon: "delete",
    title: texts.removeAccessCount,
    confirm: { title: texts.removeAccessTitle, text: texts.removeAccessEffect },
    isDanger: true,
    applies: (row) => row.grantedLevel !== undefined && row.agent !== ownId,
    run: (row) => grant(row, undefined),
    done: texts.changedCount,
  },
];

const kindFilter: ListFilter<LevelRow> = {
  name: "kind",
  label: texts.kind,
  all: texts.allKinds,
  options: [
    { value: "human", title: texts.people },
    { value: "bot", title: texts.agents },
  ],
  matches: ({ record }, value) => record?.content.kind === value,
};

const roleFilter: ListFilter<LevelRow> = {
  name: "role",
  label: texts.role,
  all: texts.allRoles,
  options: (["r", "w", "x"] as const).map((value) => ({ value, title: levelTitles[value] })),
  matches: ({ level }, value) => level === value,
};

interface MemberNameProps extends PlaceLevelsProps {
  readonly row: LevelRow;
}

const MemberName = ({ row, place }: MemberNameProps) => {
  const { me } = useHouse();
  return (
    <span className={styles.person}>
      <Avatar name={nameOf(row)} kind={row.record?.content.kind ?? "human"} size="small" />
      <span className={styles.about}>
        <span className={styles.name}>
          {nameOf(row)}
          {row.agent === me?.agent.id ? texts.youSuffix : ""}
        </span>
        <span className={styles.quiet}>{describeSource(row, place)}</span>
      </span>
    </span>
  );
};

interface MemberLevelProps extends PlaceLevelsProps {
  readonly row: LevelRow;
  readonly onLevel: (level: Level | undefined) => void;
  readonly onRights: (rights: readonly Right[]) => Promise<boolean>;
}

const MemberLevel = ({ row, place, onLevel, onRights }: MemberLevelProps) => {
  const { me } = useHouse();
  return (
    <span className={styles.about}>
      {row.grantedLevel === undefined ? (
        <span>{levelTitles[row.level]}</span>
      ) : (
        <LevelSelect row={row} grantedLevel={row.grantedLevel} onChange={onLevel} />
      )}
      {mayHaveRights(row, place) ? (
        <Popover
          label={texts.rightsOf(nameOf(row))}
          buttonLabel={texts.rightsButton(describeRights(row), nameOf(row))}
          button={describeRights(row)}
        >
          <RightsField
            name={nameOf(row)}
            rights={row.rights}
            grantedAt={row.grantedAt}
            isHome={place.id === me?.home}
            onChange={onRights}
          />
        </Popover>
      ) : undefined}
    </span>
  );
};

const describeRights = ({ rights }: LevelRow): string =>
  rights.length === 0 ? texts.noRights : rights.map((right) => rightTitles[right]).join(", ");

/** Returns whether the row can have rights: only people in a house who are not admins can. */
const mayHaveRights = ({ grantedLevel, record }: LevelRow, place: HouseRecord | RoomRecord): boolean =>
  place.type === "house" && grantedLevel !== undefined && grantedLevel !== "x" && record?.content.kind === "human";

const NO_ROLE = "none";

interface LevelSelectProps {
  readonly row: LevelRow;
  readonly grantedLevel: Level;
  readonly onChange: (level: Level | undefined) => void;
}

const LevelSelect = ({ row, grantedLevel, onChange }: LevelSelectProps) => (
  <Select
    className={styles.level}
    aria-label={texts.roleOf(nameOf(row))}
    value={grantedLevel}
    onChange={({ target: { value } }) => onChange(value === NO_ROLE ? undefined : (value as Level))}
  >
    {(["r", "w", "x"] as const).map((level) => (
      <option key={level} value={level}>
        {levelTitles[level]}
      </option>
    ))}
    <option value={NO_ROLE}>{texts.removeAccess}</option>
  </Select>
);

const describeSource = ({ record, source, level, grantedLevel }: LevelRow, place: HouseRecord | RoomRecord): string => {
  const kind = record?.content.kind === "bot" ? texts.agent : texts.person;
  if (place.type === "house") return kind;
  if (source === "house") return texts.inheritedRole(kind);
  if (source === "member") return texts.roomMemberRole(kind);
  return grantedLevel === level ? texts.roomRole(kind) : texts.roomAndHouseRole(kind, levelTitles[level]);
};
