import type { AuthoredQuery, AuthoredType } from '../../schema/authored.ts'

/** Returns the data plane of a query or type. Default: `graphql`. */
export function planeOf({ dataplane = 'graphql' }: Pick<AuthoredQuery | AuthoredType, 'dataplane'>): string {
  return dataplane
}

/** Returns the prefix of the default view name: `va` for the columnar plane (`va_sale`), otherwise `v` (`v_sale`). */
export function viewPrefix(of: Pick<AuthoredQuery | AuthoredType, 'dataplane'>): string {
  return planeOf(of) === 'arrow' ? 'va' : 'v'
}
