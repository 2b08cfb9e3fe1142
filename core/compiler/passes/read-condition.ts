import { splitDatabase } from '../../base/util/database-name.ts'
import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { Catalog } from '../../contract/database.ts'
import type { AuthoredArgument, AuthoredQuery } from '../../schema/authored.ts'
import type { CompiledRead, CompiledSource } from '../../schema/compiled.ts'
import { readFullText } from '../../schema/full-text.ts'
import { isListRef, namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import { columnMismatch, isTimeInText } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import { fieldsOf, type NamedElement } from '../ground/type-index.ts'
import { alike, columnOf, relationOf, shownName } from './describe-source.ts'

/** A query whose arguments filter rows, with the view or table that it reads. */
export interface ConditionPlace extends RowsPlace {
  readonly query: AuthoredQuery
}

/**
 * Where the rows come from to which a condition applies: the type, its view or table, and the JSON column if it has
 * documents.
 */
export interface RowsPlace {
  readonly result: NamedElement
  readonly source: CompiledSource
  readonly document: string | null
}

/**
 * Finds the column that an argument of a query filters: a column of that name, otherwise a key of the JSON column.
 * @returns `null`: nothing matches, which is reported as a fault
 */
export function readArgument(
  context: CompileContext,
  where: ConditionPlace,
  argument: AuthoredArgument,
): CompiledRead | null {
  const ref = parseTypeRef(argument.type)
  const named = ref === null ? undefined : context.index.get(namedTypeOf(ref).name)
  if (ref === null || named === undefined) return null
  const { query, source } = where
  const label = `Query "${query.name}", argument "${argument.name}"`
  if (named.kind === 'input') {
    context.report.fault(
      'argument-column',
      `${label} is the input ${named.name}; an argument of a query is compared with a column. Use the generated "where", or arguments of scalar types.`,
      query,
    )
    return null
  }
  if (argument.full_text !== undefined) return readSearched(context, where, argument, argument.full_text, label)
  const read = findRead(context, where, argument.name)
  if (read === null) {
    const columns = source.columns.map((column) => column.name)
    const hint = didYouMean(toSnakeCase(argument.name), columns)
    context.report.fault(
      'argument-column',
      `${label}: ${shownName(context, source)} has no column "${toSnakeCase(argument.name)}" to compare it with.${hint === '' ? ` It has: ${listNames(columns)}.` : hint}`,
      query,
    )
    return null
  }
  if (read.from !== 'column') return read
  if (isListRef(ref) && read.column_type !== null && !/^_|^jsonb?$/.test(read.column_type)) {
    context.report.fault(
      'column-type',
      `${label} is a list and the column ${read.column} is ${read.column_type}. Take one value, or let clients use where: { ${toWireName(argument.name)}: { _in: [...] } }.`,
      query,
    )
    return null
  }
  const fitting = columnMismatch(ref, context.index, read.column_type)
  const isTime =
    read.column_type !== null &&
    relationOf(context, source)?.textTimes === true &&
    isTimeInText(ref, context.index, read.column_type)
  if (fitting !== null && !isTime) {
    context.report.fault(
      'column-type',
      `${label} is ${argument.type}, and the column ${read.column} of ${shownName(context, source)} is ${read.column_type}. Declare ${fitting}.`,
      query,
    )
  }
  return read
}

/** Resolves an argument with `full_text` to its column of search vectors, which need not be a field. */
function readSearched(
  context: CompileContext,
  { query, source }: ConditionPlace,
  argument: AuthoredArgument,
  given: NonNullable<AuthoredArgument['full_text']>,
  label: string,
): CompiledRead | null {
  const { column: name, config } = readFullText(given)
  const ref = parseTypeRef(argument.type)
  if (ref === null || isListRef(ref) || namedTypeOf(ref).name !== 'String') {
    context.report.fault(
      'argument-column',
      `${label} has full_text, and is ${argument.type}. A search is a String.`,
      query,
    )
    return null
  }
  const read = { from: 'column', column: name, column_type: 'tsvector', not_null: false } as const
  if (context.catalog === null) return read
  const column = columnOf(source, name)
  const words = source.columns.filter(({ type }) => type === 'tsvector').map((one) => one.name)
  const configs = configsOf(context.catalog, source.database)
  if (column?.type === 'tsvector') {
    if (configs === undefined || knows(configs, config)) return read
    const plain = configs.filter((one) => !one.includes('.'))
    context.report.fault(
      'argument-column',
      `${label}: full_text: ${source.database === undefined ? 'the database' : `the database "${source.database}"`} has no text search configuration "${config}".${didYouMean(config, plain)} It has: ${listNames(plain, 40)}.`,
      query,
    )
    return null
  }
  const what =
    column === null
      ? `${shownName(context, source)} has no column "${name}"`
      : `the column ${name} of ${shownName(context, source)} is ${column.type}`
  const known =
    words.length === 0
      ? "Add a column of type tsvector to the view: to_tsvector('english', title || ' ' || body)."
      : `Columns of search words: ${listNames(words)}.`
  context.report.fault('argument-column', `${label}: full_text: ${what}. ${known}`, query)
  return null
}

/** Returns the text search configurations of one database; `undefined`: none are known. */
function configsOf({ searchConfigs = [] }: Catalog, database: string | undefined): readonly string[] | undefined {
  const own = searchConfigs.map(splitDatabase).flatMap((each) => (each.database === database ? [each.name] : []))
  return own.length === 0 ? undefined : own
}

/**
 * Does a configuration exist? Names without quotes are compared in lower case; the database interprets quoted names.
 */
function knows(configs: readonly string[], name: string): boolean {
  return name.includes('"') || configs.includes(name.toLowerCase())
}

/**
 * Finds the column that must equal a token claim, for an entry of a query's `inject` option. Clients neither see nor
 * can remove this condition.
 * @returns `null`: there is no such column, which is reported as a fault
 */
export function readInject(context: CompileContext, where: ConditionPlace, parameter: string): CompiledRead | null {
  return readInjected(context, where, parameter, `Query "${where.query.name}"`, where.query)
}

/**
 * Finds the column that must equal a token claim, for an entry of an `inject` option. Reports a fault if there is none.
 * @param parameter name in the option
 * @param label the element that has the option, for messages
 * @param at the element, for the location of the fault
 */
export function readInjected(
  context: CompileContext,
  where: RowsPlace,
  parameter: string,
  label: string,
  at: Parameters<CompileContext['report']['fault']>[2],
): CompiledRead | null {
  const read = findRead(context, where, parameter)
  if (read !== null) return read
  const { source } = where
  const columns = source.columns.map((column) => column.name)
  const hint = didYouMean(parameter, columns)
  context.report.fault(
    'inject',
    `${label}: inject: ${shownName(context, source)} has no column "${parameter}" to compare the claim with.${hint === '' ? ` It has: ${listNames(columns)}.` : hint}`,
    at,
  )
  return null
}

function findRead(
  context: CompileContext,
  where: RowsPlace & Partial<ConditionPlace>,
  name: string,
): CompiledRead | null {
  const { query, result, source, document } = where
  const key = toSnakeCase(name)
  const wire = toWireName(name)
  const field = fieldsOf(result).find(
    (candidate) => toWireName(candidate.name) === wire && candidate.relation === undefined,
  )
  const wanted = query?.id_arg === name ? [key, name, 'id'] : [field?.column ?? key, key, name]
  if (context.catalog === null) {
    if (document !== null) return { from: 'document', document, key }
    return { from: 'column', column: wanted[0] ?? key, column_type: null, not_null: false }
  }
  for (const candidate of wanted) {
    const column = columnOf(source, candidate)
    if (column !== null) {
      return { from: 'column', column: column.name, column_type: column.type, not_null: column.not_null }
    }
  }
  if (document !== null) return { from: 'document', document, key }
  const columns = source.columns.map((column) => column.name)
  const spelled = columnOf(source, alike(key, columns) ?? '')
  return spelled === null
    ? null
    : { from: 'column', column: spelled.name, column_type: spelled.type, not_null: spelled.not_null }
}
