/** Shows a new API key once. */
import type { CreatedKey } from "@hearth/protocol";
import { toVisible } from "../../text/visible.tsx";
import { ShownOnce } from "../form/shown-once.tsx";
import * as texts from "./text.ts";

export interface NewKeyProps {
  readonly made: Pick<CreatedKey, "key" | "name"> & Partial<CreatedKey>;
  readonly onClose: () => void;
}

export const NewKey = ({ made, onClose }: NewKeyProps) => (
  <ShownOnce title={texts.apiKeyOf(toVisible(made.name))} text={made.key} copyLabel={texts.copy} onClose={onClose} />
);
