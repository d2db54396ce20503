/** The rights of a person on a house, beside the role. Admins have all of them. */
import { type Right, rights as allRights } from "@hearth/protocol";
import { useId } from "react";
import { Checkbox } from "../../design/field.tsx";
import { rightDetails, rightTitles } from "./level-words.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface RightsFieldProps {
  /** The name of the person. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** Whether this is the first house, on which alone the right to manage providers has an effect. */
  readonly isHome: boolean;
  readonly onChange: (rights: readonly Right[]) => void;
}

export const RightsField = ({ name, rights, isHome, onChange }: RightsFieldProps) => {
  const title = useId();
  const offered = allRights.filter((right) => right !== "providers" || isHome);
  return (
    <div role="group" aria-labelledby={title} className={styles.rights}>
      <span id={title} className={styles.quiet}>
        {texts.rightsOf(name)}
      </span>
      {offered.map((right) => (
        <Checkbox
          key={right}
          label={rightTitles[right]}
          title={rightDetails[right]}
          checked={rights.includes(right)}
          onChange={({ target: { checked } }) =>
            onChange(checked ? [...rights, right] : rights.filter((one) => one !== right))
          }
        />
      ))}
    </div>
  );
};
