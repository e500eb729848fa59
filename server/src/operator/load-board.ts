import { loadOptional } from '../optional-packages.ts';

/**
 * Loads the pages of the operator.
 *
 * @throws SvcError `UNAVAILABLE` where their packages are not installed.
 */
export function loadBoard() {
  const packages = ['@bull-board/api', '@bull-board/express', '@bull-board/ui'];
  return loadOptional({ feature: 'SVC_OPERATOR_TOKEN', packages }, () => import('./board.ts'));
}
