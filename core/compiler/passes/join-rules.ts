import { inDatabase } from '../../base/util/database-name.ts'
import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredField, AuthoredRelation, AuthoredType } from '../../schema/authored.ts'
import type { CompiledSource, CompiledThrough } from '../../schema/compiled.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { splitName } from './describe-source.ts'
import { membersOf } from './resolve-sources.ts'

/** A join table, and the types on its two sides. */
export interface JoinedTypes {
  readonly through: NonNullable<AuthoredRelation['through']>
  readonly ends: readonly string[]
}

/**
 * Returns the types whose rows are those of a join source, and the types and fields that reveal its pairs. Their rules and denials apply
 * to relations through it (decision 0179).
 * @returns `null` after a fault
 */
export function joinRules(
  context: CompileContext,
  joined: JoinedTypes,
  label: string,
  ...at: Parameters<CompileContext['report']['fault']>[2][]
): Pick<CompiledThrough, 'types' | 'guards'> | null {
  const types = typesOfSource(context, joined.through.sql_source)
  if (types.length === 0) return {}
  const documents = new Set(types.map(({ name }) => context.typeSources.get(name)?.document ?? null))
  documents.delete(null)
  if (documents.size > 1) {
    context.report.fault(
      'relation-through',
      `${label}: the rules of ${listNames(types.map(({ name }) => name))} read different JSON columns of ${joined.through.sql_source}. Name another view of the join table.`,
      ...at,
    )
    return null
  }
  const guards = types.flatMap((type) => [type.name, ...revealing(type, joined)])
  return { types: types.map(({ name }) => name), guards }
}

/** Returns the object types with rows of a source: by their own source, that of a query, or that of an interface or union. */
export function typesOfSource(context: CompileContext, source: string): readonly AuthoredType[] {
  const names = new Set<string>()
  const add = (type: string, of: string | null | undefined): void => {
    if (of == null || !isSame(context, splitName(source), splitName(of))) return
    names.add(type)
    for (const member of membersOf(context, type)) names.add(member)
  }
  for (const [type, where] of context.typeSources) add(type, where.source)
  for (const query of context.schema.queries ?? []) {
    const ref = parseTypeRef(query.type)
    if (ref !== null) add(namedTypeOf(ref).name, query.sql_source)
  }
  return (context.schema.types ?? []).filter(({ name }) => names.has(name))
}

type SourceName = Pick<CompiledSource, 'database' | 'schema' | 'name'>

/** Is it the same view or table? When in doubt, yes: a rule too many hides rows, and one too few shows them. */
function isSame(context: CompileContext, one: SourceName, other: SourceName): boolean {
  if (one.database !== other.database) return false
  const [a, b] = [one, other].map((each) => each.schema ?? schemaOf(context, each))
  if (a === undefined && b === undefined) return one.name.toLowerCase() === other.name.toLowerCase()
  return one.name === other.name && (a === undefined || b === undefined || a === b)
}

function schemaOf({ catalog }: CompileContext, { database, name }: SourceName): string | undefined {
  return catalog?.relations.get(inDatabase(database, name))?.schema
}

/** Returns the fields of a type that read the join columns, or lead to the rows on either side. */
function revealing(type: AuthoredType, { through, ends }: JoinedTypes): readonly string[] {
  const columns = new Set([through.from, through.to].flat())
  const reveals = ({ name, type: text, column, relation, computed }: AuthoredField): boolean => {
    if (computed === true) return false
    if (relation !== undefined) return [relation.from].flat().some((from) => columns.has(from))
    if ([column ?? toSnakeCase(name), name].some((own) => columns.has(own))) return true
    const ref = parseTypeRef(text)
    return ref !== null && ends.includes(namedTypeOf(ref).name)
  }
  return type.fields.filter(reveals).map(({ name }) => `${type.name}.${toWireName(name)}`)
}
