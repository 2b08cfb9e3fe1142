import { blame } from '../../../base/errors/blame.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import { shorten } from '../../../base/util/shorten.ts'
import type { DialectErrors } from '../../../contract/dialect.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { MutationRoot, Operation } from '../../../contract/operation.ts'
import { readNode } from '../../plan/write/write-values.ts'
import type { ExecuteContext } from '../context/context.ts'
import { databaseFailure } from '../context/failure.ts'
import { nothingFound } from './write-answer.ts'

/**
 * Converts an error that a statement of a mutation raised to one that clients may see. It names the argument that the
 * database rejected, and hides errors in tables of plugins.
 * @param variables variables of the request, to find the rejected argument
 */
export function writeFailure(
  context: ExecuteContext,
  error: unknown,
  exchange: Exchange,
  root: MutationRoot,
  variables: Operation['variables'] = {},
): SvcError {
  const { errors } = context.settings.dialect
  const found = errors.writeFault(error)
  const { function: target, wireName } = root.operation
  if (found === null)
    return (
      pluginFailure(context, error) ??
      placed(errors, databaseFailure(errors, error, exchange.generation.schema, target), error, root, variables)
    )
  if (found.fault === 'nothing-found') return nothingFound(wireName)
  const what =
    found.fault === 'unknown-status'
      ? `answered with the status "${found.detail}", which is neither a success (ok, created, updated, deleted, noop …) nor a failure (failed:…, conflict:…, error:…)`
      : found.fault === 'unknown-type'
        ? `gave an entity of the type "${found.detail}", which ${wireName} does not return`
        : 'gave an entity that lacks selected fields'
  return new SvcError('INTERNAL_SERVER_ERROR', `Function "${target.name}" ${what}. Nothing was written.`, {
    cause: error,
  })
}

/** Most characters of a client's value in a message. */
const MOST_SHOWN = 100
/** Invalid text that the database quotes at the end of its message. */
const REFUSED = /: "([^"]*)"$/

/**
 * Adds the argument of the client to an error about an invalid value. A value that no argument contains comes from inside the function and is
 * not shown, because it may belong to a hidden row.
 */
function placed(
  errors: DialectErrors,
  failure: SvcError,
  error: unknown,
  root: MutationRoot,
  variables: Operation['variables'],
): SvcError {
  const { code, message, details } = failure
  if (code !== 'BAD_USER_INPUT' || !(error instanceof Error) || error instanceof SvcError) return failure
  if (errors.isRaised(error)) return failure
  const refused = REFUSED.exec(error.message)?.[1]
  const { name } = root.operation.function
  const argument = refused === undefined ? null : argumentOf(root, variables, refused)
  if (argument === null) {
    return new SvcError(code, `${message.replace(/\.$/, '')}, within the function "${name}".`, {
      details,
      cause: error,
    })
  }
  const reason = message.replace(/^A value is/, `${JSON.stringify(shorten(refused!, MOST_SHOWN))} is`)
  return new SvcError(code, `Argument "${argument}" of "${root.operation.wireName}": ${reason}`, {
    details: { ...details, argument },
    cause: error,
  })
}

/** Returns the path of the argument with a given text: `input.age`; `null`: none. */
function argumentOf(
  { arguments: given }: MutationRoot,
  variables: Operation['variables'],
  text: string,
): string | null {
  const find = (value: unknown, path: string): string | null => {
    if (typeof value !== 'object' || value === null) return String(value) === text ? path : null
    for (const [key, inner] of Object.entries(value)) {
      const found = find(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`)
      if (found !== null) return found
    }
    return null
  }
  for (const { name, value } of given) {
    const found = find(readNode(value, variables), name)
    if (found !== null) return found
  }
  return null
}

/** Converts the error of an insert into a plugin's table (`scope.writes`), which clients must not see. @returns `null`: another error */
function pluginFailure({ contributions, settings }: ExecuteContext, error: unknown): SvcError | null {
  const { errors } = settings.dialect
  if (error instanceof SvcError || contributions.length === 0 || errors.isRaised(error)) return null
  const table = errors.missingRelation(error) ?? errors.refusingTable?.(error) ?? null
  const owner =
    table === null ? undefined : contributions.find(({ insert }) => insert?.table.split('.').at(-1) === table)
  if (owner === undefined) return null
  const reason = new Error(
    `The table "${table}" of plugin "${owner.plugin}" takes no row: ${(error as Error).message}`,
    {
      cause: error,
    },
  )
  return new SvcError('INTERNAL_SERVER_ERROR', 'An internal error occurred.', { cause: blame(reason, owner.plugin) })
}
