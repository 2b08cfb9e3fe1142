import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { AuthoredQuery, AuthoredType } from '../../schema/authored.ts'
import { isListRef, namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { generatedArguments, resolveAutoParams } from '../passes/auto-params.ts'
import { cursorOf } from '../passes/cursor-of.ts'
import { columnOf, describeSource } from '../passes/describe-source.ts'

/**
 * Checks types and queries with the option `relay`. Paging by cursor needs a list query, a relay type with `id: ID!`,
 * and a sort key in each view that is paged: the column `pk_<entity>` or the declared `key`
 * (docs/guides/query.md#relay-connections).
 */
export function checkRelay(context: CompileContext): void {
  const { schema, report } = context
  for (const type of schema.types ?? []) {
    if (type.relay !== true) continue
    const id = type.fields.find((field) => toWireName(field.name) === 'id')
    if (id?.type !== 'ID!') {
      report.fault(
        'relay',
        `Type "${type.name}" is relay and has no field "id: ID!", which Node needs.`,
        id ?? type,
        type,
      )
    }
    const where = context.typeSources.get(type.name)
    if (where === undefined) continue
    if (where.source === null) {
      report.fault('relay', `Type "${type.name}" is relay and has no view or table to page. Set sql_source.`, type)
    } else if (context.sources.has(where.source) && cursorOf(context, type.name) === undefined) {
      report.fault(
        'relay',
        `Type "${type.name}" is relay: ${where.source} needs the column "pk_${toSnakeCase(type.name)}" for its cursors. ` +
          'Add it to the view, or name the columns that identify a row with "key".',
        type,
      )
    } else checkKey(context, type, where.source)
  }
  for (const query of schema.queries ?? []) checkQuery(context, query)
}

/**
 * Checks that the columns of a declared key exist, and warns when the catalog does not prove that the key is unique.
 */
function checkKey(context: CompileContext, type: AuthoredType, sourceName: string): void {
  const { report, typeSources } = context
  const source = context.sources.get(sourceName)
  if (context.catalog === null || source === undefined) return
  const declared = type.key === undefined ? [] : [type.key].flat()
  const missing = declared.filter(
    (column) => columnOf(source, column) === null && typeSources.get(type.name)?.document === null,
  )
  for (const column of missing) {
    const names = source.columns.map(({ name }) => name)
    report.fault(
      'relay',
      `Type "${type.name}": key: ${sourceName} has no column "${column}".${didYouMean(column, names)}`,
      type,
    )
  }
  const cursor = cursorOf(context, type.name)
  if (missing.length > 0 || cursor?.digest !== true) return
  report.warn(
    'unproven-key',
    `Type "${type.name}" is relay, and the catalog does not prove that ${listNames(cursor.by ?? [])} of ${sourceName} ` +
      `${cursor.by?.length === 1 ? 'identifies' : 'identify'} a row: its pages are ordered by a digest of all fields too, which no index serves. ` +
      'If these or other columns do identify a row, name them with "key".',
    type,
  )
}

function checkQuery(context: CompileContext, query: AuthoredQuery): void {
  const { report, index } = context
  const ref = parseTypeRef(query.type)
  if (ref === null) return
  const list = isListRef(ref)
  const { name } = namedTypeOf(ref)
  const named = index.get(name)
  const label = `Query "${query.name}"`
  const auto = query.auto_params
  const asked = auto === true || (typeof auto === 'object' && Object.values(auto).includes(true))
  if (!list && asked) {
    report.fault(
      'auto-params',
      `${label} returns ${query.type}, one object; automatic parameters belong to lists. Drop auto_params.`,
      query,
    )
  }
  if (query.relay === true) {
    if (!list)
      report.fault(
        'relay',
        `${label} is relay and returns ${query.type}. A connection is a list: write [${name}!]!.`,
        query,
      )
    if (named?.kind !== 'object' || named.element.relay !== true) {
      report.fault('relay', `${label} is relay, and ${name} is not. Set relay: true on the type ${name}.`, query)
    } else if (query.sql_source !== undefined) checkCursorOf(context, query, query.sql_source, name)
  }
  const generated = generatedArguments(resolveAutoParams(query, list, context.queryDefaults), query.relay === true)
  for (const argument of query.arguments ?? []) {
    if (!generated.includes(toWireName(argument.name))) continue
    report.fault(
      'argument-clash',
      `${label}: the argument "${argument.name}" is generated for lists. Rename it, or switch the generated one off in auto_params.`,
      query,
    )
  }
}

/** Checks the cursor columns of a query whose source differs from that of its type. */
function checkCursorOf(context: CompileContext, query: AuthoredQuery, sourceName: string, type: string): void {
  const cursor = cursorOf(context, type)
  const source = describeSource(context, sourceName)
  if (context.catalog === null || cursor === undefined || cursor.document !== undefined || source === null) return
  if (context.typeSources.get(type)?.source === sourceName) return
  const wanted = cursor.by ?? [cursor.column]
  const missing = wanted.find((column) => columnOf(source, column) === null)
  if (missing === undefined || (cursor.by !== undefined && context.typeSources.get(type)?.document !== null)) return
  context.report.fault(
    'relay',
    `Query "${query.name}" is relay: ${sourceName} needs the column "${missing}" for its cursors. Add it to the view.`,
    query,
  )
}
