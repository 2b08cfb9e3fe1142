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

/** An action of an observer, made by `webhook()`, `email()` or `chat()`. */
export type ObserverAction = Readonly<Record<string, unknown>> & { readonly type: string }

export interface RetryOptions {
  /** Number of attempts, including the first. Default 3. */
  readonly maxAttempts?: number
  /** Growth of the delay between attempts. Default `exponential`. */
  readonly backoffStrategy?: 'exponential' | 'linear' | 'fixed'
  readonly initialDelayMs?: number
  readonly maxDelayMs?: number
}

/** Options of an observer (docs/plugins/observers.md#an-observer). */
export interface ObserverOptions {
  /** The type whose changes are observed: its class, its handle or its name. */
  readonly entity: unknown
  /** Observed event: `INSERT`, `UPDATE`, `DELETE`, or the name of a mutation. */
  readonly event: string
  /** Condition on the fields of the row: `"status.changed() and total > 100"`. */
  readonly condition?: string
  readonly actions: readonly ObserverAction[]
  readonly retry?: RetryOptions
  /** `true`: the response waits for the actions. They cannot undo the write. */
  readonly sync?: boolean
}

const RETRY_RULES = {
  maxAttempts: count('max_attempts'),
  backoffStrategy: oneOf('exponential', 'linear', 'fixed')('backoff_strategy'),
  initialDelayMs: count('initial_delay_ms'),
  maxDelayMs: count('max_delay_ms'),
} satisfies Record<keyof Required<RetryOptions>, OptionRule>

const entityName = rule('a type: its class, its handle or its name', (value) =>
  typeof value === 'string' && value !== '' ? value : brandOf(value)?.name,
)
const actionList = rule('a list of actions: webhook(), email(), chat()', (value) =>
  Array.isArray(value) && value.every((one) => isPlainObject(one) && isJson(one)) ? value : undefined,
)

const OBSERVER_RULES = {
  entity: entityName('entity'),
  event: text('event'),
  condition: text('condition'),
  actions: actionList('actions'),
  retry: record(RETRY_RULES)('retry'),
  sync: flag('sync'),
} satisfies Record<keyof Required<ObserverOptions>, OptionRule>

/**
 * Declares actions after the commit of a change: `@observer({ entity: Order, event: 'INSERT', actions: [webhook('https://…')] }) paid!: unknown`,
 * or `observer('paid', { … })`.
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
  /** Values may contain `{field}` for a field of the row, and `{NAME}` for an environment variable. */
  readonly headers?: Readonly<Record<string, string>>
  /** JSON template with `{{field}}` placeholders. */
  readonly bodyTemplate?: string
  /** Environment variable with the secret that signs the request. */
  readonly secretEnv?: string
}

/** Calls a URL. @param url may contain `{field}` after the host; `{ urlEnv }` names the environment variable that contains it */
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
 * Sends a message to a chat.
 * @param channel channel for the message; `{field}` placeholders are replaced, as in the message
 * @param url incoming webhook of the chat. Default: `[observers] chat_url`
 */
export function chat(
  channel: string,
  message: string,
  { url }: { readonly url?: string | { readonly urlEnv: string } } = {},
): ObserverAction {
  return pruned({ type: 'chat', channel, message, ...(url === undefined ? {} : target(url)) })
}

/**
 * Sends a plain-text e-mail.
 * @param to addresses, separated by commas; `{field}` placeholders are replaced, as in subject and body
 * @param from default: `[observers] smtp_from`
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
