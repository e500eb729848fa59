import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';

interface Props<Data> {
  readonly of: UseQueryResult<Data>;
  /** What stands there while it is loaded, in the shape of what comes. */
  readonly loading: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** The three states of everything that is read: on its way, failed, there. Old data stays while new is on its way. */
export function Answered<Data>({ of, loading, children }: Props<Data>) {
  if (of.data !== undefined) return children(of.data);
  if (of.isError) return <Failure error={of.error} retry={() => void of.refetch()} />;
  return loading;
}
