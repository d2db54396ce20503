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
  readonly since: number | undefined;
  readonly isHome: boolean;
  /** Saves the rights. Returns whether they were saved. */
  readonly onChange: (rights: readonly Right[]) => Promise<boolean>;
}

/** The rights that the user chose, until the person's grant contains them. */
interface ChosenRights {
  readonly rights: readonly Right[];
  /** Number of saves in progress. */
  readonly saving: number;
  /** The grant that was known when the last save ended. A later grant replaces the chosen rights. */
  readonly since?: number | undefined;
}

export const RightsField = ({ name, rights, since, isHome, onChange }: RightsFieldProps) => {
  const [chosen, setChosen] = useState<ChosenRights>();
  const known = useRef(since);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    known.current = since;
  }, [since]);
  const shown = chosen !== undefined && (chosen.saving > 0 || chosen.since === since) ? chosen.rights : rights;
  const save = async (next: readonly Right[]): Promise<void> => {
    setChosen((before) => ({ rights: next, saving: (before?.saving ?? 0) + 1 }));
    // Each save names all rights, so the saves must arrive in order.
    const saved = last.current.then(() => onChange(next));
    last.current = saved;
    const isSaved = await saved;
    setChosen((before) => {
      if (before === undefined || !isSaved) return undefined;
      const saving = before.saving - 1;
      return saving > 0 ? { rights: before.rights, saving } : { rights: before.rights, saving, since: known.current };
    });
  };
  return (
    <RightBoxes label={texts.rightsOf(name)} rights={shown} isHome={isHome} onChange={(next) => observe(save(next))} />
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
  const offered = allRights.filter((right) => right !== "providers" || isHome);
  return (
    <div role="group" aria-labelledby={title} className={styles.rights}>
      <span id={title} className={styles.quiet}>
        {label}
      </span>
      {offered.map((right) => (
        <Tooltip key={right} text={rightDetails[right]}>
          {(describedBy) => (
            <Checkbox
              label={rightTitles[right]}
              aria-describedby={describedBy}
              checked={rights.includes(right)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...rights, right] : rights.filter((one) => one !== right))
              }
            />
          )}
        </Tooltip>
      ))}
    </div>
  );
};
