import { type changes, toSnakeCase } from '../../../core/doors/front.ts'
import { writeJson } from '../../../core/doors/plugin.ts'
import { compileTemplate, type Template } from '../change/template.ts'
import type { BoundAction } from '../deliver/delivery.ts'
import type { HttpSender } from '../outgoing/http-sender.ts'
import { signatureHeaders } from '../outgoing/sign.ts'
import type { DeclaredWebhook } from './declared.ts'

export interface WebhookContext {
  readonly shape: changes.EntityShape
  readonly env: (name: string) => string | undefined
  /** Sends HTTP requests; `null`: the action is only checked. */
  readonly sender: HttpSender | null
  /** Secret with which requests are signed if the action has no `secret_env`; `null`: they are not signed. */
  readonly signingSecret: string | null
}

/**
 * Prepares a webhook action of an observer for execution, and checks it.
 * @throws Error that describes what is wrong with the action
 */
export function bindWebhook(
  action: DeclaredWebhook,
  { shape, env, sender, signingSecret }: WebhookContext,
): BoundAction {
  const url = compileUrl(urlOf(action, env), shape)
  const headers = Object.entries(action.headers ?? {}).map(([name, value]) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a control character could end a header line early
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
      throw new Error(`the header ${name} has a control character in it`)
    return [name.toLowerCase(), compileTemplate(value, { place: 'header', shape, env })] as const
  })
  const type = headers.find(([name]) => name === 'content-type')?.[1](sampleChange(shape)) ?? 'application/json'
  if (!/^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new Error(`content-type is ${type}: bodies are JSON`)
  }
  const body = action.body_template === undefined ? defaultBody : compileBody(action.body_template, shape)
  const secret = action.secret_env === undefined ? signingSecret : fromEnvironment(action.secret_env, env)
  return {
    type: 'webhook',
    targetOf: (change) => url(change).host,
    async run(change, id, signal) {
      const { text: to, climbs } = url(change)
      if (climbs) return { kind: 'never', error: 'a value of the row makes a step up or down in the path of the URL' }
      const bytes = Buffer.from(body(change))
      const own: Record<string, string> = {}
      for (const [name, value] of headers) own[name] = value(change)
      return sender!.send({
        url: to,
        method: action.method ?? 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'svc',
          ...own,
          'idempotency-key': id,
          ...(secret === null ? {} : signatureHeaders(secret, bytes, Date.now() / 1000)),
        },
        body: bytes,
        signal,
        origin: change.event.trace,
      })
    },
  }
}

/**
 * Returns the URL of a webhook or chat action, from the key `url` or from the environment variable that `url_env`
 * names.
 * @param otherwise URL for an action with neither; `null`: none
 * @throws Error when there is no URL, or two
 */
export function urlOf(
  { url, url_env: name }: { readonly url?: string; readonly url_env?: string },
  env: WebhookContext['env'],
  otherwise: string | null = null,
): string {
  if (url !== undefined && name !== undefined) throw new Error('it has "url" and "url_env"; one is enough')
  const found = url ?? (name === undefined ? otherwise : fromEnvironment(name, env))
  if (found === null) throw new Error('it has no "url" and no "url_env"')
  return found
}

function fromEnvironment(name: string, env: WebhookContext['env']): string {
  const value = env(name)
  if (value === undefined || value === '') throw new Error(`the environment has no ${name}`)
  return value
}

function compileBody(source: string, shape: changes.EntityShape): Template {
  const template = compileTemplate(source, { place: 'json', shape })
  try {
    JSON.parse(template(sampleChange(shape)))
  } catch {
    throw new Error('"body_template" gives no JSON')
  }
  return template
}

/** Writes the default body of a webhook (docs/plugins/observers.md#actions). */
function defaultBody({ event, shape, now, old, changed }: changes.ObservedChange): string {
  return writeJson({
    id: event.id,
    event: event.kind,
    entity: shape.name,
    table: `tb_${toSnakeCase(shape.name)}`,
    entity_id: event.entityId,
    timestamp: event.time,
    user_id: event.user,
    tenant_id: event.tenant,
    changed: [...changed],
    data: { new: now, old },
  })
}

/** Creates a change without a row, with which templates of actions are tested. */
export function sampleChange(shape: changes.EntityShape): changes.ObservedChange {
  const event = {
    id: '00000000-0000-0000-0000-000000000000',
    kind: 'CUSTOM',
    mutation: null,
    entityType: shape.name,
    entityId: null,
    entity: null,
    before: null,
    updatedFields: null,
    user: null,
    tenant: null,
    time: '1970-01-01T00:00:00.000Z',
    position: '0',
  } as const
  return { event, shape, row: {}, now: null, old: null, changed: new Set() }
}

/** The URL of one call. */
interface CallUrl {
  readonly text: string
  readonly host: string
  /** Does a value of the row add a `.` or `..` segment to the path? */
  readonly climbs: boolean
}

/**
 * Compiles a URL that may contain `{field}` behind its host. A row cannot change the host.
 * @throws Error for an invalid URL or template
 */
function compileUrl(source: string, shape: changes.EntityShape): (change: changes.ObservedChange) => CallUrl {
  if (!/^https?:\/\//i.test(source)) throw new Error('a URL begins with https:// or http://')
  if (/[{}]/.test(source) && !/^https?:\/\/[^/?#{}\\]+[/?#]/i.test(source)) {
    throw new Error('{field} may stand behind the host of a URL alone: who is called is not for a row to say')
  }
  const template = compileTemplate(source, { place: 'url', shape })
  if (!URL.canParse(source.replace(/\{[^{}]*\}/g, 'x'))) throw new Error('this is no URL')
  if (/[{}]/.test(source)) return (change) => readUrl(template(change))
  const fixed = readUrl(source)
  return () => fixed
}

function readUrl(text: string): CallUrl {
  return { text, host: new URL(text).host, climbs: climbs(text) }
}

/** Does a segment of the path become `.` or `..`? Servers resolve these as steps in the path, encoded or not. */
function climbs(url: string): boolean {
  const [path = ''] = url.split(/[?#]/)
  return path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
}
