import type { DEFAULT_RETRY, RetryPolicy } from '../deliver/retry-policy.ts'

/** Data of the observers plugin in the compiled schema: the checked observers, with defaults filled in. */
export interface ObserversBlock {
  readonly observers: readonly DeclaredObserver[]
}

export interface DeclaredObserver {
  readonly name: string
  readonly entity: string
  /** Observed event: `INSERT`, `UPDATE`, `DELETE`, or the GraphQL name of a mutation. */
  readonly event: string
  readonly condition?: string
  readonly actions: readonly DeclaredAction[]
  readonly retry: RetryPolicy
  readonly sync: boolean
}

export type DeclaredAction = DeclaredWebhook | DeclaredChat | DeclaredEmail

export interface DeclaredWebhook {
  readonly type: 'webhook'
  readonly url?: string
  readonly url_env?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body_template?: string
  readonly secret_env?: string
}

export interface DeclaredChat {
  readonly type: 'chat'
  readonly channel: string
  readonly message: string
  readonly url?: string
  readonly url_env?: string
}

export interface DeclaredEmail {
  readonly type: 'email'
  /** Recipient addresses, separated by commas. Each may be a template such as `{email}`. */
  readonly to: string
  readonly subject: string
  readonly body: string
  /** Sender address. Default: `[observers] smtp_from`. */
  readonly from?: string
}

interface KeyRule {
  readonly required?: boolean
  readonly wants: string
  readonly holds: (value: unknown) => boolean
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const text: KeyRule = { wants: 'a text', holds: isText }
const needed: KeyRule = { ...text, required: true }
const env: KeyRule = {
  wants: 'the name of a variable of the environment, in upper case',
  holds: (value) => /^[A-Z][A-Z0-9_]*$/.test(String(value)),
}
const whole = (least: number, most: number): KeyRule => ({
  wants: `a whole number from ${least} to ${most}`,
  holds: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
})
const oneOf = (...values: readonly string[]): KeyRule => ({
  wants: values.join(', '),
  holds: (value) => values.includes(value as string),
})

/** Allowed keys of each kind of action in `schema.json`, with their checks. */
export const ACTIONS: Readonly<Record<DeclaredAction['type'], Readonly<Record<string, KeyRule>>>> = {
  webhook: {
    url: text,
    url_env: env,
    method: oneOf('POST', 'PUT', 'PATCH', 'DELETE'),
    headers: {
      wants: 'an object of texts, by the name of the header',
      holds: (value) =>
        typeof value === 'object' &&
        value !== null &&
        Object.entries(value).every(
          ([name, one]) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && typeof one === 'string',
        ),
    },
    body_template: text,
    secret_env: env,
  },
  email: { to: needed, subject: needed, body: needed, from: text },
  chat: { channel: needed, message: needed, url: text, url_env: env },
}

export const RETRY_KEYS: Readonly<Record<keyof typeof DEFAULT_RETRY, KeyRule>> = {
  max_attempts: whole(1, 100),
  backoff_strategy: oneOf('exponential', 'linear', 'fixed'),
  initial_delay_ms: whole(1, 3_600_000),
  max_delay_ms: whole(1, 86_400_000),
}

/**
 * Checks the keys of an observer or action in `schema.json`.
 * @param rules allowed keys with their checks
 * @param unknown writes the message for an unknown key
 * @returns a message per unknown, missing or invalid key
 */
export function keyProblems(
  given: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, KeyRule>>,
  unknown: (key: string) => string,
): readonly string[] {
  return [
    ...Object.keys(given)
      .filter((key) => key !== 'type' && !Object.hasOwn(rules, key))
      .map(unknown),
    ...Object.entries(rules).flatMap(([key, { required = false, wants, holds }]) => {
      const value = given[key]
      if (value === undefined) return required ? [`"${key}" is missing: ${wants}`] : []
      return holds(value) ? [] : [`"${key}" wants ${wants}`]
    }),
  ]
}
