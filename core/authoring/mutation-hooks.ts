import { declareFunction } from './author-function.ts'
import type { MiddlewareRequest, RequestAuth } from './middleware.ts'
import { placeAbove } from './place.ts'
import { reportFault } from './registry.ts'

/**
 * The request and the open transaction of a mutation, as `beforeMutation` and `afterMutation` functions receive them.
 */
export interface HookContext {
  /** Name of the mutation in the API. */
  readonly mutation: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  /** Id of the request. */
  readonly id: string
  readonly transport: MiddlewareRequest['transport']
  readonly headers: Readonly<MiddlewareRequest['headers']>
  readonly address: string
  readonly auth: RequestAuth | null
  /** Values by name that middleware stored in the context of the request. */
  readonly context: Record<string, unknown>
  /** `true` for a dry run: the transaction is rolled back at the end. Skip effects that a rollback does not undo. */
  readonly isDryRun: boolean
  /**
   * Runs a statement in the transaction of the mutation: `await context.query('INSERT INTO tb_log VALUES ($1)', [id])`.
   * @param parameters values for the placeholders, in the placeholder syntax of the database: texts, or lists of texts
   * @returns the rows; each is a list of the column values as texts
   */
  readonly query: (
    sql: string,
    parameters?: readonly (string | null | readonly (string | null)[])[],
  ) => Promise<readonly (readonly (string | null)[])[]>
}

// biome-ignore lint/suspicious/noExplicitAny: of the form that the author's schema gives it
type Given = any

/**
 * A function of the author that svc calls before the SQL function of a mutation.
 * @param args read-only arguments from the client, by their names in GraphQL
 */
export type BeforeMutation = (args: Given, context: HookContext) => void | Promise<void>

/**
 * A function of the author that svc calls after the SQL function of a mutation has succeeded.
 * @param entity the written row as the SQL function returned it, with keys in snake_case; `null`: the function returned
 * no row
 */
export type AfterMutation = (entity: Given, context: HookContext) => void | Promise<void>

/**
 * Declares a function that svc runs in the transaction of a mutation, before its SQL function and after all access
 * checks: `export const quota = beforeMutation('createUser', async (args, context) =>
 * …)`. If the function throws, svc aborts the mutation and rolls back.
 * @param name name of the mutation, as declared or as in the API
 * @returns `fn`, unchanged. Its module must export it, because the server imports it from there when it loads the
 * schema
 */
export function beforeMutation<F extends BeforeMutation>(name: string, fn: F): F {
  return declareHook('before_mutation', name, fn, placeAbove(beforeMutation))
}

/**
 * Declares a function that svc runs in the transaction of a mutation, after its SQL function has succeeded. The
 * response waits for the function. If the function throws, svc rolls back the transaction.
 * @param name name of the mutation, as declared or as in the API
 * @returns `fn`, unchanged. Its module must export it, because the server imports it from there when it loads the
 * schema
 */
export function afterMutation<F extends AfterMutation>(name: string, fn: F): F {
  return declareHook('after_mutation', name, fn, placeAbove(afterMutation))
}

function declareHook<F extends BeforeMutation | AfterMutation>(
  kind: 'before_mutation' | 'after_mutation',
  name: string,
  fn: F,
  place: ReturnType<typeof placeAbove>,
): F {
  if (typeof fn === 'function') declareFunction(kind, name, fn, place)
  else reportFault(place, `${kind} "${String(name)}" wants a function, got ${fn === null ? 'null' : typeof fn}`)
  return fn
}
