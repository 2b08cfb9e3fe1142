import { listNames } from '../../base/util/nearest.ts'
import type { AuthoredField, AuthoredQuery, AuthoredType } from '../../schema/authored.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { typesOfSource } from '../passes/join-rules.ts'
import { hasTypeRules } from './type-rules.ts'

/**
 * Reports types whose rows only seem to be protected (docs/guides/access.md#rules-of-a-query). `inject` and
 * `row_filter` of a query protect that query alone. If every query of a type has one of them and the rows can also be
 * reached otherwise, such as through a relation, the type needs rules of its own or `open: true`.
 */
export function checkOpenTypes(context: CompileContext): void {
  const { schema, report } = context
  const queriesOf = new Map<string | null, AuthoredQuery[]>()
  for (const query of schema.queries ?? []) {
    const name = nameOf(query.type)
    queriesOf.set(name, [...(queriesOf.get(name) ?? []), query])
  }
  for (const type of schema.types ?? []) {
    if (type.open === true || hasTypeRules(type)) continue
    const own = queriesOf.get(type.name) ?? []
    const queries = own.length > 0 ? own : queriesAmong(context, type)
    if (queries.length === 0 || !queries.every(hasRule)) continue
    // A type that only queries of interfaces or unions return is no `Node`, and relations to it are intended.
    const ways = own.length > 0 ? waysTo(context, type) : context.facts.waysTo(type)
    if (ways.length === 0) continue
    const names = queries.map((query) => `"${query.name}"`)
    report.fault(
      'open-rows',
      `Type "${type.name}": the rules (inject, row_filter) of its ${names.length === 1 ? 'query' : 'queries'} ${listNames(names)} ` +
        `hold there only, and its rows are also reached by ${listNames(ways)}. ` +
        'Give the type rules of its own (inject, row_filter), which hold on every way; or set open: true on it where those may show every row; else take those ways out.',
      type,
    )
  }
}

function hasRule({ inject, row_filter }: AuthoredQuery): boolean {
  return row_filter !== undefined || Object.keys(inject ?? {}).length > 0
}

function waysTo(context: CompileContext, type: AuthoredType): readonly string[] {
  const { schema, facts } = context
  const abstract = abstractOf(schema, type)
  const reaches = (text: string): boolean => {
    const name = nameOf(text)
    return name === type.name || (name !== null && abstract.has(name))
  }
  const fieldsOf = (owner: WithFields): string[] =>
    owner.fields.filter((field) => reaches(field.type)).map((field) => `the field ${owner.name}.${field.name}`)
  const joinsOf = (owner: WithFields): string[] =>
    owner.fields
      .filter(({ relation }) => relation?.through !== undefined && isJoin(context, relation.through.sql_source, type))
      .map((field) => `the relation ${owner.name}.${field.name}, which joins by them`)
  return [
    ...(schema.types ?? []).flatMap(fieldsOf),
    ...[...(schema.types ?? []), ...(schema.interfaces ?? [])].flatMap(joinsOf),
    ...(schema.interfaces ?? []).flatMap(fieldsOf),
    ...(schema.queries ?? [])
      .filter((query) => nameOf(query.type) !== type.name && reaches(query.type) && !hasRule(query))
      .map((query) => `the query "${query.name}" (${nameOf(query.type)})`),
    ...(schema.mutations ?? [])
      .filter((mutation) => reaches(mutation.type))
      .map((mutation) => `the result of the mutation "${mutation.name}"`),
    ...(schema.subscriptions ?? [])
      .filter((subscription) => reaches(subscription.type) && Object.keys(subscription.inject ?? {}).length === 0)
      .map((subscription) => `the events of the subscription "${subscription.name}"`),
    ...(type.relay === true ? ['node'] : []),
    ...(schema.hierarchies ?? [])
      .filter((each) => each.type === type.name)
      .map((each) => `the hierarchy "${each.name}"`),
    ...facts.waysTo(type),
  ]
}

interface WithFields {
  readonly name: string
  readonly fields: readonly AuthoredField[]
}

function isJoin(context: CompileContext, source: string, { name }: AuthoredType): boolean {
  return typesOfSource(context, source).some((type) => type.name === name)
}

/** Returns the queries whose result can contain rows of a type. */
function queriesAmong({ schema }: CompileContext, type: AuthoredType): readonly AuthoredQuery[] {
  const abstract = abstractOf(schema, type)
  if (abstract.size === 0) return []
  return (schema.queries ?? []).filter((query) => abstract.has(nameOf(query.type) ?? ''))
}

function abstractOf(schema: CompileContext['schema'], type: AuthoredType): ReadonlySet<string> {
  const unions = (schema.unions ?? []).filter((union) => union.members.includes(type.name))
  return new Set([...(type.implements ?? []), ...unions.map((union) => union.name)])
}

function nameOf(type: string): string | null {
  const ref = parseTypeRef(type)
  return ref === null ? null : namedTypeOf(ref).name
}
