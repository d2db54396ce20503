/** Field that chooses a role: viewer, member or admin. */
import type { Level } from "@hearth/protocol";
import { Field, Select } from "../../design/field.tsx";
import { levelTitles } from "./level-words.ts";
import * as texts from "./text.ts";

export interface LevelFieldProps {
  /** Default: "Role". */
  readonly label?: string;
  readonly level: Level;
  readonly onChange: (level: Level) => void;
}

export const LevelField = ({ label = texts.role, level, onChange }: LevelFieldProps) => (
  <Field label={label}>
    {(ids) => (
      <Select {...ids} value={level} onChange={(event) => onChange(event.target.value as Level)}>
        {(["r", "w", "x"] as const).map((option) => (
          <option key={option} value={option}>
            {levelTitles[option]}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
