/** The rights of a person on a house, beside the role. Admins have all of them. */
import { observe } from "@hearth/client";
import { type Right, rights as allRights } from "@hearth/protocol";
import { useEffect, useId, useRef, useState } from "react";
import { Checkbox } from "../../design/field.tsx";
import { Tooltip } from "../../design/tooltip.tsx";
import { rightDetails, rightTitles } from "./level-words.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface RightsFieldProps {
  /** The name of the person. */
  readonly name: string;
  readonly rights: readonly Right[];
  /** When the grant was given. */
  readonly grantedAt: number | undefined;
  readonly isHome: boolean;
  /** Saves the rights. Returns whether they were saved. */
  readonly onChange: (rights: readonly Right[]) => Promise<boolean>;
}

/** The rights that the user chose, until the person's grant contains them. */
interface ChosenRights {
  readonly rights: readonly Right[];
  /** Number of saves in progress. */
  readonly pendingSaves: number;
  /** The grant that was known when the last save ended. A later grant replaces the chosen rights. */
  readonly grantedAt?: number | undefined;
}

export const RightsField = ({ name, rights, grantedAt, isHome, onChange }: RightsFieldProps) => {
  const [chosenRights, setChosenRights] = useState<ChosenRights>();
  const latestGrantedAt = useRef(grantedAt);
  const lastSave = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    latestGrantedAt.current = grantedAt;
  }, [grantedAt]);
  const areChosenShown =
    chosenRights !== undefined && (chosenRights.pendingSaves > 0 || chosenRights.grantedAt === grantedAt);
  const shownRights = areChosenShown ? chosenRights.rights : rights;
  const saveRights = async (newRights: readonly Right[]): Promise<void> => {
    setChosenRights((previousChoice) => ({ rights: newRights, pendingSaves: (previousChoice?.pendingSaves ?? 0) + 1 }));
    // Each save names all rights, so the saves must arrive in order.
    const save = lastSave.current.then(() => onChange(newRights));
    lastSave.current = save;
    const isSaved = await save;
    setChosenRights((previousChoice) => {
      if (previousChoice === undefined || !isSaved) return undefined;
      const pendingSaves = previousChoice.pendingSaves - 1;
      const state = { rights: previousChoice.rights, pendingSaves };
      return pendingSaves > 0 ? state : { ...state, grantedAt: latestGrantedAt.current };
    });
  };
  return (
    <RightBoxes
      label={texts.rightsOf(name)}
      rights={shownRights}
      isHome={isHome}
      onChange={(newRights) => observe(saveRights(newRights))}
    />
  );
};

export interface RightBoxesProps {
  readonly label: string;
  readonly rights: readonly Right[];
  /** Whether this is the first house, on which alone the right to manage providers has an effect. */
  readonly isHome: boolean;
  readonly onChange: (rights: readonly Right[]) => void;
}

/** A checkbox for each right. */
export const RightBoxes = ({ label, rights, isHome, onChange }: RightBoxesProps) => {
  const title = useId();
  const availableRights = allRights.filter((right) => right !== "providers" || isHome);
  return (
    <div role="group" aria-labelledby={title} className={styles.rights}>
      <span id={title} className={styles.quiet}>
        {label}
      </span>
      {availableRights.map((right) => (
        <Tooltip key={right} text={rightDetails[right]}>
          {(describedBy) => (
            <Checkbox
              label={rightTitles[right]}
              aria-describedby={describedBy}
              checked={rights.includes(right)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...rights, right] : rights.filter((grantedRight) => grantedRight !== right))
              }
            />
          )}
        </Tooltip>
      ))}
    </div>
  );
};
