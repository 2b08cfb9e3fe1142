import type { AuthoredQuery, AuthoredType } from '../../schema/authored.ts'

/** The plane of a query or type: `graphql` where it says none. */
export function planeOf({ dataplane = 'graphql' }: Pick<AuthoredQuery | AuthoredType, 'dataplane'>): string {
  return dataplane
}

/** What a view is called by default in front of its entity: `va_sale` of the columnar plane, else `v_sale`. */
export function viewPrefix(of: Pick<AuthoredQuery | AuthoredType, 'dataplane'>): string {
  return planeOf(of) === 'arrow' ? 'va' : 'v'
}
