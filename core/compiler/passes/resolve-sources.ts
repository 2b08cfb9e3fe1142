import { inDatabase } from '../../base/util/database-name.ts'
import { toSnakeCase } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredType } from '../../schema/authored.ts'
import type { CompiledSource } from '../../schema/compiled.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { fieldsOf } from '../ground/type-index.ts'
import { columnOf, describeSource, isJsonType, shownName } from './describe-source.ts'
import { viewPrefix } from './plane-of.ts'
import { whereItIs } from './where-it-is.ts'

const DEFAULT_DOCUMENT = 'data'

/** Determines the view or table of every object type, interface and union, and stores it in `context.typeSources`. */
export function resolveTypeSources(context: CompileContext): void {
  const used = sourcesByResult(context)
  for (const named of context.index.values()) {
    if (named.kind !== 'object' && named.kind !== 'interface' && named.kind !== 'union') continue
    const name = pickSource(context, named.name, used)
    const source =
      name === null ? null : requireSource(context, name, `${labels[named.kind]} "${named.name}"`, named.element)
    const wanted = named.kind === 'object' ? named.element.jsonb_column : undefined
    context.typeSources.set(named.name, {
      source: source === null ? null : name,
      missing: name !== null && source === null,
      document: source === null ? null : documentOf(context, source, named.name, wanted),
    })
  }
}

const labels = { object: 'Type', interface: 'Interface', union: 'Union' } as const

/**
 * Returns the description of a view or table, and reports a fault if the database does not have it.
 * @param name as in `sql_source`
 * @param label the element that names it, for messages
 * @param at elements for the location of the fault, the innermost first
 */
export function requireSource(
  context: CompileContext,
  name: string,
  label: string,
  ...at: Parameters<CompileContext['report']['fault']>[2][]
): CompiledSource | null {
  const source = describeSource(context, name)
  if (source !== null) return source
  const hint = context.catalog === null ? '' : whereItIs(context.catalog, 'relation', name)
  context.report.fault('unknown-source', `${label}: the database has no view or table "${name}".${hint}`, ...at)
  return null
}

/**
 * Returns the JSON column of an `id` + `data` source. A flat source has none: there the type has a field for that
 * column.
 */
function documentOf(
  context: CompileContext,
  source: CompiledSource,
  type: string,
  wanted: string | undefined,
): string | null {
  if (context.catalog === null) return wanted ?? null
  const named = context.index.get(type)
  const column = columnOf(source, wanted ?? DEFAULT_DOCUMENT)
  const element = named?.kind === 'object' ? named.element : undefined
  if (wanted !== undefined && (column === null || !isJsonType(column.type))) {
    const json = source.columns.filter(({ type: columnType }) => isJsonType(columnType)).map((item) => item.name)
    const found =
      column === null
        ? `${shownName(context, source)} has no column "${wanted}"`
        : `"${wanted}" of ${shownName(context, source)} is ${column.type}`
    context.report.fault(
      'unknown-column',
      `Type "${type}": jsonb_column: ${found}. ` +
        (json.length === 0
          ? 'It has no JSON column; leave jsonb_column out.'
          : `Its JSON columns: ${listNames(json)}.`),
      element,
    )
    return null
  }
  if (column === null || !isJsonType(column.type)) return null
  if (wanted !== undefined || named === undefined) return column.name
  const taken = fieldsOf(named).some((field) => (field.column ?? toSnakeCase(field.name)) === column.name)
  return taken ? null : column.name
}

/**
 * Returns `sql_source` of the type, otherwise the common source of its queries, otherwise `v_<type>`. A type without
 * any of them is part of its parent's document or of a function's result.
 */
function pickSource(context: CompileContext, type: string, used: ReadonlyMap<string, Usage>): string | null {
  const named = context.index.get(type)
  if (named === undefined || named.kind === 'scalar' || named.kind === 'enum' || named.kind === 'input') return null
  if (named.element.sql_source !== undefined) return named.element.sql_source
  const object: AuthoredType | null = named.kind === 'object' ? named.element : null
  if (object !== null && (object.embedded === true || object.is_error === true)) return null
  const usage = used.get(type)
  const explicit = [...(usage?.explicit ?? [])]
  if (explicit.length === 1) return explicit[0] ?? null
  const usual = inDatabase(object?.database, `${viewPrefix(object ?? {})}_${toSnakeCase(type)}`)
  const projection = inDatabase(object?.database, `tv_${toSnakeCase(type)}`)
  if (context.catalog === null) {
    if (explicit.length > 1) return explicit.includes(usual) ? usual : (explicit[0] ?? null)
    if (usage?.direct === true) return usual
    // Offline, this is a guess: a type with an id has rows, and one without is part of a document.
    const hasIdentity = object?.fields.some((field) => field.name === 'id') === true
    return usage?.shared ?? (hasIdentity ? usual : null)
  }
  const { relations } = context.catalog
  if (relations.has(usual)) return usual
  const others = [projection, usage?.shared ?? projection]
  return explicit[0] ?? others.find((name) => relations.has(name)) ?? null
}

interface Usage {
  /** Is the type the result of a query? */
  direct: boolean
  /** `sql_source` of the queries that return the type. */
  readonly explicit: Set<string>
  /** Source of a union or interface that has the type as a member. */
  shared: string | null
}

function sourcesByResult(context: CompileContext): ReadonlyMap<string, Usage> {
  const usages = new Map<string, Usage>()
  const usageOf = (type: string): Usage => {
    const usage = usages.get(type) ?? { direct: false, explicit: new Set(), shared: null }
    usages.set(type, usage)
    return usage
  }
  for (const query of context.schema.queries ?? []) {
    const ref = parseTypeRef(query.type)
    if (ref === null) continue
    const { name } = namedTypeOf(ref)
    const usage = usageOf(name)
    usage.direct = true
    if (query.sql_source !== undefined) usage.explicit.add(query.sql_source)
    const result = context.index.get(name)
    if (result?.kind !== 'interface' && result?.kind !== 'union') continue
    const usual = inDatabase(query.database, `v_${toSnakeCase(name)}`)
    const shared = query.sql_source ?? result.element.sql_source ?? usual
    for (const member of membersOf(context, name)) usageOf(member).shared ??= shared
  }
  return usages
}

/** Returns the names of the object types that belong to a union or implement an interface. */
export function membersOf(context: CompileContext, name: string): readonly string[] {
  const named = context.index.get(name)
  if (named?.kind === 'union') return named.element.members
  return (context.schema.types ?? []).filter((type) => type.implements?.includes(name)).map((type) => type.name)
}
