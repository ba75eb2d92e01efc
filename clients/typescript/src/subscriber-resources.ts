import { toCamel, toSnake } from './camel-case.ts';
import { listAll } from './pages.ts';
import type { CallOptions } from './progress.ts';
import { uuid } from './request-ids.ts';
import type { Call, Transport } from './transport.ts';
import type { Wire } from './wire-types.ts';

export type Tag = Wire<'Tag'>;
export type CustomField = Wire<'CustomField'>;
export type WebhookSubscription = Wire<'WebhookSubscription'>;
export type WebhookSubscriptionWithSecret = Wire<'WebhookSubscriptionWithSecret'>;
type Keyed = CallOptions & { readonly idempotencyKey?: string | undefined };
type Subscribing = Omit<Call, 'surface'>;

const surface = 'subscribers' as const;

/** Calls in the format of this surface: a resource in `data`, lists with `pagination`. */
export class ResourceCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async data<T>(call: Subscribing): Promise<T> {
    const { body } = await this.#transport.send({ surface, ...call });
    return toCamel<{ data: T }>(body).data;
  }

  list<T>(
    path: string,
    query: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): AsyncGenerator<T, void, void> {
    return listAll(this.#transport, { surface, path, query: { limit: 100, ...query }, ...options });
  }

  create<T>(path: string, input: object, { idempotencyKey = uuid(), signal }: Keyed): Promise<T> {
    return this.data({ method: 'POST', path, json: toSnake(input), key: idempotencyKey, signal });
  }

  async remove(path: string, { signal }: CallOptions): Promise<void> {
    await this.#transport.remove({ surface, method: 'DELETE', path, signal });
  }
}

export class Tags {
  readonly #calls: ResourceCalls;
  constructor(calls: ResourceCalls) {
    this.#calls = calls;
  }
  list(options: CallOptions = {}): AsyncGenerator<Tag, void, void> {
    return this.#calls.list('/v1/tags', {}, options);
  }
  create(input: Wire<'CreateTag'>, options: Keyed = {}): Promise<Tag> {
    return this.#calls.create('/v1/tags', input, options);
  }
  get(id: string, options: CallOptions = {}): Promise<Tag> {
    return this.#calls.data({ method: 'GET', path: at('/v1/tags', id), ...options });
  }
  update(id: string, input: Wire<'UpdateTag'>, options: CallOptions = {}): Promise<Tag> {
    return this.#calls.data({ method: 'PUT', path: at('/v1/tags', id), json: toSnake(input), ...options });
  }
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#calls.remove(at('/v1/tags', id), options);
  }
}

export class CustomFields {
  readonly #calls: ResourceCalls;
  constructor(calls: ResourceCalls) {
    this.#calls = calls;
  }
  list(options: CallOptions = {}): AsyncGenerator<CustomField, void, void> {
    return this.#calls.list('/v1/custom-fields', {}, options);
  }
  create(input: Wire<'CreateCustomField'>, options: Keyed = {}): Promise<CustomField> {
    return this.#calls.create('/v1/custom-fields', input, options);
  }
  get(id: string, options: CallOptions = {}): Promise<CustomField> {
    return this.#calls.data({ method: 'GET', path: at('/v1/custom-fields', id), ...options });
  }
  update(id: string, input: Wire<'UpdateCustomField'>, options: CallOptions = {}): Promise<CustomField> {
    return this.#calls.data({
      method: 'PUT',
      path: at('/v1/custom-fields', id),
      json: toSnake(input),
      ...options,
    });
  }
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#calls.remove(at('/v1/custom-fields', id), options);
  }
}

const HOOKS = '/v1/webhook-subscriptions';

export class WebhookSubscriptions {
  readonly #calls: ResourceCalls;
  constructor(calls: ResourceCalls) {
    this.#calls = calls;
  }
  list(options: CallOptions = {}): AsyncGenerator<WebhookSubscription, void, void> {
    return this.#calls.list(HOOKS, {}, options);
  }
  /** The signing secret is shown only here and by `rotateSecret`. */
  create(
    input: Wire<'CreateWebhookSubscription'>,
    options: Keyed = {},
  ): Promise<WebhookSubscriptionWithSecret> {
    return this.#calls.create(HOOKS, input, options);
  }
  get(id: string, options: CallOptions = {}): Promise<WebhookSubscription> {
    return this.#calls.data({ method: 'GET', path: at(HOOKS, id), ...options });
  }
  update(
    id: string,
    input: Wire<'UpdateWebhookSubscription'>,
    options: CallOptions = {},
  ): Promise<WebhookSubscription> {
    return this.#calls.data({ method: 'PUT', path: at(HOOKS, id), json: toSnake(input), ...options });
  }
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#calls.remove(at(HOOKS, id), options);
  }
  /** Not repeated after a broken connection: a second rotation would end the secret of the first. */
  rotateSecret(id: string, options: CallOptions = {}): Promise<WebhookSubscriptionWithSecret> {
    return this.#calls.data({
      method: 'POST',
      path: `${at(HOOKS, id)}/rotate-secret`,
      repeatable: false,
      ...options,
    });
  }
}

const at = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`;
