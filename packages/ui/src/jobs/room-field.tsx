/** Selects the room in which an agent reports: a group room, or the direct room with its owner. */
import type { RoomRecord } from "@hearth/protocol";
import { Field, Select } from "../design/field.tsx";
import { toVisible } from "../text/visible.tsx";
import * as texts from "./text.ts";

export interface RoomFieldProps {
  readonly label: string;
  /** A room id or handle. An empty text selects the direct room of the owner and the agent. */
  readonly value: string;
  readonly rooms: readonly RoomRecord[];
  readonly onChange: (room: string) => void;
}

export const RoomField = ({ label, value, rooms, onChange }: RoomFieldProps) => {
  const groups = rooms.filter(({ content }) => content.kind === "group");
  const isListed = value === "" || groups.some(({ handle }) => handle === value);
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{texts.directRoom}</option>
          {groups.map(({ id, handle, content }) => (
            <option key={id} value={handle}>
              {toVisible(content.name)}
            </option>
          ))}
          {isListed ? undefined : <option value={value}>{toVisible(value)}</option>}
        </Select>
      )}
    </Field>
  );
};
