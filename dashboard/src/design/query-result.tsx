import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';

interface Props<Data> {
  readonly of: UseQueryResult<Data>;
  /** Shown while the query loads, in the shape of the result. */
  readonly loading: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a query in each of its states: loading, failed, loaded. Loaded data stays while it is fetched again. */
export function QueryResult<Data>({ of, loading, children }: Props<Data>) {
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <Failure error={of.error} retry={() => void of.refetch()} />;
  return loading;
}
