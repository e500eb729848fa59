import { type OperationName, type Route, routes } from '@svc-memory/core/contract';

/** One method on one path. `form` says where the fields beside the path parameters come from. */
export interface RestEndpoint {
  readonly name: OperationName;
  readonly method: Route['method'];
  readonly path: string;
  readonly form: 'body' | 'query';
  readonly route: Route;
}

/** Every endpoint of the contract grouped by path, literal paths before those a parameter would also match. */
export function endpointsByPath(): ReadonlyMap<string, readonly RestEndpoint[]> {
  const groups = new Map<string, RestEndpoint[]>();
  for (const endpoint of listEndpoints().sort((a, b) => compareSpecificity(a.path, b.path))) {
    const group = groups.get(endpoint.path) ?? [];
    if (group.some(({ method }) => method === endpoint.method)) {
      throw new TypeError(`Two routes claim ${endpoint.method} ${endpoint.path}`);
    }
    groups.set(endpoint.path, [...group, endpoint]);
  }
  return groups;
}

/** Names of the `{parameters}` of a path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** A contract path as Express writes it: `/memories/{id}` → `/memories/:id`. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function listEndpoints(): RestEndpoint[] {
  const names = Object.keys(routes) as OperationName[];
  return names.flatMap((name): RestEndpoint[] => {
    const route: Route = routes[name];
    const form = route.method === 'GET' ? 'query' : 'body';
    const main: RestEndpoint = { name, method: route.method, path: route.path, form, route };
    if (route.alsoGet === undefined) return [main];
    return [main, { name, method: 'GET', path: route.alsoGet, form: 'query', route }];
  });
}

// '{' sorts after every letter: of two paths that differ in a segment, the literal one comes first.
function compareSpecificity(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
