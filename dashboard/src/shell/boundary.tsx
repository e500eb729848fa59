import { Component, type ReactNode } from 'react';
import { Failure } from '../design/failure.tsx';

/** Keeps a page that broke from taking the others with it. */
export class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    // Also what happens when a new version was installed: the files of the old one are gone.
    return <Failure error={this.state.error} retry={() => window.location.reload()} />;
  }
}
