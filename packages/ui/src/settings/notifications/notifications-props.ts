/** The properties of each section of the notifications page. */
import type { PushState } from "@hearth/protocol";

export interface NotificationsProps {
  readonly state: PushState;
  readonly onChange: (state: PushState) => void;
}
