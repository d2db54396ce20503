/** A form field: label, hint, control and error, connected for assistive technology. */
import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { classes } from "./classes.ts";
import styles from "./field.module.css";
import { Icon } from "./icon.tsx";

export interface FieldIds {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Renders the control: `(ids) => <TextInput {...ids} … />`. */
  readonly children: (ids: FieldIds) => ReactNode;
}

export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}hint`;
  const errorId = error === undefined ? undefined : `${id}error`;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hintId === undefined ? undefined : (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
      {children({ id, describedBy: classes(hintId, errorId), isInvalid: error !== undefined })}
      {errorId === undefined ? undefined : (
        <p id={errorId} role="alert" className={styles.error}>
          <Icon name="warning" />
          {error}
        </p>
      )}
    </div>
  );
};

/** Attributes that a field passes to its control. */
interface DescriptionProps {
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean | undefined;
}

const toAriaProps = ({ describedBy, isInvalid }: DescriptionProps) => ({
  ...(describedBy === undefined ? {} : { "aria-describedby": describedBy }),
  ...(isInvalid === true ? { "aria-invalid": true } : {}),
});

export const TextInput = ({
  describedBy,
  isInvalid,
  className,
  ...props
}: ComponentProps<"input"> & DescriptionProps) => (
  <input
    type="text"
    {...toAriaProps({ describedBy, isInvalid })}
    {...props}
    className={classes(styles.control, className)}
  />
);

/** A text area that grows with its text up to its `max-height`. */
export const TextArea = ({
  describedBy,
  isInvalid,
  className,
  ref,
  ...props
}: ComponentProps<"textarea"> & DescriptionProps) => {
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const { value } = props;
  useLayoutEffect(() => {
    const area = areaRef.current;
    if (area === null || value === undefined || isSelfSizing(area.style)) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
  }, [value]);
  return (
    <textarea
      rows={3}
      {...toAriaProps({ describedBy, isInvalid })}
      {...props}
      ref={(area) => {
        areaRef.current = area;
        if (typeof ref === "function") return ref(area);
        if (ref !== undefined && ref !== null) ref.current = area;
        return undefined;
      }}
      className={classes(styles.control, styles.area, className)}
    />
  );
};

/** Whether the browser supports `field-sizing`, which grows the text area without a script. */
const isSelfSizing = (style: object): boolean => "fieldSizing" in style;

export const Select = ({
  describedBy,
  isInvalid,
  className,
  ...props
}: ComponentProps<"select"> & DescriptionProps) => (
  <select
    {...toAriaProps({ describedBy, isInvalid })}
    {...props}
    className={classes(styles.control, styles.select, className)}
  />
);

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  readonly label: ReactNode;
  readonly detail?: ReactNode;
}

export const Checkbox = ({ label, detail, className, ...props }: CheckboxProps) => (
  <label className={classes(styles.check, className)}>
    <input type="checkbox" {...props} />
    <span>
      {label}
      {detail === undefined ? undefined : <span className={styles.detail}>{detail}</span>}
    </span>
  </label>
);
