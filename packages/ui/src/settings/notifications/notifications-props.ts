/** What each section of the page shows and changes. */
import type { PushState } from "@hearth/protocol";

export interface NotificationsProps {
  readonly state: PushState;
  readonly onChange: (state: PushState) => void;
}
