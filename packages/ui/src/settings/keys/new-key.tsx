/** Shows a new API key once. */
import type { CreatedKey } from "@hearth/protocol";
import { toVisible } from "../../text/visible.tsx";
import { ShownOnce } from "../form/shown-once.tsx";
import * as texts from "./text.ts";

export interface NewKeyProps {
  readonly newKey: Pick<CreatedKey, "key" | "name"> & Partial<CreatedKey>;
  readonly onClose: () => void;
}

export const NewKey = ({ newKey, onClose }: NewKeyProps) => (
  <ShownOnce
    title={texts.apiKeyOf(toVisible(newKey.name))}
    text={newKey.key}
    copyLabel={texts.copy}
    onClose={onClose}
  />
);
