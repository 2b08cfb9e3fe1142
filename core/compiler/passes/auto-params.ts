import type { AuthoredQuery, AutoParamFlags } from '../../schema/authored.ts'
import type { CompiledAutoParams } from '../../schema/compiled.ts'

export const ALL_ON: AutoParamFlags = { where: true, order_by: true, limit: true, offset: true }
const NONE: CompiledAutoParams = { where: false, order_by: false, limit: false, offset: false, total_count: false }

/**
 * Determines which of the arguments `where`, `order_by`, `limit` and `offset` svc generates for a query. A list query
 * has all by default; `[query_defaults]` changes the default, and `auto_params` of the query overrides both. A relay
 * query pages by cursor and has no `limit` and `offset`; a single row has none.
 * @param list `true`: the query returns a list
 */
export function resolveAutoParams(query: AuthoredQuery, list: boolean, defaults: AutoParamFlags): CompiledAutoParams {
  const { auto_params: own } = query
  if (!list) return NONE
  const totalCount = typeof own === 'object' && own.total_count === true
  const flags =
    typeof own === 'boolean'
      ? { where: own, order_by: own, limit: own, offset: own }
      : {
          where: own?.where ?? defaults.where,
          order_by: own?.order_by ?? defaults.order_by,
          limit: own?.limit ?? defaults.limit,
          offset: own?.offset ?? defaults.offset,
        }
  if (query.relay === true) return { ...flags, limit: false, offset: false, total_count: totalCount }
  return { ...flags, total_count: totalCount }
}

/**
 * Returns the names of the arguments that svc generates for a list query, as in the API: `where`, `orderBy` and others.
 * @param relay `true`: the query returns a connection, with `first`, `after`, `last` and `before`
 */
export function generatedArguments(params: CompiledAutoParams, relay: boolean): readonly string[] {
  const names: string[] = []
  if (params.where) names.push('where')
  if (params.order_by) names.push('orderBy')
  if (params.limit) names.push('limit')
  if (params.offset) names.push('offset')
  return relay ? [...names, 'first', 'after', 'last', 'before'] : names
}
