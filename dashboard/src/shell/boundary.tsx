import { Component, type ReactNode } from 'react';
import { Failure } from '../design/failure.tsx';

/** Catches the errors of a page, so that the navigation stays usable. */
export class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    // A reload also helps after an update of the service: the files of the old version are gone.
    return <Failure error={this.state.error} retry={() => window.location.reload()} />;
  }
}
