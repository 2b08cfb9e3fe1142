import type { AuthoredQuery, AuthoredType } from '../../schema/authored.ts'

/**
 * Returns how the rows of a query or type are served: as columns by the Arrow transport (`arrow`), or by all other
 * protocols, such as GraphQL and REST (`graphql`, the default).
 */
export function planeOf({ dataplane = 'graphql' }: Pick<AuthoredQuery | AuthoredType, 'dataplane'>): string {
  return dataplane
}

/**
 * Returns the prefix of the view name that svc derives if `sql_source` is absent: `va` for Arrow (`va_sale`), otherwise
 * `v` (`v_sale`).
 */
export function viewPrefix(of: Pick<AuthoredQuery | AuthoredType, 'dataplane'>): string {
  return planeOf(of) === 'arrow' ? 'va' : 'v'
}
