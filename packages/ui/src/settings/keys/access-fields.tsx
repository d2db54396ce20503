/** The fields that limit a new API key: access, role, places and rights. */
import type { AgentRecord } from "@hearth/protocol";
import { ChoiceGroup } from "../../design/choice.tsx";
import { Checkbox, Field, Select } from "../../design/field.tsx";
import { Notice } from "../../design/notice.tsx";
import { mayAdministerHome } from "../../house/may.ts";
import { roomTitle } from "../../house/room-title.ts";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { LevelField } from "../access/level-field.tsx";
import { RightBoxes } from "../access/rights-field.tsx";
import type { KeyDraft } from "./key-draft.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface AccessFieldsProps {
  readonly draft: KeyDraft;
  readonly owner: AgentRecord;
  readonly placesError: string | undefined;
  readonly onChange: (changes: Partial<KeyDraft>) => void;
}

export const AccessFields = ({ draft, owner, placesError, onChange }: AccessFieldsProps) => {
  const { me } = useHouse();
  const name = toVisible(owner.content.name);
  return (
    <>
      <ChoiceGroup
        label={texts.access}
        value={draft.access}
        onChange={(access) => onChange({ access })}
        choices={[
          { value: "full", title: texts.fullAccess, detail: texts.fullAccessDetail(name) },
          { value: "limited", title: texts.limitedAccess, detail: texts.limitedAccessDetail },
          ...(mayAdministerHome(me)
            ? [{ value: "metrics" as const, title: texts.metricsOnly, detail: texts.metricsOnlyDetail }]
            : []),
        ]}
      />
      {draft.access === "limited" ? (
        <LimitFields draft={draft} home={me?.home} placesError={placesError} onChange={onChange} />
      ) : undefined}
    </>
  );
};

interface LimitFieldsProps {
  readonly draft: KeyDraft;
  /** The first house. */
  readonly home: string | undefined;
  readonly placesError: string | undefined;
  readonly onChange: (changes: Partial<KeyDraft>) => void;
}

const LimitFields = ({ draft, home, placesError, onChange }: LimitFieldsProps) => (
  <>
    <div className={styles.pair}>
      <LevelField level={draft.level} onChange={(level) => onChange({ level })} />
      <Field label={texts.places}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.isEverywhere ? "all" : "selected"}
            onChange={({ target }) => onChange({ isEverywhere: target.value === "all" })}
          >
            <option value="all">{texts.allPlaces}</option>
            <option value="selected">{texts.selectedPlaces}</option>
          </Select>
        )}
      </Field>
    </div>
    {draft.isEverywhere ? undefined : (
      <ChoosePlaces selectedIds={draft.places} onChange={(places) => onChange({ places })} />
    )}
    {placesError === undefined ? undefined : <Notice kind="danger">{placesError}</Notice>}
    {draft.level === "x" ? undefined : (
      <RightBoxes
        label={texts.rights}
        rights={draft.rights}
        isHome={home !== undefined}
        onChange={(rights) => onChange({ rights })}
      />
    )}
  </>
);

interface ChoosePlacesProps {
  readonly selectedIds: ReadonlySet<string>;
  readonly onChange: (places: ReadonlySet<string>) => void;
}

/** Checkboxes for the houses of the user and the rooms of the current one. */
const ChoosePlaces = ({ selectedIds, onChange }: ChoosePlacesProps) => {
  const { houses, rooms } = useHouse();
  const places = [
    ...houses.map(({ id, content }) => ({ id, title: texts.wholeHouse(toVisible(content.name)) })),
    ...rooms.map(({ room }) => ({ id: room.id, title: roomTitle(room) })),
  ];
  return (
    <fieldset>
      <legend className={styles.name}>{texts.selectedPlaces}</legend>
      {places.map(({ id, title }) => (
        <Checkbox
          key={id}
          label={title}
          checked={selectedIds.has(id)}
          onChange={({ target }) => {
            const newIds = new Set(selectedIds);
            if (target.checked) newIds.add(id);
            else newIds.delete(id);
            onChange(newIds);
          }}
        />
      ))}
    </fieldset>
  );
};
