/** Shows why a chat could not be started. */
import { Dialog } from "../../../design/dialog.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import * as texts from "./text.ts";

export interface NewChatFailureProps {
  readonly error: unknown;
  readonly onClose: () => void;
}

export const NewChatFailure = ({ error, onClose }: NewChatFailureProps) => (
  <Dialog title={texts.couldNotBegin} isOpen onClose={onClose}>
    <ErrorNotice error={error} />
  </Dialog>
);
