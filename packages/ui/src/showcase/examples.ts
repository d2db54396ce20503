/** The components on the design page, with their examples. */
import type { ComponentType } from "react";

export interface Example {
  /** Shows the component in every state. */
  readonly Example: ComponentType;
  /** Names of other components that are used only within this one. */
  readonly otherNames?: readonly string[];
}

/** Examples by the name of their component. */
export type Examples = Readonly<Record<string, Example>>;
