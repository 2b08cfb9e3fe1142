import { isReadByCast } from '../dialects/postgres/leaf.ts'
import { fromDatabaseError, fromStoredData } from '../errors/from-database.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { RootSelection, Selection } from '../front/operation.ts'
import type { CompiledFunction, CompiledSource } from '../schema/compiled.ts'
import type { SchemaModel } from '../schema/model.ts'

/** Codes of errors that concern the request, not one root of it (decisions "When things break"). */
const FATAL = new Set(['SERVICE_UNAVAILABLE', 'TIMEOUT'])

/** An error of the database as the client may see it. `source` is what the statement was about. */
export function databaseFailure(
  error: unknown,
  schema: SchemaModel,
  source: CompiledSource | CompiledFunction | null,
): SvcError {
  return fromDatabaseError(error, { source: missingSource(error, schema) ?? nameOf(schema, source) })
}

/**
 * An error of a statement that reads.
 * @param selection what the statement reads of the source
 */
export function readFailure(
  error: unknown,
  schema: SchemaModel,
  source: CompiledSource | null,
  selection: Selection,
): SvcError {
  return storedDataFailure(error, schema, source, selection) ?? databaseFailure(error, schema, source)
}

/** @returns `null` when the error is not about a stored value */
export function storedDataFailure(
  error: unknown,
  schema: SchemaModel,
  source: CompiledSource | null,
  selection: Selection,
): SvcError | null {
  return fromStoredData(error, nameOf(schema, source), [...castFields(selection)])
}

function* castFields(selection: Selection): Iterable<string> {
  if (selection === null) return
  if (selection.kind === 'abstract') {
    for (const possible of selection.possible.values()) yield* castFields(possible)
  } else if (selection.kind === 'object') {
    for (const field of selection.fields) {
      if (field.kind !== 'field') continue
      const { read, named, wireName } = field.field
      if (named.kind === 'scalar' && read !== null && isReadByCast(named.base, read)) {
        yield `${selection.type.name}.${wireName}`
      }
      yield* castFields(field.selection)
    }
  } else {
    for (const field of selection.fields) {
      if (field.field === 'items') yield* castFields(field.selection)
      if (field.field !== 'edges') continue
      for (const member of field.members) if (member.name === 'node') yield* castFields(member.selection)
    }
  }
}

/** Does the failure end the whole request? One that a function raised, by whatever name, concerns its root only. */
export function isFatal(failure: SvcError): boolean {
  return FATAL.has(failure.code) && (failure.cause as { routine?: unknown } | undefined)?.routine !== 'exec_stmt_raise'
}

/** Serialisation failure or deadlock: the same statement may well succeed now. */
export function isWorthRetrying(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01'
}

/** The error of a root: with path and place. */
export function atRoot(failure: SvcError, root: RootSelection): SvcError {
  const { code, message, details, cause, status, retryAfter } = failure
  const location = root.kind === 'operation' || root.kind === 'node' ? root.location : null
  return new SvcError(code, message, {
    details,
    cause,
    status,
    retryAfter,
    path: failure.path ?? [root.responseKey],
    locations: failure.locations ?? (location === null ? undefined : [location]),
  })
}

/** `relation "v_post" does not exist`: the source that the schema knows by that name, if it does. */
function missingSource(error: unknown, schema: SchemaModel): string | null {
  if ((error as { code?: unknown } | null)?.code !== '42P01') return null
  const names = /"([^"]+)"/.exec(String((error as { message?: unknown }).message))?.[1]?.split('.')
  const name = names?.at(-1)
  for (const [key, source] of schema.sources) if (source.name === name) return key
  return null
}

/** As `sql_source` writes it. */
function nameOf(schema: SchemaModel, source: CompiledSource | CompiledFunction | null): string | null {
  if (source === null) return null
  for (const [key, known] of schema.sources) if (known === source) return key
  for (const [key, known] of schema.functions) if (known === source) return key
  return source.name
}
