import { type Config, type HttpExchange, lookup, openStore, type Scope, SvcError } from '../../../core/doors/plugin.ts'
import { renderRestError } from '../reply/render-error.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { type AnswerStore, MemoryAnswers } from './memory-answers.ts'
import { createOnce, type Once } from './once.ts'
import { WriteKeys } from './write-keys.ts'

/** Options of `[rest]` for the header `Idempotency-Key`. */
export interface IdempotencyOptions {
  readonly idempotency_ttl_seconds: number
  readonly idempotency_max_answer_bytes: number
  readonly kvstore_url?: string
}

const MOST_ENTRIES = 10_000
const MOST_BYTES = 67_108_864
const MOST_RUNNING = 1000
/** Time after the deadline in which a request ends. */
const GRACE_MS = 30_000

/**
 * Opens the store of replies with an `Idempotency-Key`: Redis if `kvstore_url` is set, otherwise the memory of this
 * process. With several worker processes and no Redis, requests with the header are rejected.
 * @param variesBy names of request headers that replies depend on
 * @param addressOf returns the network address of an anonymous caller
 */
export async function openOnce(
  scope: Scope,
  options: IdempotencyOptions,
  variesBy: readonly string[],
  addressOf: (ctx: HttpExchange) => string,
): Promise<Once> {
  const { kvstore_url: url, idempotency_ttl_seconds: ttl, idempotency_max_answer_bytes: maxAnswerBytes } = options
  if (url === undefined && scope.process.workers.configured > 1) return refuseKeys
  const store =
    url === undefined
      ? new MemoryAnswers({ maxEntries: MOST_ENTRIES, maxBytes: MOST_BYTES, maxRunning: MOST_RUNNING })
      : await openShared(`svc:${scope.config.project.name}:idempotency:`, url, scope)
  scope.onClose(() => store.close())
  const { request_timeout_ms: timeoutMs } = scope.config.server
  const claims = claimsOf(scope.config.session_variables.variables)
  return createOnce({
    store,
    keys: new WriteKeys(scope, ttl * 1000, maxAnswerBytes),
    ttlMs: ttl * 1000,
    maxAnswerBytes,
    longestMs: timeoutMs === 0 ? ttl * 1000 : timeoutMs + GRACE_MS,
    callerOf: (ctx, route) => callerOf(ctx, route, claims, variesBy),
    addressOf,
    render: (ctx, error, route) => renderRestError(scope.pipeline.toPublicError, ctx, error, route),
  })
}

/** Opens the configured server, which limits its memory itself. */
async function openShared(prefix: string, url: string, { signals }: Scope): Promise<AnswerStore> {
  const store = await openStore(prefix, { backend: 'kvstore', url, signals })
  return {
    claim: (key, _caller, value, ttlMs) => store.add(key, value, ttlMs),
    get: (key) => store.get(key),
    set: (key, _caller, value, ttlMs) => store.set(key, value, ttlMs),
    delete: (key) => store.delete(key),
    close: () => store.close(),
  }
}

const refuseKeys: Once = async (ctx, _route, _body, work) => {
  if (ctx.headers['idempotency-key'] === undefined) return work(() => {})
  throw new SvcError(
    'NOT_IMPLEMENTED',
    'Idempotency-Key: several processes serve here, and nothing is configured that they could keep answers in (rest.kvstore_url).',
  )
}

/** Returns the identity of the caller, and the claims and headers that decide which rows the caller sees. */
function callerOf(
  { auth, headers }: HttpExchange,
  { operation }: RestRoute,
  claims: readonly string[],
  variesBy: readonly string[],
): unknown {
  const by = variesBy.map((name) => String(headers[name.toLowerCase()] ?? ''))
  if (auth === null) return { by }
  const { method, subject } = auth
  const injected = operation.inject.map(({ claim }) => claim)
  const said = ['iss', 'tenant_id', ...claims, ...injected].map((name) =>
    JSON.stringify(lookup(auth.claims, name) ?? null),
  )
  // Callers without a subject are distinguished by all their claims.
  return { by, method, subject: subject ?? JSON.stringify(auth.claims), said }
}

function claimsOf(variables: Config['session_variables']['variables']): readonly string[] {
  return variables.flatMap(({ claim }) => (claim === undefined ? [] : [claim]))
}
