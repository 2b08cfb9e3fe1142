import { DEFAULT_DATABASE } from '../../base/util/database-name.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { AuthoredMutation, AuthoredQuery } from '../../schema/authored.ts'
import { namedTypeOf, parseTypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import { membersOf } from '../passes/resolve-sources.ts'

/**
 * Checks the option `database`: svc.toml has that section of `[databases]`, an operation and its result are in the same
 * database, and types of subscriptions and observers are in the default one. Relations between databases are checked
 * later, when the fields are compiled.
 */
export function checkDatabases(context: CompileContext): void {
  const { schema, report } = context
  for (const [label, elements] of [
    ['Type', schema.types],
    ['Query', schema.queries],
    ['Mutation', schema.mutations],
    ['Subscription', schema.subscriptions],
  ] as const) {
    for (const element of elements ?? []) checkName(context, `${label} "${element.name}"`, element)
  }
  for (const query of schema.queries ?? []) checkResult(context, 'Query', query)
  for (const mutation of schema.mutations ?? []) checkResult(context, 'Mutation', mutation)
  for (const [label, elements] of [
    ['Subscription', schema.subscriptions?.map((each) => ({ each, entity: each.entity_type ?? resultOf(each.type) }))],
    ['Observer', schema.observers?.map((each) => ({ each, entity: each.entity }))],
  ] as const) {
    for (const { each, entity } of elements ?? []) {
      const own = 'database' in each && typeof each.database === 'string' ? each.database : undefined
      const database = databaseOf(context, entity) ?? own
      if (database === undefined) continue
      report.fault(
        'across-databases',
        `${label} "${each.name}": ${entity} is of the database "${database}", and changes are told of the default one only: their outbox stands there.`,
        each,
      )
    }
  }
}

function checkName(
  { databases, report }: CompileContext,
  label: string,
  element: Pick<AuthoredQuery, 'database' | '$place'>,
): void {
  const { database } = element
  if (database === undefined || databases.has(database)) return
  const known = [...databases.keys()]
  const hint = didYouMean(database, known)
  const list = known.length === 0 ? ' There are none.' : ` There are: ${listNames(known)}.`
  report.fault(
    'unknown-database',
    `${label}: there is no section [databases.${database}] in svc.toml.${hint === '' ? list : hint}`,
    element,
  )
}

function checkResult(context: CompileContext, label: string, operation: AuthoredQuery | AuthoredMutation): void {
  const name = resultOf(operation.type)
  const named = context.index.get(name)
  if (named === undefined || named.kind === 'scalar' || named.kind === 'enum' || named.kind === 'input') return
  const reached = named.kind === 'object' ? [name] : membersOf(context, name)
  for (const type of reached) {
    if (context.typeSources.get(type)?.source == null && named.kind === 'object') continue
    const database = databaseOf(context, type)
    if (database === operation.database) continue
    context.report.fault(
      'across-databases',
      `${label} "${operation.name}" is of ${shown(operation.database)}, and ${type}, whose rows it gives, of ${shown(database)}. One statement reads one database: give both the same \`database\`.`,
      operation,
    )
  }
}

function resultOf(type: string): string {
  const ref = parseTypeRef(type)
  return ref === null ? '' : namedTypeOf(ref).name
}

function databaseOf({ index }: CompileContext, type: string): string | undefined {
  const named = index.get(type)
  return named?.kind === 'object' ? named.element.database : undefined
}

function shown(database: string | undefined): string {
  return database === undefined ? `the ${DEFAULT_DATABASE} database` : `the database "${database}"`
}
