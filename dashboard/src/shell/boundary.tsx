import { t } from '@lingui/core/macro';
import { Component, type ReactNode, useEffect } from 'react';
import { noteArrival, reachedAtFailure } from '../api/load-failure.ts';
import { notifyFailure } from '../api/notify.tsx';
import { Failure } from '../design/failure.tsx';
import { PageNotLoaded } from './page-not-loaded.tsx';

interface Props {
  readonly children: ReactNode;
  /** Of a dialog: closes it. The error is then said in a notification, and what is on the page stays. */
  readonly dismiss?: () => void;
}

/** Catches the errors of a page or a dialog, so that what is around it stays usable. */
export class Boundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    const { dismiss } = this.props;
    if (!dismiss) return;
    dismiss();
    const isLoading = reachedAtFailure(error) !== undefined;
    notifyFailure(
      isLoading ? new Error(t`A part of the dashboard could not be loaded. Load the page anew.`) : error,
    );
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (this.props.dismiss) return null;
    const reached = reachedAtFailure(error);
    if (reached) return <PageNotLoaded reached={reached} />;
    return <Failure error={error} retry={() => window.location.reload()} />;
  }
}

/** Stands beside a page that is loaded, as it is shown with it. */
export function Arrived() {
  useEffect(noteArrival, []);
  return null;
}
