import {
  type Auth,
  type Exchange,
  isPromise,
  type MaybePromise,
  type Operation,
  type Reply,
  type Result,
  refusedExchange,
  rootName,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { AuditFacts, AuditLevel } from './audit-event.ts'
import { fieldsShownInPart, placeOf } from './place-of.ts'

/** Records an audit event. @param actor subject of the caller; default: the authenticated caller of the exchange */
export type Tell = (exchange: Exchange, facts: AuditFacts, actor?: string | null) => void

/** Paths of actions of operators. */
const OPERATORS = /^\/(?:api\/v1\/admin\/|auth\/revoke)/
/** Maximum number of events about denied fields per operation. */
const MOST_FIELDS = 20
const DENIED: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED'])

/**
 * Observes authentications, operations, denied fields and requests to the admin API, and reports each to `tell` as an
 * audit event. It can neither change nor delay a reply.
 * @param keeps tests whether the audit log records events of a level
 */
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
    ...(keeps('info')
      ? {
          engine(ctx, operation, next) {
            tellMasked(ctx, operation)
            next()
          },
        }
      : {}),
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
      // `ctx.auth` is set after this hook.
      if (auth === undefined || auth === null) return
      tell(ctx, { level: 'debug', action: 'authenticate', resource: auth.method, outcome: 'success' }, auth.subject)
    })
  }

  function tellResult(ctx: Exchange, operation: Operation, { errors }: Result): void {
    const isWrite = operation.template.kind === 'mutation'
    const roots = new Set<string>()
    const fields = new Set<string>()
    for (const { code, path = [] } of errors ?? []) {
      const { resource, entityType, entityId } = placeOf(operation, path)
      const isDenied = DENIED.has(code)
      const isField = path.filter((part) => typeof part === 'string').length > 1
      if (isDenied && isField) {
        if (fields.has(resource) || fields.size >= MOST_FIELDS) continue
        fields.add(resource)
        const facts = { action: 'read_field', resource, outcome: 'denied', reason: code } as const
        tell(ctx, { level: 'warn', ...facts, entityType, entityId })
      } else if (isWrite || !isField) {
        // The error of a root, whose siblings can still be answered. Recorded once per code.
        if (roots.has(`${resource} ${code}`)) continue
        roots.add(`${resource} ${code}`)
        tell(ctx, {
          level: isDenied ? 'warn' : isWrite ? 'info' : 'debug',
          action: isWrite ? 'mutate' : 'query',
          resource: resource || rootsOf(operation),
          outcome: isDenied ? 'denied' : 'failure',
          reason: code,
          entityType,
          entityId,
        })
      }
    }
    if (!isWrite && roots.size < operation.template.roots.length) {
      tell(ctx, { level: 'debug', action: 'query', resource: rootsOf(operation), outcome: 'success' })
    }
  }

  /** Records the failure of a whole operation, of which nothing ran. */
  function tellFailure(ctx: Exchange, operation: Operation, error: unknown): void {
    const { kind, roots } = operation.template
    const action = kind === 'mutation' ? 'mutate' : 'query'
    const code = error instanceof SvcError ? error.code : 'INTERNAL_SERVER_ERROR'
    const outcome = DENIED.has(code) ? 'denied' : 'failure'
    const level = outcome === 'denied' ? 'warn' : action === 'mutate' ? 'info' : 'debug'
    const [only] = roots
    const place = roots.length === 1 && only !== undefined ? placeOf(operation, [only.responseKey]) : null
    const { entityType = null, entityId = null } = place ?? {}
    tell(ctx, { level, action, resource: rootsOf(operation), outcome, reason: code, entityType, entityId })
  }

  /** Partly hidden fields by template, computed once per template. */
  const shownInPart = new WeakMap<Operation['template'], ReturnType<typeof fieldsShownInPart>>()

  /** Records fields that are null in some rows, or masked, without an error. Only the database knows the number of rows. */
  function tellMasked(ctx: Exchange, { template, access }: Operation): void {
    if (access === undefined || access.denied.size === 0) return
    const fields = shownInPart.get(template) ?? fieldsShownInPart(template)
    shownInPart.set(template, fields)
    for (const [resource, reason] of [...fields].slice(0, MOST_FIELDS)) {
      const [entityType = null] = resource.split('.')
      tell(ctx, { level: 'info', action: 'read_field', resource, outcome: 'partial', reason, entityType })
    }
  }
}

const outcomeOf = (status: number): AuditFacts['outcome'] => (status === 401 || status === 403 ? 'denied' : 'failure')

function rootsOf({ template }: Operation): string {
  return template.roots.map(rootName).join(' ')
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
