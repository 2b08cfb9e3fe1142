import { type Scope, SvcError } from '../../../core/doors/plugin.ts'

/** Options of the section `[subscriptions.hooks]`. */
export interface HookOptions {
  readonly on_connect?: string
  readonly on_subscribe?: string
  readonly on_disconnect?: string
  readonly timeout_ms: number
}

/** Calls the webhooks of `[subscriptions.hooks]` (docs/plugins/subscriptions.md#hooks). */
export interface LifecycleHooks {
  /**
   * Calls the webhook `on_connect` for a new connection.
   * @param connection id of the connection
   * @param params payload of `connection_init`
   * @throws SvcError FORBIDDEN unless it replies with 2xx in time
   */
  connect(connection: string, params: unknown): Promise<void>
  /**
   * Calls the webhook `on_subscribe` for a new subscription.
   * @param connection id of the connection
   * @param name name of the subscription field
   * @throws SvcError FORBIDDEN unless it replies with 2xx in time
   */
  subscribe(connection: string, name: string, variables: unknown): Promise<void>
  /**
   * Calls the webhook `on_disconnect` after a connection has ended, without waiting for the reply.
   * @param connection id of the connection
   */
  disconnect(connection: string): void
  readonly asksConnect: boolean
  readonly asksSubscribe: boolean
  close(): Promise<void>
}

/** Concurrent calls to one target. */
const CONCURRENCY = 100
/** Largest answer in bytes. Its content is ignored. */
const MOST_ANSWER = 65_536
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Creates the functions that call the webhooks of `[subscriptions.hooks]`.
 * @throws SvcError SVC_CONFIG_INVALID for a URL that would send credentials unencrypted
 */
export async function createHooks(options: HookOptions, scope: Pick<Scope, 'log'>): Promise<LifecycleHooks> {
  for (const [name, url] of Object.entries(options)) if (typeof url === 'string') checkHook(name, url)
  const isAsked = [options.on_connect, options.on_subscribe, options.on_disconnect].some((url) => url !== undefined)
  const undici = isAsked ? await import('undici') : null
  const agent = undici === null ? null : new undici.Agent({ connections: CONCURRENCY, pipelining: 1 })

  /** @returns the reason of the rejection; `null`: allowed */
  async function post(url: string, body: object): Promise<string | null> {
    const signal = AbortSignal.timeout(options.timeout_ms)
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    try {
      // Redirects are not followed, and count as a refusal, because they are not 2xx.
      const answer = await undici!.request(url, {
        dispatcher: agent!,
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal,
      })
      await answer.body.dump({ limit: MOST_ANSWER, signal })
      const { statusCode } = answer
      return statusCode >= 200 && statusCode < 300 ? null : `it answered ${statusCode}`
    } catch (error) {
      // The message is omitted, because it may contain the URL.
      return signal.aborted
        ? 'it did not answer in time'
        : ((error as { code?: string }).code ?? 'it cannot be reached')
    }
  }

  async function ask(hook: string, url: string, body: object): Promise<void> {
    const problem = await post(url, body)
    if (problem === null) return
    // Neither the URL nor the body is logged, because both may contain secrets.
    scope.log.warn({ hook, problem }, 'a hook of subscriptions refused')
    throw new SvcError('FORBIDDEN', hook === 'on_connect' ? 'Connection refused.' : 'Subscription refused.')
  }

  return {
    asksConnect: options.on_connect !== undefined,
    asksSubscribe: options.on_subscribe !== undefined,
    async connect(connection, params) {
      if (options.on_connect === undefined) return
      await ask('on_connect', options.on_connect, { event: 'connect', connection_id: connection, params: params ?? {} })
    },
    async subscribe(connection, name, variables) {
      if (options.on_subscribe === undefined) return
      const body = {
        event: 'subscribe',
        connection_id: connection,
        subscription_name: name,
        variables: variables ?? {},
      }
      await ask('on_subscribe', options.on_subscribe, body)
    },
    disconnect(connection) {
      if (options.on_disconnect === undefined) return
      void post(options.on_disconnect, { event: 'disconnect', connection_id: connection }).then((problem) => {
        if (problem !== null)
          scope.log.warn({ hook: 'on_disconnect', problem }, 'A hook of subscriptions was not called')
      })
    },
    async close() {
      await agent?.destroy()
    },
  }
}

function checkHook(name: string, text: string): void {
  const invalid = (why: string) => new SvcError('SVC_CONFIG_INVALID', `[subscriptions.hooks] ${name} ${why}.`)
  if (!URL.canParse(text)) throw invalid('is no URL')
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') throw invalid('has a credential in its URL')
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))) return
  throw invalid('gets credentials of clients: it has to begin with https:// (http:// is for this machine alone)')
}
