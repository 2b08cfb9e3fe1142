import type { AuthoredMutation, AuthoredQuery, AuthoredSubscription } from '../../schema/authored.ts'
import { fullTextOperator, readFullText } from '../../schema/full-text.ts'
import type { CompileContext } from '../ground/context.ts'

type Searching = AuthoredQuery | AuthoredMutation | AuthoredSubscription

/**
 * Checks the option `full_text` of arguments. Full-text search is a condition on rows, so only arguments of queries can
 * have it, in databases that support it.
 * @param dialect the dialect of the database; `undefined`: unknown, so its support is not checked
 * @param database checks the queries of this database; `undefined`: of the default one
 */
export function checkFullText(
  { schema, report }: CompileContext,
  dialect: { readonly name: string; readonly operators: ReadonlySet<string> } | undefined,
  database?: string,
): void {
  const fault = (label: string, operation: Searching, argument: string, what: string): void =>
    report.fault('argument-column', `${label} "${operation.name}", argument "${argument}": ${what}`, operation)
  for (const query of schema.queries ?? []) {
    if (query.database !== database) continue
    for (const { name, full_text: search } of query.arguments ?? []) {
      if (search === undefined) continue
      const { query: read, rank } = readFullText(search)
      if (rank) {
        if (query.relay === true)
          fault(
            'Query',
            query,
            name,
            'full_text: rank: the pages of a connection begin behind a key, and a rank is none. Use a list.',
          )
        else if (!query.type.startsWith('['))
          fault('Query', query, name, 'full_text: rank orders lists, and this is one row. Drop it.')
      }
      if (dialect === undefined || dialect.operators.has(fullTextOperator(read))) continue
      fault('Query', query, name, `full_text: ${dialect.name} has no columns of search words. Drop it, or use where.`)
    }
  }
  // The remaining checks do not depend on the database, and run once.
  if (database !== undefined) return
  for (const [label, operations] of [
    ['Mutation', schema.mutations],
    ['Subscription', schema.subscriptions],
  ] as const) {
    for (const operation of operations ?? []) {
      const argument = operation.arguments?.find((one) => one.full_text !== undefined)
      if (argument !== undefined)
        fault(label, operation, argument.name, 'full_text searches rows, and it reads none. Drop it.')
    }
  }
}
