import { errorAt } from '../../../base/errors/error-at.ts'
import { SettingsRefused } from '../../../base/errors/settings-refused.ts'
import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { Dialect, DialectErrors } from '../../../contract/dialect.ts'
import type { RootSelection, Selection } from '../../../contract/operation.ts'
import type { CompiledFunction, CompiledSource } from '../../../schema/compiled.ts'
import type { SchemaModel } from '../../../schema/model.ts'
import { FailedStatus } from '../../plan/write/write-status.ts'

/** Codes that fail the whole request and not one root field (docs/guides/mutations.md#several-mutations-in-one-request). */
const FATAL = new Set(['SERVICE_UNAVAILABLE', 'TIMEOUT'])

/**
 * Converts an error of the database driver to one that clients may see.
 * @param source view, table or function that the statement used, for the message; `null`: unknown
 */
export function databaseFailure(
  errors: DialectErrors,
  error: unknown,
  schema: SchemaModel,
  source: CompiledSource | CompiledFunction | null,
): SvcError {
  return errors.read(error, { source: missingSource(errors, error, schema) ?? nameOf(schema, source) })
}

/**
 * Converts the error of a statement that reads to one that clients may see.
 * @param source view or table that the statement reads, for the message; `null`: unknown
 * @param selection fields that the statement reads from the source, to name those whose stored values may be invalid
 */
export function readFailure(
  dialect: Dialect,
  error: unknown,
  schema: SchemaModel,
  source: CompiledSource | null,
  selection: Selection,
): SvcError {
  return (
    storedDataFailure(dialect, error, schema, source, selection) ??
    databaseFailure(dialect.errors, error, schema, source)
  )
}

/**
 * Converts an error about a stored value that does not fit the type of its field. @returns `null`: the error has
 * another cause
 */
export function storedDataFailure(
  dialect: Dialect,
  error: unknown,
  schema: SchemaModel,
  source: CompiledSource | null,
  selection: Selection,
): SvcError | null {
  return dialect.errors.readStored(error, nameOf(schema, source), [...castFields(dialect, selection)])
}

/**
 * Returns the view or table that a root field reads, and the fields that it selects, for error messages. `source:
 * null`: it reads none, or several.
 */
export function readOf(root: RootSelection | undefined): {
  readonly source: CompiledSource | null
  readonly selection: Selection
} {
  switch (root?.kind) {
    case 'operation':
      return { source: root.operation.kind === 'query' ? root.operation.source : null, selection: root.selection }
    case 'rows':
      return { source: root.query?.source ?? root.type.source, selection: root.selection }
    case 'related': {
      const { named } = root.relation.field
      const source =
        named.kind === 'object' || named.kind === 'interface' || named.kind === 'union' ? named.source : null
      return { source, selection: root.relation.selection }
    }
    case 'aggregate':
      return { source: root.operation.source, selection: null }
    case 'node':
      return { source: null, selection: root.selection }
    default:
      return { source: null, selection: null }
  }
}

function* castFields(dialect: Dialect, selection: Selection): Iterable<string> {
  if (selection === null) return
  if (selection.kind === 'abstract') {
    for (const possible of selection.possible.values()) yield* castFields(dialect, possible)
  } else if (selection.kind === 'object') {
    for (const field of selection.fields) {
      if (field.kind !== 'field') continue
      if (dialect.isReadByCast(field.field)) yield `${selection.type.name}.${field.field.wireName}`
      yield* castFields(dialect, field.selection)
    }
  } else {
    for (const field of selection.fields) {
      if (field.field === 'items') yield* castFields(dialect, field.selection)
      if (field.field !== 'edges') continue
      for (const member of field.members) if (member.name === 'node') yield* castFields(dialect, member.selection)
    }
  }
}

/**
 * Tests whether an error ends the whole request, such as an unreachable database. `false`: only the root field fails.
 * Errors that a database function raised never end the request.
 */
export function isFatal(errors: DialectErrors, failure: SvcError): boolean {
  if (failure.cause instanceof FailedStatus) return false
  return failure instanceof SettingsRefused || (FATAL.has(failure.code) && !errors.isRaised(failure.cause))
}

/** Adds the path and location of a root field to an error, unless it already has them. */
export function atRoot(failure: SvcError, root: RootSelection): SvcError {
  const location = root.kind === 'typename' || root.kind === 'literal' ? null : root.location
  const locations = failure.locations ?? (location === null ? undefined : [location])
  return errorAt(failure, { path: failure.path ?? [root.responseKey], locations })
}

/** Returns the schema's name of the relation that the database reports as missing; `null`: none. */
function missingSource(errors: DialectErrors, error: unknown, schema: SchemaModel): string | null {
  const name = errors.missingRelation(error)
  if (name === null) return null
  for (const [key, source] of schema.sources) if (source.name === name) return key
  return null
}

/** Returns the name of a source or function as in `sql_source`. */
function nameOf(schema: SchemaModel, source: CompiledSource | CompiledFunction | null): string | null {
  if (source === null) return null
  for (const [key, known] of schema.sources) if (known === source) return key
  for (const [key, known] of schema.functions) if (known === source) return key
  return source.name
}
