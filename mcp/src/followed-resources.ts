import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { Subscriptions } from './create-server.ts';
import type { ResourceWatch } from './resource-watch.ts';

/**
 * The resources that a client on stdio follows. A client of 2025 subscribes to each; a newer one names them in
 * `subscriptions/listen`, which the library answers by itself, so that its messages are read along.
 */
export class FollowedResources implements Subscriptions {
  readonly #openWatch: () => Promise<ResourceWatch>;
  readonly #subscribed = new Set<string>();
  readonly #listened = new Map<string | number, readonly string[]>();
  #watch: Promise<ResourceWatch> | undefined;

  /** @param openWatch Called with the first resource that is followed. */
  constructor(openWatch: () => Promise<ResourceWatch>) {
    this.#openWatch = openWatch;
  }

  async add(uri: string): Promise<void> {
    this.#subscribed.add(uri);
    await this.#follow();
  }

  async remove(uri: string): Promise<void> {
    this.#subscribed.delete(uri);
    await this.#follow();
  }

  /** Takes note of a message before it is answered; whoever listens is answered once it is known how things are now. */
  read(message: JSONRPCMessage): Promise<void> | undefined {
    if (!('method' in message)) return undefined;
    if ('id' in message && message.method === 'subscriptions/listen') {
      this.#listened.set(message.id, listenedUris(message));
    } else if (message.method === 'notifications/cancelled') {
      const { requestId } = Object(message.params);
      if (!this.#listened.delete(requestId)) return undefined;
    } else return undefined;
    return this.#follow();
  }

  /** Whether a client of 2025 follows this resource; to newer ones the library sends only what they listen for. */
  isFollowed(uri: string): boolean {
    return this.#subscribed.has(uri) || this.#listened.size > 0;
  }

  async #follow(): Promise<void> {
    this.#watch ??= this.#openWatch();
    await (await this.#watch).follow([...this.#subscribed, ...[...this.#listened.values()].flat()]);
  }
}

/** The resources that a `subscriptions/listen` names, none of other messages; what is none is left to the library to refuse. */
export function listenedUris(message: unknown): string[] {
  const { method, params } = Object(message);
  if (method !== 'subscriptions/listen') return [];
  const { resourceSubscriptions } = Object(Object(params).notifications);
  return Array.isArray(resourceSubscriptions)
    ? resourceSubscriptions.filter((uri): uri is string => typeof uri === 'string')
    : [];
}
