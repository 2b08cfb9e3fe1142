import { brandOf } from './brand.ts'
import { bareMember, decoratorFault } from './members.ts'
import type { OperationMark } from './operation.ts'
import {
  count,
  flag,
  isJson,
  isPlainObject,
  type OptionRule,
  oneOf,
  readOptions,
  record,
  rule,
  text,
} from './options.ts'
import { placeAbove } from './place.ts'
import { declare, type EmitScope, reportFault, takeOrder } from './registry.ts'

/** An action of an observer, as `webhook()`, `email()` or `chat()` returns it for the option `actions`. */
export type ObserverAction = Readonly<Record<string, unknown>> & { readonly type: string }

export interface RetryOptions {
  /** Number of attempts, including the first. Default 3. */
  readonly maxAttempts?: number
  /** Growth of the delay between attempts. Default `exponential`. */
  readonly backoffStrategy?: 'exponential' | 'linear' | 'fixed'
  readonly initialDelayMs?: number
  readonly maxDelayMs?: number
}

/** Options of `observer()`, which declares actions that run after a change (docs/plugins/observers.md#an-observer). */
export interface ObserverOptions {
  /** The type whose changes are observed: its class, the result of `type()`, or its name. */
  readonly entity: unknown
  /** Observed event: `INSERT`, `UPDATE`, `DELETE`, or the name of a mutation. */
  readonly event: string
  /**
   * The actions run only if this condition on the fields of the changed row holds:
   * `"status.changed() and total > 100"`.
   */
  readonly condition?: string
  readonly actions: readonly ObserverAction[]
  readonly retry?: RetryOptions
  /**
   * `true`: the response to the client waits for the actions. An action cannot undo the write, which is already
   * committed.
   */
  readonly sync?: boolean
}

/** Conversion of the properties of the option `retry` to keys of `schema.json`, with a check of their values. */
export const RETRY_RULES = {
  maxAttempts: count('max_attempts'),
  backoffStrategy: oneOf('exponential', 'linear', 'fixed')('backoff_strategy'),
  initialDelayMs: count('initial_delay_ms'),
  maxDelayMs: count('max_delay_ms'),
} satisfies Record<keyof Required<RetryOptions>, OptionRule>

const entityName = rule('entity', 'a type: its class, its handle or its name', (value) =>
  typeof value === 'string' && value !== '' ? value : brandOf(value)?.name,
)
const actionList = rule('actions', 'a list of actions: webhook(), email(), chat()', (value) =>
  Array.isArray(value) && value.every((one) => isPlainObject(one) && isJson(one)) ? value : undefined,
)

/** Conversion of the options of an observer to keys of `schema.json`, with a check of their values. */
export const OBSERVER_RULES = {
  entity: entityName('entity'),
  event: text('event'),
  condition: text('condition'),
  actions: actionList('actions'),
  retry: record(RETRY_RULES)('retry'),
  sync: flag('sync'),
} satisfies Record<keyof Required<ObserverOptions>, OptionRule>

/**
 * Declares actions that svc runs after a change is committed:
 * `@observer({ entity: Order, event: 'INSERT', actions: [webhook('https://…')] }) paid!: unknown`, or `observer('paid',
 * { … })`.
 */
export function observer(name: string, options: ObserverOptions): void
export function observer(options: ObserverOptions): OperationMark
export function observer(first: string | ObserverOptions, second?: ObserverOptions): unknown {
  const place = placeAbove(observer)
  const bare = bareMember(second)
  if (bare !== null) return reportFault(place, `@observer stands on "${bare}" without options. Write @observer({ … })`)
  const order = takeOrder()
  const add = (name: string, options: unknown): void => {
    const subject = `observer "${name}"`
    const emit = (scope: EmitScope) => ({
      name,
      ...readOptions(OBSERVER_RULES, options as object, subject, (message) => scope.fault(place, message)),
    })
    declare({ collection: 'observers', name, place, emit }, order)
  }
  if (typeof first === 'string') return add(first, second ?? {})
  return (_value: unknown, context: unknown): void => {
    const wrong = decoratorFault(context, ['field', 'method', 'getter', 'accessor'])
    if (wrong !== null) reportFault(place, `@observer ${wrong}`)
    else add(String((context as ClassMemberDecoratorContext).name), first)
  }
}

export interface WebhookOptions {
  /** HTTP method of the request. Default `POST`. */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Further request headers. A value may contain `{field}` for a field of the row, and `{NAME}` for an environment
   * variable.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Template of the JSON request body, with `{{field}}` placeholders for fields of the row. */
  readonly bodyTemplate?: string
  /** Name of the environment variable with the secret that svc signs the request with. */
  readonly secretEnv?: string
}

/**
 * Makes an observer action that sends the changed row to a URL.
 * @param url may contain `{field}` placeholders after the host; `{ urlEnv }` names the environment variable that
 * contains the URL
 */
export function webhook(url: string | { readonly urlEnv: string }, options: WebhookOptions = {}): ObserverAction {
  const { method, headers, bodyTemplate, secretEnv } = options
  return pruned({
    type: 'webhook',
    ...target(url),
    method,
    headers,
    body_template: bodyTemplate,
    secret_env: secretEnv,
  })
}

/**
 * Makes an observer action that posts a message to a chat channel.
 * @param channel the channel; `{field}` placeholders are replaced with values of the row, as in `message`
 * @param url incoming webhook of the chat. Default: `chat_url` in `[observers]` of svc.toml
 */
export function chat(
  channel: string,
  message: string,
  { url }: { readonly url?: string | { readonly urlEnv: string } } = {},
): ObserverAction {
  return pruned({ type: 'chat', channel, message, ...(url === undefined ? {} : target(url)) })
}

/**
 * Makes an observer action that sends a plain-text e-mail.
 * @param to addresses, separated by commas; `{field}` placeholders are replaced with values of the row, as in `subject`
 * and `body`
 * @param from sender. Default: `smtp_from` in `[observers]` of svc.toml
 */
export function email(
  to: string,
  subject: string,
  body: string,
  { from }: { readonly from?: string } = {},
): ObserverAction {
  return pruned({ type: 'email', to, subject, body, from })
}

function target(url: string | { readonly urlEnv: string }): object {
  return typeof url === 'string' ? { url } : { url_env: url.urlEnv }
}

function pruned(action: { readonly type: string } & Readonly<Record<string, unknown>>): ObserverAction {
  return Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined)) as ObserverAction
}
