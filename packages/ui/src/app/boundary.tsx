/** Error boundary: a crashed page leaves the rest of the UI working. */
import { Component, type ReactNode } from "react";
import { Button } from "../design/button.tsx";
import { MessagePage } from "./message-page.tsx";
import * as texts from "./text.ts";

export interface BoundaryProps {
  /** A change of `place` renders the children again. */
  readonly place: string;
  readonly reload: () => void;
  readonly children: ReactNode;
}

// oxlint-disable-next-line house/no-class -- React catches what breaks in a class and nowhere else
export class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidUpdate(previousProps: BoundaryProps): void {
    if (this.state.isBroken && previousProps.place !== this.props.place) this.setState({ isBroken: false });
  }

  override render(): ReactNode {
    return this.state.isBroken ? <CrashedPage reload={this.props.reload} /> : this.props.children;
  }
}

export const CrashedPage = ({ reload }: { readonly reload: () => void }) => (
  <MessagePage title={texts.pageCrashed}>
    <p>{texts.pageCrashedDetail}</p>
    <Button kind="primary" onClick={reload}>
      {texts.reload}
    </Button>
  </MessagePage>
);
