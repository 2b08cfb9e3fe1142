import {
  type Auth,
  type Exchange,
  isPromise,
  type MaybePromise,
  type Operation,
  type Reply,
  type Result,
  refusedExchange,
  type Scope,
  SvcError,
} from '../../core/index.ts'
import type { AuditFacts, AuditLevel } from './audit-event.ts'

/** @param actor default: who the exchange says is asking */
export type Tell = (exchange: Exchange, facts: AuditFacts, actor?: string | null) => void

/** Paths of what operators do. */
const OPERATORS = /^\/(?:api\/v1\/admin\/|auth\/revoke)/
/** Fields that were denied in one operation; more of it says nothing new. */
const MOST_FIELDS = 20
const DENIED: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED'])

/** Looks on, without a say: what it does can neither change nor delay an answer. */
export function watch(scope: Scope, keeps: (level: AuditLevel) => boolean, tell: Tell): void {
  const end = scope.signals.subscribe((signal) => {
    if (signal.type !== 'credential-refused') return
    const exchange = refusedExchange(signal)
    const { method: resource, reason } = signal
    if (exchange !== undefined)
      tell(exchange, { level: 'warn', action: 'authenticate', resource, outcome: 'failure', reason })
  })
  scope.onClose(end)

  scope.observe({
    operation: (ctx, operation, next) =>
      settled(
        next,
        (result) => tellResult(ctx, operation, result),
        (error) => tellFailure(ctx, operation, error),
      ),
    handler(ctx, { method = '', path = '' }, next) {
      if (!OPERATORS.test(path)) return
      const resource = `${method} ${path}`
      const done = (outcome: AuditFacts['outcome']) =>
        tell(ctx, { level: 'info', action: 'operate', resource, outcome })
      settled(
        next,
        (reply: Reply) => done(reply.status < 400 ? 'success' : outcomeOf(reply.status)),
        (error) => done(outcomeOf(error instanceof SvcError ? error.status : 500)),
      )
    },
    ...(keeps('debug') ? { authenticate } : {}),
  })

  function authenticate(ctx: Exchange, next: () => MaybePromise<Auth | undefined>): void {
    settled(next, (auth) => {
      // It stands in `ctx.auth` a moment later.
      if (auth === undefined || auth === null) return
      tell(ctx, { level: 'debug', action: 'authenticate', resource: auth.method, outcome: 'success' }, auth.subject)
    })
  }

  function tellResult(ctx: Exchange, operation: Operation, { errors }: Result): void {
    const isWrite = operation.template.kind === 'mutation'
    if (errors === null || errors.length === 0) {
      if (!isWrite) tell(ctx, { level: 'debug', action: 'query', resource: rootsOf(operation), outcome: 'success' })
      return
    }
    const fields = new Set<string>()
    for (const { code, path = [] } of errors) {
      const place = path.filter((part) => typeof part === 'string').join('.')
      if (path.length > 1 && DENIED.has(code)) {
        if (fields.has(place) || fields.size >= MOST_FIELDS) continue
        fields.add(place)
        tell(ctx, { level: 'warn', action: 'read_field', resource: place, outcome: 'denied', reason: code })
      } else if (isWrite) {
        const outcome = DENIED.has(code) ? 'denied' : 'failure'
        tell(ctx, {
          level: outcome === 'denied' ? 'warn' : 'info',
          action: 'mutate',
          resource: place || rootsOf(operation),
          outcome,
          reason: code,
        })
      }
    }
  }

  /** The operation as a whole: nothing of it ran. */
  function tellFailure(ctx: Exchange, operation: Operation, error: unknown): void {
    const action = operation.template.kind === 'mutation' ? 'mutate' : 'query'
    const code = error instanceof SvcError ? error.code : 'INTERNAL_SERVER_ERROR'
    const outcome = DENIED.has(code) ? 'denied' : 'failure'
    const level = outcome === 'denied' ? 'warn' : action === 'mutate' ? 'info' : 'debug'
    tell(ctx, { level, action, resource: rootsOf(operation), outcome, reason: code })
  }
}

const outcomeOf = (status: number): AuditFacts['outcome'] => (status === 401 || status === 403 ? 'denied' : 'failure')

/** Names of the schema, not the client's; what plugins add has the name in the answer. */
function rootsOf({ template }: Operation): string {
  return template.roots
    .map((root) => (root.kind === 'operation' ? root.operation.wireName : root.responseKey))
    .join(' ')
}

function settled<T>(
  next: () => MaybePromise<T>,
  done: (value: T) => void,
  failed: (error: unknown) => void = () => {},
): void {
  let outcome: MaybePromise<T>
  try {
    outcome = next()
  } catch (error) {
    failed(error)
    return
  }
  if (isPromise(outcome)) outcome.then(done, failed)
  else done(outcome)
}
