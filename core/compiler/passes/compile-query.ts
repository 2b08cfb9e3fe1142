import { inDatabase } from '../../base/util/database-name.ts'
import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import type { AuthoredQuery } from '../../schema/authored.ts'
import type { CompiledQuery, CompiledRead, CompiledSource } from '../../schema/compiled.ts'
import { isListRef, namedTypeOf, parseTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { isComposite, type NamedElement } from '../ground/type-index.ts'
import { compileArguments, rulesOf } from '../rules/compile-rules.ts'
import { resolveAutoParams } from './auto-params.ts'
import { viewPrefix } from './plane-of.ts'
import { documentOfQuery } from './query-document.ts'
import { type ConditionPlace, readArgument, readInject } from './read-condition.ts'
import { requireSource } from './resolve-sources.ts'
import { checkReadsHold } from './source-mismatch.ts'
import { checkTypeColumn } from './type-column.ts'
import { whereItIs } from './where-it-is.ts'

/**
 * Converts a query to its form in the compiled schema: finds its view or table, and the columns that its arguments
 * filter.
 * @returns `null` after a fault that makes this impossible
 */
export function compileQuery(context: CompileContext, query: AuthoredQuery): CompiledQuery | null {
  const ref = parseTypeRef(query.type)
  const result = ref === null ? undefined : context.index.get(namedTypeOf(ref).name)
  if (ref === null || result === undefined) return null
  if (!returnsRows(context, query, ref, result)) return null
  const name = sourceOf(context, query, result)
  const source = name === null ? null : sourceNamed(context, query, name)
  if (name === null || source === null) return null
  const document = documentOfQuery(context, query, result, name, source)
  const where: ConditionPlace = { query, result, source, document }
  if (isComposite(result)) checkReadsHold(context, query, result, name, source, document)
  const rows = { source, document, typeColumn: query.type_column }
  checkTypeColumn(context, `Query "${query.name}"`, result, rows, query)
  const {
    $place: _place,
    arguments: args,
    validate: _validate,
    auto_params: _auto,
    jsonb_column: _document,
    ...kept
  } = query
  const reads = (args ?? []).map((argument) => [argument.name, readArgument(context, where, argument)] as const)
  const injected = Object.keys(query.inject ?? {}).map((key) => [key, readInject(context, where, key)] as const)
  return {
    ...kept,
    ...rulesOf(context, query),
    wire_name: toWireName(query.name),
    arguments: compileArguments(context, args),
    source: name,
    ...(document === null ? {} : { jsonb_column: document }),
    auto_params: resolveAutoParams(query, isListRef(ref), context.queryDefaults),
    argument_reads: Object.fromEntries(reads.filter(isRead)),
    inject_reads: Object.fromEntries(injected.filter(isRead)),
  }
}

function isRead(entry: readonly [string, CompiledRead | null]): entry is readonly [string, CompiledRead] {
  return entry[1] !== null
}

function returnsRows(context: CompileContext, query: AuthoredQuery, ref: TypeRef, result: NamedElement): boolean {
  const nested = isListRef(ref) && isListRef(ref.of)
  if (isComposite(result) && !nested) return true
  const what = nested
    ? 'a list of lists'
    : `${result.kind === 'input' ? 'the input' : `the ${result.kind}`} ${result.name}`
  context.report.fault(
    'query-result',
    `Query "${query.name}" returns ${what}; a query reads rows. Return an object type, an interface or a union, or a list of one.`,
    query,
  )
  return false
}

/** Returns `sql_source` of the query, otherwise the source of its result type. */
function sourceOf(context: CompileContext, query: AuthoredQuery, result: NamedElement): string | null {
  const own = query.sql_source ?? context.typeSources.get(result.name)?.source ?? null
  if (own !== null) return own
  const written = isComposite(result) ? result.element.sql_source : undefined
  // The source of the type does not exist. The fault was reported at the type.
  if (written !== undefined) return null
  const usual = inDatabase(query.database, `${viewPrefix(query)}_${toSnakeCase(result.name)}`)
  if (context.catalog?.relations.has(usual) !== true) {
    const hint = context.catalog === null ? '' : whereItIs(context.catalog, 'relation', usual)
    context.report.fault(
      'no-source',
      `Query "${query.name}" has no sql_source, ${result.name} has none either, and the database has no view or table "${usual}".${hint}`,
      query,
    )
  }
  return null
}

/**
 * Returns the source of a query. A source that a type has resolved is reused, so that a missing one is reported once.
 */
function sourceNamed(context: CompileContext, query: AuthoredQuery, name: string): CompiledSource | null {
  return context.sources.get(name) ?? requireSource(context, name, `Query "${query.name}"`, query)
}
